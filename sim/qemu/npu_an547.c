/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine mps3-an547-npu: QEMU's mps3-an547 with the accelerator attached to its expansion buses (docs/mps3-an547.md). The state of
 * mps3-an547 is private to its source, so this file includes that source and is compiled in its place.
 */
#include "../mps2-tz.c"

#include "hw/arm/npu/npu_an547_board.h"
#include "hw/arm/npu/npu_board.h"
#include "hw/arm/npu/npu_bridge.h"

#define TYPE_NPU_AN547_MACHINE MACHINE_TYPE_NAME("mps3-an547-npu")
OBJECT_DECLARE_SIMPLE_TYPE(NPUAN547State, NPU_AN547_MACHINE)

/* The accelerator is behind the peripheral protection controller of AHB expansion 1, which mps3-an547 does not use. */
#define NPU_AN547_PPC "ahb_ppcexp1"

struct NPUAN547State {
    MPS2TZMachineState parent_obj;

    char *model;
    char *model_options;

    NPUBridgeState bridge;
    TZPPC gate;
    SplitIRQ gate_splitter; /* the PPC and the bridge's DMA learn the accelerator's security state */
};

static void (*npu_an547_parent_init)(MachineState *machine);
static NPUBoard npu_an547; /* board.json, read when the class is made */

/* Connects control lines of the security controller to the PPC, as QEMU's mps3-an547 does it for its own. */
static void npu_an547_connect_gate(NPUAN547State *s)
{
    DeviceState *sse = DEVICE(&MPS2TZ_MACHINE(s)->iotkit);
    DeviceState *gate = DEVICE(&s->gate);
    DeviceState *splitter = DEVICE(&s->gate_splitter);

    qdev_prop_set_uint16(splitter, "num-lines", 2);
    qdev_realize(splitter, NULL, &error_fatal);
    qdev_connect_gpio_out(splitter, 0, qdev_get_gpio_in_named(gate, "cfg_nonsec", 0));
    qdev_connect_gpio_out(splitter, 1, qdev_get_gpio_in_named(DEVICE(&s->bridge), "nonsecure", 0));
    qdev_connect_gpio_out_named(sse, NPU_AN547_PPC "_nonsec", 0, qdev_get_gpio_in(splitter, 0));
    qdev_connect_gpio_out_named(sse, NPU_AN547_PPC "_nonsec", 1, qdev_get_gpio_in_named(gate, "cfg_nonsec", 1));
    qdev_connect_gpio_out_named(sse, NPU_AN547_PPC "_ap", 0, qdev_get_gpio_in_named(gate, "cfg_ap", 0));
    qdev_connect_gpio_out_named(sse, NPU_AN547_PPC "_ap", 1, qdev_get_gpio_in_named(gate, "cfg_ap", 1));
    qdev_connect_gpio_out_named(sse, NPU_AN547_PPC "_irq_enable", 0, qdev_get_gpio_in_named(gate, "irq_enable", 0));
    qdev_connect_gpio_out_named(sse, NPU_AN547_PPC "_irq_clear", 0, qdev_get_gpio_in_named(gate, "irq_clear", 0));
    qdev_connect_gpio_out_named(gate, "irq", 0, qdev_get_gpio_in_named(sse, NPU_AN547_PPC "_irq_status", 0));
}

static void npu_an547_attach(NPUAN547State *s)
{
    MPS2TZMachineState *board = MPS2TZ_MACHINE(s);
    SysBusDevice *bridge = SYS_BUS_DEVICE(&s->bridge);
    SysBusDevice *gate = SYS_BUS_DEVICE(&s->gate);
    uint32_t core;

    if (s->model) {
        qdev_prop_set_string(DEVICE(bridge), "model", s->model);
    }
    qdev_prop_set_string(DEVICE(bridge), "model-options", s->model_options ? s->model_options : npu_an547.model_options);
    /* The subsystem's own memories are not in the system memory. */
    object_property_set_link(OBJECT(bridge), "memory", OBJECT(sysbus_mmio_get_region(SYS_BUS_DEVICE(&board->iotkit), 0)), &error_fatal);
    qdev_prop_set_uint64(DEVICE(bridge), "registers-size", npu_an547.npu.size);
    qdev_prop_set_uint64(DEVICE(bridge), "dma-size", npu_an547.dma.size);
    qdev_prop_set_uint64(DEVICE(bridge), "l2-stride", npu_an547.l2_stride);
    qdev_prop_set_uint32(DEVICE(bridge), "l2-cores", npu_an547.l2_cores);
    sysbus_realize(bridge, &error_fatal);

    object_property_set_link(OBJECT(gate), "port[0]", OBJECT(sysbus_mmio_get_region(bridge, 0)), &error_fatal);
    object_property_set_link(OBJECT(gate), "port[1]", OBJECT(sysbus_mmio_get_region(bridge, 1)), &error_fatal);
    sysbus_realize(gate, &error_fatal);
    sysbus_mmio_map(gate, 0, npu_an547.npu.base);
    sysbus_mmio_map(gate, 1, npu_an547.dma.base);
    npu_an547_connect_gate(s);

    for (core = 0; core < s->bridge.cores; core++) {
        sysbus_mmio_map(bridge, NPU_BRIDGE_BLOCKS + core, npu_an547.l2.base + core * npu_an547.l2_stride);
    }
    sysbus_connect_irq(bridge, 0, get_sse_irq_in(board, npu_an547.npu.irq));
    sysbus_connect_irq(bridge, 1, get_sse_irq_in(board, npu_an547.npu_fault_irq));
    sysbus_connect_irq(bridge, 2, get_sse_irq_in(board, npu_an547.dma.irq));
}

static void npu_an547_init(MachineState *machine)
{
    NPUAN547State *s = NPU_AN547_MACHINE(machine);

    object_initialize_child(OBJECT(s), "bridge", &s->bridge, TYPE_NPU_BRIDGE);
    object_initialize_child(OBJECT(s), NPU_AN547_PPC, &s->gate, TYPE_TZ_PPC);
    object_initialize_child(OBJECT(s), NPU_AN547_PPC "-splitter", &s->gate_splitter, TYPE_SPLIT_IRQ);
    npu_an547_parent_init(machine);
    npu_an547_attach(s);
}

static char *npu_an547_get_model(Object *obj, Error **errp)
{
    return g_strdup(NPU_AN547_MACHINE(obj)->model);
}

static void npu_an547_set_model(Object *obj, const char *value, Error **errp)
{
    NPUAN547State *s = NPU_AN547_MACHINE(obj);

    g_free(s->model);
    s->model = g_strdup(value);
}

static char *npu_an547_get_model_options(Object *obj, Error **errp)
{
    return g_strdup(NPU_AN547_MACHINE(obj)->model_options);
}

static void npu_an547_set_model_options(Object *obj, const char *value, Error **errp)
{
    NPUAN547State *s = NPU_AN547_MACHINE(obj);

    g_free(s->model_options);
    s->model_options = g_strdup(value);
}

static void npu_an547_class_init(ObjectClass *klass, void *data)
{
    MachineClass *mc = MACHINE_CLASS(klass);

    npu_board_read(&npu_an547, npu_an547_board, "mps3-an547", &error_abort);
    mc->desc = npu_an547.description;
    npu_an547_parent_init = mc->init;
    mc->init = npu_an547_init;
    /* The firmware uses the first 256 MiB of the board's 2 GiB. */
    mc->default_ram_size = npu_an547.dram_default;

    object_class_property_add_str(klass, "model", npu_an547_get_model, npu_an547_set_model);
    object_class_property_set_description(klass, "model", "Path of the accelerator model, libcox_model.so");
    object_class_property_add_str(klass, "model-options", npu_an547_get_model_options, npu_an547_set_model_options);
    object_class_property_set_description(klass, "model-options", "Options of the model: a JSON object, or @FILE that holds one");
}

static const TypeInfo npu_an547_info = {
    .name = TYPE_NPU_AN547_MACHINE,
    .parent = TYPE_MPS3TZ_AN547_MACHINE,
    .instance_size = sizeof(NPUAN547State),
    .class_init = npu_an547_class_init,
};

static void npu_an547_register_types(void)
{
    type_register_static(&npu_an547_info);
}

type_init(npu_an547_register_types)
