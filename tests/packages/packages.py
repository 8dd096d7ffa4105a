#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the project of docs/integration.md, "From an empty folder", in folders outside of the tree, as other projects do, and runs it.

    packages.py [CLASS[.TEST]...]

CMakeLists.txt has the environment variables.
"""
import base64
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "examples/machine"), str(ROOT / "tests/docs")]
sys.dont_write_bytecode = True

import machine  # noqa: E402
import page  # noqa: E402

TARGET_BUILD = pathlib.Path(os.environ.get("COX_TARGET_BUILD") or ROOT / "build/qemu-npu-soc")
HOST_BUILD = pathlib.Path(os.environ.get("COX_HOST_BUILD") or ROOT / "build/host")
COX = pathlib.Path(os.environ.get("COX_COMMAND") or HOST_BUILD / "bin/cox")
SKIPPED = 77

# The page's commands in two blocks, what the programs print, and the two files that the first block writes.
INTEGRATION = (ROOT / "docs/integration.md").read_text()
FILES, BUILDS, EXPECTED = page.blocks(INTEGRATION, "From an empty folder")
LISTS = page.file_in(FILES, "CMakeLists.txt")
PROGRAM = page.file_in(FILES, "main.c")
INSTALLED = next(line for line in LISTS.splitlines() if line.startswith("find_package"))
LINES = LISTS.replace(INSTALLED, "{coxswain}")
SUBDIRECTORY = f'add_subdirectory("{ROOT}" coxswain)'
FETCHED = f"""include(FetchContent)
FetchContent_Declare(coxswain GIT_REPOSITORY "file://{ROOT}" GIT_TAG %s)
FetchContent_MakeAvailable(coxswain)"""
OURS = ROOT / "toolchain/arm-none-eabi.cmake"
THEIRS = HERE / "arm.cmake"
BOARD = "-DCOX_BOARD=qemu-npu-soc"


# It tries an unsigned image, then a signed one.
SIGNED_PROGRAM = """#include <stdio.h>
#include "copy.h"
#include "coxswain/firmware/cox_signature.h"
#include "coxswain/firmware/coxswain.h"
#include "release.h"
int main(void) {
  static const cox_public_key keys[] = {{{%s}, 0}};
  const cox_signing_policy policy = {.keys = keys, .key_count = 1};
  const cox_options options = COX_OPTIONS;
  char text[128] = "copied by a tile core";
  cox_status status = cox_set_signing_policy(&policy);
  if (status.error == COX_OK) status = cox_open(&options);
  if (status.error != COX_OK) return 1;
  const cox_window windows[COX_WINDOWS] = {{text, sizeof(text)}};
  printf("%%s, ", cox_error_name(cox_run_once(copy, copy_bytes, windows, cox_dram()).error));
  status = cox_run_once(release, release_bytes, windows, cox_dram());
  printf("then %%s: %%s\\n", cox_error_name(status.error), text + 64);
  return (int)status.error;
}
"""


def run(*command, folder=None, environment=None):
    """Exit status and output of a command."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    @classmethod
    def setUpClass(cls):
        cls.shared = pathlib.Path(tempfile.mkdtemp(prefix="coxswain-packages-"))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        cls.task = cls.shared / "copy.cxt"
        status, printed = run(COX, "as", ROOT / "examples/out_of_tree/copy.jsonl", "-o", cls.task)
        if status != 0:
            raise AssertionError(printed)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.shared))

    def project(self, lines, source=PROGRAM):
        (self.folder / "CMakeLists.txt").write_text(lines)
        shutil.copy(self.task, self.folder)
        (self.folder / "main.c").write_text(source)

    def configure(self, *options, toolchain=None, build="build"):
        command = ["cmake", "-G", "Ninja", "-S", self.folder, "-B", self.folder / build, "-DCMAKE_BUILD_TYPE=Release", *options]
        if toolchain is not None:
            command.append(f"-DCMAKE_TOOLCHAIN_FILE={toolchain}")
        launcher = os.environ.get("COX_BUILD_COMPILER_LAUNCHER")
        if launcher:
            command += [f"-DCMAKE_C_COMPILER_LAUNCHER={launcher}", f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}"]
        return run(*command)

    def configured(self, *options, **where):
        status, printed = self.configure(*options, **where)
        self.assertEqual(status, 0, printed)
        return printed

    def built(self, *targets, build="build"):
        status, printed = run("ninja", "-C", self.folder / build, *targets)
        self.assertEqual(status, 0, printed)

    def runs(self, build="build", expected=EXPECTED):
        """Boots the image, or runs the host program."""
        image = self.folder / build / "consumer.elf"
        if not image.exists():
            image = self.folder / build / "consumer"
            status, printed = run(image)
        else:
            for suffix in (".hex", ".bin"):
                self.assertGreater(image.with_suffix(suffix).stat().st_size, 0)
            self.assertTrue(list(image.parent.glob("consumer*.map")))
            status, printed = machine.run(image)
        self.assertEqual((status, printed.replace("\r", "")), (0, expected))


def install(prefix, *builds):
    for build in builds:
        status, printed = run("cmake", "--install", build, "--prefix", prefix, "--component", "development")
        if status != 0:
            raise AssertionError(printed)


class WithPackage(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # A package can be moved.
        install(cls.shared / "staged", TARGET_BUILD, HOST_BUILD)
        cls.prefix = cls.shared / "opt/coxswain"
        cls.prefix.parent.mkdir()
        (cls.shared / "staged").rename(cls.prefix)
        cls.package = f"-DCMAKE_PREFIX_PATH={cls.prefix}"


class Page(Case):
    """The page's commands, word by word. Only the places of what `make` has built are replaced."""

    def test_ten_lines(self):
        """The page says how long the two files are."""
        self.assertEqual(len(LISTS.splitlines()), 5)
        body = re.search(r"^int main\(void\) \{\n(.*)^\}\n", PROGRAM, re.MULTILINE | re.DOTALL).group(1)
        self.assertEqual(body.count(";"), 10)
        self.assertNotRegex(body, r";[^\n]*;")

    def test_commands(self):
        commands = page.replaced(
            FILES + BUILDS,
            {
                "export COXSWAIN=$PWD": f"export COXSWAIN={ROOT}",
                "--install build/qemu-npu-soc": f"--install {TARGET_BUILD}",
                "--install build/host": f"--install {HOST_BUILD}",
                "$COXSWAIN/build/host/bin/cox as": f"{COX} as",
                "$COXSWAIN/build/qemu/bin/qemu-system-arm": os.environ.get("COX_QEMU") or ROOT / "build/qemu/bin/qemu-system-arm",
                "$COXSWAIN/build/host/lib/libcox_model.so": os.environ.get("COX_MODEL") or HOST_BUILD / "lib/libcox_model.so",
            },
        )
        status, printed = run("bash", "-euc", commands, folder=self.folder, environment=page.environment(self.folder))
        self.assertEqual(status, 0, printed)
        self.assertEqual(printed.replace("\r", "").count(EXPECTED), 3, printed)


class Installed(WithPackage):
    """Only the installed package, with libraries for the target and for the host side by side."""

    def test_the_consumers_toolchain_file(self):
        self.project(LINES.format(coxswain=INSTALLED))
        self.configured(self.package, BOARD, toolchain=THEIRS)
        self.built()
        self.runs()

    def test_our_toolchain_file(self):
        self.project(LINES.format(coxswain=INSTALLED))
        self.configured(self.package, BOARD, toolchain=self.prefix / "share/coxswain/toolchain/arm-none-eabi.cmake")
        self.built()
        self.runs()

    def test_natively(self):
        self.project(LINES.format(coxswain=INSTALLED))
        self.configured(self.package)
        self.built()
        self.runs()

    def test_c_without_a_board(self):
        """An image of another project: the library, its own start-up code and nothing else."""
        self.project(
            f"""cmake_minimum_required(VERSION 3.23)
project(consumer C CXX)
{INSTALLED.replace("runtime kernels_mx board", "kernels_mx")}
add_library(consumer STATIC main.c)
target_link_libraries(consumer PRIVATE coxswain::kernels_mx)
""",
            '#include "coxswain/kernels/mx/coxswain_mx.h"\ncox_status f(void) { return cox_mx_open(); }\n',
        )
        self.configured(self.package, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", toolchain=THEIRS)
        self.built()
        command = shlex.split(json.loads((self.folder / "build/compile_commands.json").read_text())[0]["command"])
        paths = [word for word in command if word.startswith("-I")] + [command[i + 1] for i, word in enumerate(command) if word == "-isystem"]
        self.assertEqual(paths, [str(self.prefix / "include")])
        self.assertEqual(os.listdir(self.prefix / "include"), ["coxswain"])
        self.assertNotIn("-Werror", command)

    def test_signed_images(self):
        """The component `signature`, whose program takes signed images only."""
        key = self.folder / "key.pem"
        for command in (["keygen", "-o", key], ["sign", self.task, "--key", key, "--version", "1", "-o", self.folder / "release.cxt"]):
            status, printed = run(COX, *command)
            self.assertEqual(status, 0, printed)
        public = "".join((self.folder / "key.pub.pem").read_text().splitlines()[1:-1])
        point = ",".join(str(byte) for byte in base64.b64decode(public)[-64:])
        lines = LINES.format(coxswain=INSTALLED.replace("runtime kernels_mx", "signature"))
        self.project(
            lines.replace("coxswain::runtime coxswain::kernels_mx", "coxswain::signature") + "cox_program(consumer release.cxt)\n",
            SIGNED_PROGRAM % point,
        )
        for build, options in (("native", {}), ("build", {"toolchain": THEIRS})):
            self.configured(self.package, *([BOARD] if options else []), build=build, **options)
            self.built(build=build)
            self.runs(build, expected="image_unsigned, then ok: copied by a tile core\n")

    def flags(self, places, *packages):
        environment = os.environ | {"PKG_CONFIG_LIBDIR": str(self.prefix / places)}
        status, printed = run("pkg-config", "--cflags", "--libs", *packages, environment=environment)
        self.assertEqual(status, 0, printed)
        return shlex.split(printed)

    def test_pkg_config_natively(self):
        self.project("")
        embedded = 'const unsigned char copy[] __attribute__((aligned(64))) = {%s};\nconst unsigned copy_bytes = sizeof(copy);\n'
        (self.folder / "copy.c").write_text(embedded % ",".join(str(byte) for byte in self.task.read_bytes()))
        (self.folder / "copy.h").write_text("extern const unsigned char copy[];\nextern const unsigned copy_bytes;\n")
        flags = self.flags("lib/pkgconfig", "coxswain-runtime >= 0.1", "coxswain-kernels_mx", "coxswain-board")
        status, printed = run("cc", "-o", "consumer", "main.c", "copy.c", *flags, folder=self.folder)
        self.assertEqual(status, 0, printed)
        status, printed = run(self.folder / "consumer")
        self.assertEqual((status, printed), (0, EXPECTED))

    def test_pkg_config_for_the_target(self):
        """Links a program for the target up to the board, whose functions are all that is missing."""
        flags = self.flags("lib/coxswain/armv8.1m-mve.fp-hard/pkgconfig", "coxswain-kernels_mx = 0.1.0")
        source = self.folder / "library.c"
        source.write_text('#include "coxswain/kernels/mx/coxswain_mx.h"\nint main(void) { return (int)cox_mx_open().error; }\n')
        compiler = ["arm-none-eabi-gcc", "-mcpu=cortex-m55", "-mthumb", "-mfloat-abi=hard", "--specs=nosys.specs"]
        status, printed = run(*compiler, source, *flags, "-o", self.folder / "program.elf")
        missing = set(re.findall(r"undefined reference to `([^']*)'", printed))
        self.assertTrue(missing)
        self.assertFalse([name for name in missing if not re.match(r"cox::board::|cox_os_|board_|cox_npu", name)], printed)


class Refused(WithPackage):
    """What cannot work is refused while it is configured or compiled, by a message that says what mends it."""

    def refuses(self, pattern, lines, *options, toolchain=THEIRS):
        self.project(lines)
        status, printed = self.configure(self.package, *options, toolchain=toolchain)
        self.assertNotEqual(status, 0)
        self.assertRegex(re.sub(r"\s+", " ", printed), pattern)

    def test_an_unknown_component(self):
        lines = LINES.format(coxswain=INSTALLED.replace("kernels_mx", "kernel_mx"))
        self.refuses('no component "kernel_mx"; did you mean "kernels_mx".*The components are kernels_mx, .*runtime, signature, host, model, board', lines, BOARD)

    def test_a_component_of_another_target(self):
        self.refuses('no component "host" for Armv8.1-M', LINES.format(coxswain=INSTALLED.replace("runtime", "host")), BOARD)

    def test_a_package_without_signed_images(self):
        """The package as a build without BearSSL makes it."""
        whole, self.prefix = self.prefix, self.folder / "prefix"
        shutil.copytree(whole, self.prefix)
        for targets in self.prefix.glob("lib/cmake/coxswain/coxswain-targets-*.cmake"):
            targets.write_text(targets.read_text().replace("coxswain::signature", "coxswain::other"))
        self.package = f"-DCMAKE_PREFIX_PATH={self.prefix}"
        self.refuses("built without BearSSL.*Run toolchain/fetch-bearssl", LINES.format(coxswain=INSTALLED.replace("runtime", "signature")), BOARD)

    def test_a_misspelt_target(self):
        lines = LINES.format(coxswain=INSTALLED)
        self.refuses('no component "kernals_mx"; did you mean "kernels_mx"', lines.replace("coxswain::kernels_mx", "coxswain::kernals_mx"), BOARD)
        lines += "add_library(other STATIC main.c)\ntarget_link_libraries(other PRIVATE coxswain::kernals_mx)\n"
        self.refuses("coxswain::kernals_mx.*not found", lines, BOARD)

    def test_a_component_that_was_not_asked_for(self):
        """All libraries of the package exist, so only the board can be missing."""
        self.refuses("there is no board. Add BOARD .*COX_BOARD_DIR.*qemu-npu-soc", LINES.format(coxswain=INSTALLED.replace(" board)", ")")))

    def test_no_board(self):
        self.refuses("there is no board. Set COX_BOARD_DIR .*qemu-npu-soc", LINES.format(coxswain=INSTALLED))

    def test_an_unknown_board(self):
        self.refuses('there is no board "qemu-npu-sock"; did you mean "qemu-npu-soc"', LINES.format(coxswain=INSTALLED), "-DCOX_BOARD=qemu-npu-sock")

    def test_another_compiler(self):
        lines = LINES.format(coxswain=INSTALLED)
        toolchain = self.folder / "m33.cmake"
        toolchain.write_text(THEIRS.read_text().replace("cortex-m55", "cortex-m33"))
        self.refuses("compiles for Armv8-M without MVE, hard float ABI .*has libraries for: Armv8.1-M with MVE .*-mcpu=cortex-m55", lines, BOARD, toolchain=toolchain)
        toolchain.write_text(THEIRS.read_text().replace("-mfloat-abi=hard", "-mfloat-abi=softfp"))
        shutil.rmtree(self.folder / "build")
        self.refuses("soft float ABI", lines, BOARD, toolchain=toolchain)

    def test_only_c(self):
        self.refuses("the language CXX is not enabled.*project.NAME C CXX ASM", LINES.format(coxswain=INSTALLED).replace("C CXX ASM", "C"), BOARD)

    def test_another_version(self):
        self.refuses("version", LINES.format(coxswain=INSTALLED.replace("0.1", "0.2")), BOARD)

    def test_headers_of_another_version(self):
        other = self.folder / "include"
        shutil.copytree(self.prefix / "include", other)
        version = other / "coxswain/base/version.h"
        version.write_text(version.read_text().replace("COX_VERSION_MINOR 1", "COX_VERSION_MINOR 2"))
        lines = INSTALLED.replace(" board", "")
        for language, header in (("C", "kernels/mx/coxswain_mx.h"), ("C", "firmware/coxswain.h"), ("CXX", "kernels/mx/engine.h"), ("CXX", "hal/accelerator.h")):
            with self.subTest(header):
                source = "main.c" if language == "C" else "main.cpp"
                self.project(
                    "cmake_minimum_required(VERSION 3.23)\nproject(consumer C CXX)\n"
                    f"{lines}\nadd_library(consumer STATIC {source})\n"
                    f'if(OTHER)\n  target_include_directories(consumer BEFORE PRIVATE "{other}")\nendif()\n'
                    "target_link_libraries(consumer PRIVATE coxswain::runtime coxswain::kernels_mx)\n"
                )
                (self.folder / source).write_text(f'#include "coxswain/{header}"\n')
                self.configured(self.package, "-DOTHER=OFF", toolchain=THEIRS)
                self.built()
                self.configured("-DOTHER=ON")
                status, printed = run("ninja", "-C", self.folder / "build")
                self.assertNotEqual(status, 0)
                self.assertRegex(printed, "error.*headers are of another version than its library")


class Subproject(Case):
    """What another project's build gets of this tree, without building it."""

    LINES = """cmake_minimum_required(VERSION 3.23)
project(consumer C CXX ASM)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_subdirectory("{root}" coxswain)
add_executable(consumer main.c)
target_link_libraries(consumer PRIVATE coxswain::kernels_mx)
get_target_property(folder consumer RUNTIME_OUTPUT_DIRECTORY)
message(STATUS "output: ${{folder}}")
function(list_targets folder)
  get_property(targets DIRECTORY ${{folder}} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${{target}} TYPE)
    message(STATUS "target: ${{target}} ${{type}}")
  endforeach()
  get_property(folders DIRECTORY ${{folder}} PROPERTY SUBDIRECTORIES)
  foreach(each IN LISTS folders)
    list_targets(${{each}})
  endforeach()
endfunction()
list_targets(${{CMAKE_CURRENT_SOURCE_DIR}})
"""

    def test_only_libraries(self):
        self.project(self.LINES.format(root=ROOT), "")
        printed = self.configured(toolchain=THEIRS)
        self.assertIn("output: folder-NOTFOUND", printed.replace("output: folder-NOTFOUND", "output: folder-NOTFOUND"))
        kinds = dict(re.findall(r"target: (\S+) (\S+)", printed))
        self.assertEqual([name for name, kind in kinds.items() if kind == "EXECUTABLE"], ["consumer"])
        self.assertFalse({"test", "Experimental", "cox_model", "cox_board"} & set(kinds))
        self.assertFalse((self.folder / "build/CTestTestfile.cmake").exists())
        cache = (self.folder / "build/CMakeCache.txt").read_text()
        names = re.findall(r"^(\w+):(?!STATIC|INTERNAL)", cache, re.MULTILINE)
        self.assertEqual([name for name in names if not name.startswith(("CMAKE_", "COX_"))], [])
        commands = json.loads((self.folder / "build/compile_commands.json").read_text())
        self.assertFalse([each["command"] for each in commands if "-Werror" in each["command"]])
        mine = next(each["command"] for each in commands if each["file"].endswith("consumer/main.c") or each["file"] == str(self.folder / "main.c"))
        for path in re.findall(r"-I(\S+)", mine):
            self.assertEqual(os.listdir(path), ["coxswain"])

    def test_installs_nothing(self):
        self.project(self.LINES.format(root=ROOT), "")
        self.configured(toolchain=THEIRS)
        status, printed = run("cmake", "--install", self.folder / "build", "--prefix", self.folder / "prefix")
        self.assertEqual(status, 0, printed)
        self.assertFalse((self.folder / "prefix").exists())

    def test_vector_kernels_with_every_toolchain_file(self):
        """The sources are the same, whatever the toolchain file calls the processor."""
        self.project(self.LINES.format(root=ROOT), "")
        sources = []
        for toolchain in (OURS, THEIRS):
            self.configured(toolchain=toolchain, build=toolchain.stem)
            commands = json.loads((self.folder / toolchain.stem / "compile_commands.json").read_text())
            sources.append({each["file"] for each in commands})
        self.assertEqual(*sources)
        self.assertTrue([name for name in sources[0] if name.endswith("_mve.cpp")])

    def test_unknown_component(self):
        self.project(self.LINES.format(root=ROOT), "")
        status, printed = self.configure("-DCOX_COMPONENTS=runtimes", toolchain=THEIRS)
        self.assertNotEqual(status, 0)
        self.assertRegex(re.sub(r"\s+", " ", printed), 'no component "runtimes"; did you mean "runtime"')

    def test_component_without_a_board(self):
        self.project(self.LINES.format(root=ROOT), "")
        status, printed = self.configure("-DCOX_COMPONENTS=board", toolchain=THEIRS)
        self.assertNotEqual(status, 0)
        self.assertRegex(re.sub(r"\s+", " ", printed), 'component "board" cannot be built: there is no board: set COX_BOARD_DIR')

    def test_signed_images_without_their_library(self):
        self.project(self.LINES.format(root=ROOT), "")
        status, printed = self.configure("-DCOX_COMPONENTS=signature", "-DCOX_BEARSSL_DIR=/nowhere", toolchain=THEIRS)
        self.assertNotEqual(status, 0)
        self.assertRegex(re.sub(r"\s+", " ", printed), 'component "signature" cannot be built: there are no sources of BearSSL in /nowhere: run toolchain/fetch-bearssl')


class CmsisPack(Case):
    """The pack of the target's libraries and of all boards."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prefix = cls.shared / "prefix"
        install(cls.prefix, TARGET_BUILD)

    def make(self, out, **environment):
        return run("/usr/bin/python3", self.script, "--package", self.prefix, "-o", self.folder / out, environment=os.environ | environment)

    def setUp(self):
        super().setUp()
        self.script = ROOT / "packaging/cmsis-pack/make_pack"

    def made(self, out, **environment):
        status, printed = self.make(out, **environment)
        self.assertEqual(status, 0, printed)
        return pathlib.Path(printed.splitlines()[-1])

    def test_contents(self):
        with zipfile.ZipFile(self.made("one")) as pack:
            names = set(pack.namelist())
            description = xml.fromstring(pack.read("Coxswain.coxswain.pdsc"))
        version = description.find("releases/release").get("version")
        for component in description.findall("components/component"):
            self.assertEqual(component.get("Cversion"), version)
            for file in component.findall("files/file"):
                name = file.get("name")
                self.assertTrue(name in names if file.get("category") != "include" else any(each.startswith(name) for each in names), name)
        subs = {component.get("Csub") for component in description.findall("components/component")}
        self.assertLess({"Base", "Startup", "runtime"}, subs)
        self.assertEqual({name.removeprefix("kernels_") for name in subs if name.startswith("kernels_")}, {path.parent.name for path in ROOT.glob("kernels/*/coxswain_*.h")} - {"engine"})
        boards = {path.parent.name: json.loads(path.read_text()) for path in ROOT.glob("boards/*/board.json")}
        self.assertEqual({board.get("name") for board in description.findall("boards/board")}, set(boards))
        for device in description.findall("devices/family/device"):
            board = next(board for name, board in boards.items() if board.get("machine", name) == device.get("Dname"))
            code = next(memory for memory in device.findall("memory") if memory.get("name") == "CODE")
            self.assertEqual(int(code.get("start"), 16), int(str(board["memory"]["code"]["base"]), 0))
            self.assertIn(device.find("debug").get("svd"), names)

    def test_the_same_bytes(self):
        one, other = self.made("one", SOURCE_DATE_EPOCH="86400"), self.made("other", SOURCE_DATE_EPOCH="86400")
        self.assertEqual(one.read_bytes(), other.read_bytes())

    def test_refused(self):
        copy = self.folder / "tree"
        for folder in ("packaging", "boards", "linker", "base", "device", "hal/cmsis"):
            shutil.copytree(ROOT / folder, copy / folder)
        shutil.copy(ROOT / "LICENSE", copy)
        self.script = copy / "packaging/cmsis-pack/make_pack"
        template = self.script.parent / "coxswain.pdsc.jinja"
        text = template.read_text()
        for old, new, pattern in (
            ("SVD/npu.svd", "SVD/other.svd", "names SVD/other.svd, and the pack has no such file"),
            ("<license>LICENSE", "<license>COPYING", "names the licence COPYING"),
            ('Dmpu="MPU"', 'Dmpu="yes"', "has not the form of pack.xsd.*Dmpu"),
            ('<require condition="core"/>', '<require condition="kore"/>', "has not the form of pack.xsd.*kore"),
        ):
            template.write_text(text.replace(old, new))
            status, printed = self.make("none", SOURCE_DATE_EPOCH="0")
            self.assertNotEqual(status, 0)
            self.assertRegex(printed.replace("\n", " "), pattern)
        template.write_text(text)
        self.prefix = self.folder
        status, printed = self.make("none", SOURCE_DATE_EPOCH="0")
        self.assertNotEqual(status, 0)
        self.assertRegex(printed, "there are no libraries for armv8.1m-mve.fp-hard; install the build for the target")


class FromSources(Case):
    """The libraries are compiled in the consumer's build. This takes minutes."""

    # Sources are compiled in batches, which halves the time of the build (docs/testing.md, Build time).
    BATCHES = ("-DCOX_JUMBO=ON", "-DCOX_JUMBO_LAYERS=isa;hal;firmware;sim/model")

    def check(self, coxswain, *options, toolchain=None):
        self.project(LINES.format(coxswain=coxswain))
        self.configured("-DCOX_COMPONENTS=runtime;kernels_mx;board", *self.BATCHES, *options, toolchain=toolchain)
        self.built("consumer")
        self.runs()

    def test_subdirectory_with_our_toolchain_file(self):
        self.check(SUBDIRECTORY, BOARD, toolchain=OURS)

    def test_subdirectory_with_their_toolchain_file(self):
        self.check(SUBDIRECTORY, BOARD, toolchain=THEIRS)

    def test_subdirectory_natively(self):
        self.check(SUBDIRECTORY)

    def fetched(self):
        status, revision = run("git", "rev-parse", "HEAD", folder=ROOT)
        if status != 0:
            self.skipTest("this tree is not a clone")
        return FETCHED % revision.strip()

    def test_fetch_content_with_their_toolchain_file(self):
        self.check(self.fetched(), BOARD, toolchain=THEIRS)

    def test_fetch_content_natively(self):
        self.check(self.fetched())

    def test_the_same_symbols_with_every_toolchain_file(self):
        self.project(LINES.format(coxswain=SUBDIRECTORY))
        symbols = []
        for toolchain in (OURS, THEIRS):
            self.configured(BOARD, *self.BATCHES, toolchain=toolchain, build=toolchain.stem)
            self.built("cox_kernels_mx", "cox_kernels_cube", "cox_kernels_pim", build=toolchain.stem)
            libraries = sorted((self.folder / toolchain.stem).rglob("libcox_kernels_*.a"))
            self.assertEqual(len(libraries), 5)
            status, printed = run("arm-none-eabi-nm", "--defined-only", "--extern-only", *libraries)
            self.assertEqual(status, 0, printed)
            # A weak function is in the library only if the compiler did not inline it everywhere, which depends on the options of each file.
            symbols.append(re.findall(r"^[0-9a-f]+ [ABDRT] (\S+)$", printed, re.MULTILINE))
            self.assertIn("cox_mx_conv_act", symbols[-1])
        self.assertEqual(*symbols)


def main():
    missing = [str(path) for path in (COX, TARGET_BUILD / "lib/libcox_firmware.a", HOST_BUILD / "lib/libcox_firmware.a") if not path.exists()]
    missing += [tool for tool in ("arm-none-eabi-gcc", "ninja", "pkg-config") if shutil.which(tool) is None]
    try:
        machine.built("COX_QEMU", "build/qemu/bin/qemu-system-arm", "make qemu")
    except machine.Missing as error:
        missing.append(str(error))
    if missing:
        print(f"skipped: no {', '.join(missing)}")
        sys.exit(SKIPPED)
    unittest.main()


if __name__ == "__main__":
    main()
