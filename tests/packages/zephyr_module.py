#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the Zephyr module: its description, Kconfig, and that its CMake files and the sample's make what they say in a stand-in for Zephyr's
build. With ZEPHYR_BASE it also builds the sample.

    zephyr_module.py [CLASS[.TEST]...]
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MODULE = ROOT / "zephyr"
SAMPLE = MODULE / "samples/conv_act"
SKIPPED = 77

# A stand-in for ZephyrConfig.cmake: what Zephyr's build gives to the sample and to its modules, as far as these use it.
STAND_IN = """project(Zephyr-Kernel C CXX ASM)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_library(zephyr_interface INTERFACE)
target_compile_options(zephyr_interface INTERFACE {options} $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions> {definitions})
target_include_directories(zephyr_interface INTERFACE "{headers}")
add_custom_target(zephyr_generated_headers)
macro(zephyr_library_named name)
  set(ZEPHYR_CURRENT_LIBRARY ${{name}})
  add_library(${{name}} STATIC)
  target_link_libraries(${{name}} PUBLIC zephyr_interface)
endmacro()
macro(zephyr_library_sources)
  target_sources(${{ZEPHYR_CURRENT_LIBRARY}} PRIVATE ${{ARGN}})
endmacro()
macro(zephyr_library_link_libraries)
  target_link_libraries(${{ZEPHYR_CURRENT_LIBRARY}} PUBLIC ${{ARGN}})
endmacro()
macro(zephyr_ld_options)
  target_link_options(zephyr_interface INTERFACE ${{ARGN}})
endmacro()
add_library(app STATIC)
target_link_libraries(app PUBLIC zephyr_interface)
{configuration}
foreach(module IN LISTS ZEPHYR_EXTRA_MODULES)
  add_subdirectory("${{module}}/{folder}" modules/coxswain)
endforeach()
file(GENERATE OUTPUT ${{CMAKE_BINARY_DIR}}/options.txt CONTENT "$<TARGET_PROPERTY:zephyr_interface,INTERFACE_LINK_OPTIONS>")
"""
# The keys that Zephyr's scripts/zephyr_module.py accepts in module.yml, and their types.
TEXT, LIST, YES_OR_NO = str, list, bool
OF_BUILD = {
    **dict.fromkeys(("cmake", "kconfig", "sysbuild-cmake", "sysbuild-kconfig"), TEXT),
    **dict.fromkeys(("cmake-ext", "kconfig-ext", "sysbuild-cmake-ext", "sysbuild-kconfig-ext"), YES_OR_NO),
    "depends": LIST,
    "settings": dict,
}
OF_MODULE = {"name": TEXT, "build": dict, **dict.fromkeys(("tests", "samples", "boards", "blobs"), LIST)}
TOOLCHAIN = """set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
"""
OPTIONS = "-mcpu=cortex-m55 -mthumb -mfloat-abi=hard"


def symbols_of_kconfig():
    """All options of the module's Kconfig as the sample sets them."""
    import kconfiglib  # only this test needs it

    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder) / "Kconfig"
        own = "".join(f"config {name}\n\tbool\n\tdefault y\n" for name in ("CPU_CORTEX_M", "CPP"))
        own += "".join(f"config {name}\n\tbool\n" for name in ("REQUIRES_FULL_LIBCPP", "DYNAMIC_INTERRUPTS"))
        top.write_text(f'{own}source "{MODULE}/Kconfig"\n')
        configuration = kconfiglib.Kconfig(str(top), warn_to_stderr=False)
        configuration.load_config(str(SAMPLE / "prj.conf"))
        unknown = [warning for warning in configuration.warnings if "COXSWAIN" in warning]
        assert not unknown, unknown
        return {name: symbol.str_value for name, symbol in configuration.syms.items() if name.startswith("COXSWAIN") and symbol.nodes}


class Files(unittest.TestCase):
    def test_description(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("no python3-yaml")
        module = yaml.safe_load((MODULE / "module.yml").read_text())
        for keys, known in ((module, OF_MODULE), (module["build"], OF_BUILD)):
            for key, value in keys.items():
                self.assertIn(key, known)
                self.assertIsInstance(value, known[key], key)
        self.assertEqual(module["name"], "coxswain")
        self.assertTrue((ROOT / module["build"]["cmake"] / "CMakeLists.txt").is_file())
        self.assertTrue((ROOT / module["build"]["kconfig"]).is_file())
        for folder in module["samples"]:
            samples = list((ROOT / folder).glob("*/sample.yaml"))
            self.assertTrue(samples)
            for sample in samples:
                self.assertTrue(yaml.safe_load(sample.read_text())["tests"])

    def test_kconfig(self):
        try:
            symbols = symbols_of_kconfig()
        except ImportError:
            self.skipTest("no python3-kconfiglib")
        self.assertEqual((symbols["COXSWAIN"], symbols["COXSWAIN_KERNELS_MX"], symbols["COXSWAIN_RUNTIME"]), ("y", "y", "n"))
        used = set()
        for file in (MODULE / "CMakeLists.txt", MODULE / "board.cpp"):
            used |= set(re.findall(r"CONFIG_(COXSWAIN\w*[A-Z])", file.read_text()))
        used = {name for name in used if name != "COXSWAIN_KERNELS"}
        self.assertLessEqual(used, set(symbols))
        components = re.search(r"foreach\(component (.*?)\)", (MODULE / "CMakeLists.txt").read_text()).group(1).split()
        self.assertLessEqual({f"COXSWAIN_{component.upper()}" for component in components}, set(symbols))
        kernels = {path.parent.name for path in ROOT.glob("kernels/*/coxswain_*.h")}
        self.assertEqual(set(components) - {"runtime", "signature"}, {f"kernels_{name}" for name in kernels})


class StandIn(unittest.TestCase):
    batches = ()

    def setUp(self):
        try:
            self.defaults = symbols_of_kconfig()
        except ImportError:
            self.skipTest("no python3-kconfiglib")
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "toolchain.cmake").write_text(TOOLCHAIN)

    def configure(self, options=OPTIONS, **settings):
        values = self.defaults | settings
        configuration = "\n".join(f"set(CONFIG_{name} {value})" for name, value in values.items() if value != "n")
        definitions = " ".join(f"-DCONFIG_{name}={1 if value == 'y' else value}" for name, value in values.items() if value != "n")
        package = self.folder / "share/zephyr/cmake/ZephyrConfig.cmake"
        package.parent.mkdir(parents=True, exist_ok=True)
        folder = MODULE.relative_to(ROOT)
        package.write_text(STAND_IN.format(options=options, definitions=definitions, headers=HERE / "zephyr_headers", configuration=configuration, folder=folder))
        build = self.folder / "build"
        command = ["cmake", "-G", "Ninja", "-S", SAMPLE, "-B", build, f"-DCMAKE_TOOLCHAIN_FILE={self.folder}/toolchain.cmake", *self.batches]
        launcher = os.environ.get("COX_BUILD_COMPILER_LAUNCHER")
        if launcher:
            command += [f"-DCMAKE_C_COMPILER_LAUNCHER={launcher}", f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}"]
        environment = os.environ | {"ZEPHYR_BASE": str(self.folder)}
        done = subprocess.run([str(word) for word in command], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return build, done.returncode, done.stdout

    def built(self, build, *targets):
        done = subprocess.run(["ninja", "-C", str(build), *targets], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)

    def sources(self, build):
        commands = json.loads((build / "compile_commands.json").read_text())
        return {pathlib.Path(each["file"]).name: each["command"] for each in commands}

    def test_sources(self):
        """The board and the sample compile, and the kernels are those for MVE if Zephyr's options say so."""
        build, status, printed = self.configure(COXSWAIN_NPU_ADDRESS="0x50000000", COXSWAIN_NPU_COMPLETION_IRQ="40")
        self.assertEqual(status, 0, printed)
        sources = self.sources(build)
        self.assertIn("byte_blocks_mve.cpp", set(sources))
        self.assertIn("-mcpu=cortex-m55", sources["conv_act.cpp"])
        options = (build / "options.txt").read_text()
        for symbol in ("cox_npu=0x50000000", "cox_npu_completion_register=0xe000e284", "cox_npu_completion_bit=0x100"):
            self.assertIn(f"--defsym={symbol}", options)
        self.built(build, f"{MODULE}/board.cpp^", f"{SAMPLE}/src/main.c^")

    def test_memory_that_is_not_cached(self):
        build, status, printed = self.configure(NOCACHE_MEMORY="y")
        self.assertEqual(status, 0, printed)
        self.built(build, f"{MODULE}/board.cpp^")

    def test_runtime(self):
        """Each source of the runtime is compiled with Zephyr's options, also those whose objects two libraries share."""
        build, status, printed = self.configure(COXSWAIN_RUNTIME="y")
        self.assertEqual(status, 0, printed)
        for library in ("cox_firmware", "cox_firmware_untraced"):
            commands = [each["command"] for each in json.loads((build / "compile_commands.json").read_text()) if f"/{library}.dir/" in each["command"]]
            self.assertTrue(commands)
            self.assertFalse([command for command in commands if "-mcpu=cortex-m55" not in command])

    def test_without_vectors(self):
        build, status, printed = self.configure("-mcpu=cortex-m33 -mthumb -mfloat-abi=hard")
        self.assertEqual(status, 0, printed)
        self.assertNotIn("byte_blocks_mve.cpp", set(self.sources(build)))

    def test_without_components(self):
        _, status, printed = self.configure(COXSWAIN_KERNELS_MX="n")
        self.assertNotEqual(status, 0)
        self.assertIn("no component is chosen", printed)

    def test_switched_off(self):
        build, status, printed = self.configure(COXSWAIN="n")
        self.assertEqual(status, 0, printed)
        self.assertEqual(set(self.sources(build)), {"main.c"})


class Whole(StandIn):
    """Compiles all libraries. This takes minutes."""

    # Sources are compiled in batches, which halves the time of the build (docs/testing.md, Build time).
    batches = ("-DCOX_JUMBO=ON", "-DCOX_JUMBO_LAYERS=isa;hal;firmware")

    def test_libraries(self):
        build, status, printed = self.configure(COXSWAIN_RUNTIME="y", COXSWAIN_KERNELS_CUBE="y")
        self.assertEqual(status, 0, printed)
        self.built(build, "coxswain_board", "cox_kernels_mx", "cox_kernels_cube", "cox_firmware", "app")
        # The program lacks only functions of Zephyr, and the one of which Newlib makes random numbers.
        options = [*OPTIONS.split(), "--specs=nosys.specs", *(build / "options.txt").read_text().strip().split(";"), "-Wl,-u,cox_run_once,-u,cox_cube_open"]
        command = ["arm-none-eabi-g++", *options, "-o", build / "program.elf", "-Wl,--start-group", *sorted(build.rglob("*.a")), "-Wl,--end-group"]
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        missing = set(re.findall(r"undefined reference to `([^']*)'", done.stdout))
        self.assertIn("irq_connect_dynamic", missing, done.stdout)
        self.assertFalse([name for name in missing if not re.match(r"(k|irq)_\w+$|printk$|getentropy$", name)], done.stdout)


class Sample(unittest.TestCase):
    """Builds the sample with a real Zephyr."""

    def test_build(self):
        if not os.environ.get("ZEPHYR_BASE"):
            self.skipTest("ZEPHYR_BASE names no Zephyr. Install Zephyr and its SDK, source zephyr-env.sh, and run the test again")
        with tempfile.TemporaryDirectory() as folder:
            command = ["cmake", "-G", "Ninja", "-DBOARD=mps3/corstone300/an547", "-S", SAMPLE, "-B", folder]
            for step in (command, ["ninja", "-C", folder]):
                done = subprocess.run([str(word) for word in step], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stdout)


def main():
    missing = [tool for tool in ("arm-none-eabi-gcc", "ninja", "cmake") if shutil.which(tool) is None]
    if missing:
        print(f"skipped: no {', '.join(missing)}")
        return SKIPPED
    result = unittest.main(exit=False).result
    for test, reason in result.skipped:
        print(f"skipped: {test.id()}: {reason}")
    if not result.wasSuccessful():
        return 1
    return SKIPPED if len(result.skipped) == result.testsRun else 0


if __name__ == "__main__":
    sys.exit(main())
