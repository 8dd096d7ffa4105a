/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine npu-soc: a Cortex-M55 as control core, SRAM, DRAM, a UART and the accelerator (docs/qemu.md).
 */
#include "qemu/osdep.h"

#include "exec/address-spaces.h"
#include "hw/arm/armv7m.h"
#include "hw/arm/boot.h"
#include "hw/arm/npu/board.h"
#include "hw/arm/npu/npu_bridge.h"
#include "hw/arm/npu/npu_probe.h"
#include "hw/boards.h"
#include "qapi/error.h"
#include "hw/char/cmsdk-apb-uart.h" /* wants error_fatal, which it does not include */
#include "hw/qdev-clock.h"
#include "hw/qdev-properties.h"
#include "qemu/cutils.h"
#include "qemu/error-report.h"
#include "qemu/units.h"
#include "sysemu/sysemu.h"

#define TYPE_NPU_SOC_MACHINE MACHINE_TYPE_NAME("npu-soc")
OBJECT_DECLARE_SIMPLE_TYPE(NPUSoCState, NPU_SOC_MACHINE)

struct NPUSoCState {
    MachineState parent_obj;

    char *model;
    char *model_options;

    Clock *core_clock;
    Clock *reference_clock;
    ARMv7MState core;
    NPUBridgeState bridge;
    NPUProbeState probe;
    MemoryRegion code;
    MemoryRegion sram;
};

/* The guest cannot learn of DRAM that does not fit its map, so a wrong size is an error and not rounded. */
static void npu_soc_check(MachineState *machine)
{
    MachineClass *mc = MACHINE_GET_CLASS(machine);

    if (strcmp(machine->cpu_type, mc->default_cpu_type) != 0) {
        error_report("npu-soc: the control core is a cortex-m55, no other");
        exit(EXIT_FAILURE);
    }
    if (machine->ram_size < BOARD_DRAM_SIZE_MIN || machine->ram_size > BOARD_DRAM_SIZE_MAX || machine->ram_size % MiB != 0) {
        g_autofree char *size = size_to_str(machine->ram_size);
        g_autofree char *smallest = size_to_str(BOARD_DRAM_SIZE_MIN);
        g_autofree char *largest = size_to_str(BOARD_DRAM_SIZE_MAX);

        error_report("npu-soc: DRAM (-m) of %s: it must be whole MiB, from %s to %s", size, smallest, largest);
        exit(EXIT_FAILURE);
    }
}

static void npu_soc_init_core(NPUSoCState *s)
{
    DeviceState *core = DEVICE(&s->core);

    s->core_clock = clock_new(OBJECT(s), "core-clock");
    clock_set_hz(s->core_clock, BOARD_CORE_CLOCK);
    s->reference_clock = clock_new(OBJECT(s), "reference-clock");
    clock_set_hz(s->reference_clock, BOARD_REFERENCE_CLOCK);

    qdev_prop_set_string(core, "cpu-type", MACHINE(s)->cpu_type);
    qdev_prop_set_uint32(core, "num-irq", BOARD_INTERRUPTS);
    qdev_prop_set_uint32(core, "init-svtor", BOARD_CODE_BASE);
    qdev_connect_clock_in(core, "cpuclk", s->core_clock);
    qdev_connect_clock_in(core, "refclk", s->reference_clock);
    object_property_set_link(OBJECT(core), "memory", OBJECT(get_system_memory()), &error_abort);
    sysbus_realize(SYS_BUS_DEVICE(core), &error_fatal);
}

static void npu_soc_init_memory(NPUSoCState *s)
{
    MemoryRegion *system = get_system_memory();

    memory_region_init_rom(&s->code, OBJECT(s), "npu-soc.code", BOARD_CODE_SIZE, &error_fatal);
    memory_region_add_subregion(system, BOARD_CODE_BASE, &s->code);
    memory_region_init_ram(&s->sram, OBJECT(s), "npu-soc.sram", BOARD_SRAM_SIZE, &error_fatal);
    memory_region_add_subregion(system, BOARD_SRAM_BASE, &s->sram);
    memory_region_add_subregion(system, BOARD_DRAM_BASE, MACHINE(s)->ram);
}

static qemu_irq npu_soc_irq(NPUSoCState *s, int number)
{
    return qdev_get_gpio_in(DEVICE(&s->core), number);
}

static void npu_soc_init_accelerator(NPUSoCState *s)
{
    SysBusDevice *bridge = SYS_BUS_DEVICE(&s->bridge);
    uint32_t core;

    if (s->model) {
        qdev_prop_set_string(DEVICE(bridge), "model", s->model);
    }
    if (s->model_options) {
        qdev_prop_set_string(DEVICE(bridge), "model-options", s->model_options);
    }
    sysbus_realize(bridge, &error_fatal);
    sysbus_mmio_map(bridge, 0, BOARD_NPU_BASE);
    for (core = 0; core < s->bridge.tile_cores; core++) {
        sysbus_mmio_map(bridge, 1 + core, BOARD_L2_BASE + core * BOARD_L2_STRIDE);
    }
    sysbus_connect_irq(bridge, 0, npu_soc_irq(s, BOARD_NPU_COMPLETION_IRQ));
    sysbus_connect_irq(bridge, 1, npu_soc_irq(s, BOARD_NPU_FAULT_IRQ));
}

static void npu_soc_init(MachineState *machine)
{
    NPUSoCState *s = NPU_SOC_MACHINE(machine);

    npu_soc_check(machine);
    object_initialize_child(OBJECT(s), "core", &s->core, TYPE_ARMV7M);
    object_initialize_child(OBJECT(s), "probe", &s->probe, TYPE_NPU_PROBE);
    object_initialize_child(OBJECT(s), "bridge", &s->bridge, TYPE_NPU_BRIDGE);

    npu_soc_init_memory(s);
    npu_soc_init_core(s);

    cmsdk_apb_uart_create(BOARD_UART_BASE, NULL, NULL, NULL, NULL, npu_soc_irq(s, BOARD_UART_IRQ), serial_hd(0), BOARD_CORE_CLOCK);

    qdev_prop_set_uint32(DEVICE(&s->probe), "dram-size", machine->ram_size);
    sysbus_realize(SYS_BUS_DEVICE(&s->probe), &error_fatal);
    sysbus_mmio_map(SYS_BUS_DEVICE(&s->probe), 0, BOARD_PROBE_BASE);

    npu_soc_init_accelerator(s);
    armv7m_load_kernel(s->core.cpu, machine->kernel_filename, BOARD_CODE_BASE, BOARD_CODE_SIZE);
}

static char *npu_soc_get_model(Object *obj, Error **errp)
{
    return g_strdup(NPU_SOC_MACHINE(obj)->model);
}

static void npu_soc_set_model(Object *obj, const char *value, Error **errp)
{
    NPUSoCState *s = NPU_SOC_MACHINE(obj);

    g_free(s->model);
    s->model = g_strdup(value);
}

static char *npu_soc_get_model_options(Object *obj, Error **errp)
{
    return g_strdup(NPU_SOC_MACHINE(obj)->model_options);
}

static void npu_soc_set_model_options(Object *obj, const char *value, Error **errp)
{
    NPUSoCState *s = NPU_SOC_MACHINE(obj);

    g_free(s->model_options);
    s->model_options = g_strdup(value);
}

static void npu_soc_class_init(ObjectClass *klass, void *data)
{
    MachineClass *mc = MACHINE_CLASS(klass);

    mc->desc = "NPU SoC: Cortex-M55 control core and the accelerator of libcox_model.so";
    mc->init = npu_soc_init;
    mc->max_cpus = 1;
    mc->default_cpu_type = ARM_CPU_TYPE_NAME("cortex-m55");
    mc->default_ram_size = BOARD_DRAM_SIZE_DEFAULT;
    mc->default_ram_id = "npu-soc.dram";

    object_class_property_add_str(klass, "model", npu_soc_get_model, npu_soc_set_model);
    object_class_property_set_description(klass, "model", "Path of the accelerator model, libcox_model.so");
    object_class_property_add_str(klass, "model-options", npu_soc_get_model_options, npu_soc_set_model_options);
    object_class_property_set_description(klass, "model-options", "Options of the model: a JSON object, or @FILE that holds one");
}

static const TypeInfo npu_soc_info = {
    .name = TYPE_NPU_SOC_MACHINE,
    .parent = TYPE_MACHINE,
    .instance_size = sizeof(NPUSoCState),
    .class_init = npu_soc_class_init,
};

static void npu_soc_register_types(void)
{
    type_register_static(&npu_soc_info);
}

type_init(npu_soc_register_types)
