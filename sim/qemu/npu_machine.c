/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machines with an NPU: a Cortex-M55 as control core, SRAM, DRAM, a UART, a watchdog, a DMA engine and the accelerator (docs/qemu.md).
 * There is a machine for each board of boards/qemu-*, whose board.json toolchain/build-qemu puts into npu_boards.h. The machine npu-board
 * reads the board.json of any board when it starts.
 */
#include "qemu/osdep.h"

#include "chardev/char.h"
#include "exec/address-spaces.h"
#include "hw/arm/armv7m.h"
#include "hw/arm/boot.h"
#include "hw/arm/npu/npu_board.h"
#include "hw/arm/npu/npu_boards.h"
#include "hw/arm/npu/npu_bridge.h"
#include "hw/arm/npu/npu_mailbox.h"
#include "hw/arm/npu/npu_probe.h"
#include "hw/boards.h"
#include "qapi/error.h"
#include "hw/char/cmsdk-apb-uart.h" /* uses error_fatal without including its header */
#include "hw/qdev-clock.h"
#include "hw/qdev-properties.h"
#include "hw/watchdog/cmsdk-apb-watchdog.h"
#include "qemu/cutils.h"
#include "qemu/error-report.h"
#include "qemu/units.h"
#include "sysemu/sysemu.h"

#define TYPE_NPU_SOC_MACHINE "npu-soc-machine-base"
OBJECT_DECLARE_TYPE(NPUSoCState, NPUSoCClass, NPU_SOC_MACHINE)

#define ANY_BOARD "npu-board" /* the machine whose board is a file */

struct NPUSoCClass {
    MachineClass parent_class;

    NPUBoard board; /* of npu-board: set by the property board-map */
};

struct NPUSoCState {
    MachineState parent_obj;

    char *model;
    char *model_options;
    char *mailbox;
    char *mailbox_log;

    Clock *core_clock;
    Clock *reference_clock;
    ARMv7MState core;
    NPUBridgeState bridge;
    NPUProbeState probe;
    NPUMailboxState mailbox_device;
    CMSDKAPBWatchdog watchdog;
    MemoryRegion code;
    MemoryRegion sram;
    MemoryRegion bus; /* as the accelerator sees it, if that differs */
    MemoryRegion bus_memories[3], bus_l2;
    char *board_map;
};

static const NPUBoard *npu_soc_board(NPUSoCState *s)
{
    return &NPU_SOC_MACHINE_GET_CLASS(s)->board;
}

static const char *npu_soc_name(NPUSoCState *s)
{
    return MACHINE_GET_CLASS(s)->name;
}

/* The guest's memory map is fixed and allows only some sizes of DRAM. Any other size is an error; it is not rounded. */
static void npu_soc_check(NPUSoCState *s)
{
    MachineState *machine = MACHINE(s);
    MachineClass *mc = MACHINE_GET_CLASS(machine);
    const NPUBoard *board = npu_soc_board(s);

    if (board->interrupts == 0) {
        error_report("%s: which board? Give its board.json: -machine %s,board-map=FILE", mc->name, mc->name);
        exit(EXIT_FAILURE);
    }
    if (strcmp(machine->cpu_type, mc->default_cpu_type) != 0) {
        error_report("%s: the control core is a cortex-m55, no other", mc->name);
        exit(EXIT_FAILURE);
    }
    if (machine->ram_size < board->dram_min || machine->ram_size > board->dram.size || machine->ram_size % MiB != 0) {
        g_autofree char *size = size_to_str(machine->ram_size);
        g_autofree char *smallest = size_to_str(board->dram_min);
        g_autofree char *largest = size_to_str(board->dram.size);

        error_report("%s: DRAM (-m) of %s: it must be whole MiB, from %s to %s", mc->name, size, smallest, largest);
        exit(EXIT_FAILURE);
    }
}

static void npu_soc_init_core(NPUSoCState *s)
{
    const NPUBoard *board = npu_soc_board(s);
    DeviceState *core;

    object_initialize_child(OBJECT(s), "core", &s->core, TYPE_ARMV7M);
    core = DEVICE(&s->core);
    s->core_clock = clock_new(OBJECT(s), "core-clock");
    clock_set_hz(s->core_clock, board->core_clock);
    s->reference_clock = clock_new(OBJECT(s), "reference-clock");
    clock_set_hz(s->reference_clock, board->reference_clock);

    qdev_prop_set_string(core, "cpu-type", MACHINE(s)->cpu_type);
    qdev_prop_set_uint32(core, "num-irq", board->interrupts);
    qdev_prop_set_uint32(core, "init-svtor", board->code.base);
    qdev_connect_clock_in(core, "cpuclk", s->core_clock);
    qdev_connect_clock_in(core, "refclk", s->reference_clock);
    object_property_set_link(OBJECT(core), "memory", OBJECT(get_system_memory()), &error_abort);
    sysbus_realize(SYS_BUS_DEVICE(core), &error_fatal);
}

static void npu_soc_init_memory(NPUSoCState *s)
{
    const NPUBoard *board = npu_soc_board(s);
    MemoryRegion *system = get_system_memory();
    g_autofree char *code = g_strconcat(npu_soc_name(s), ".code", NULL);
    g_autofree char *sram = g_strconcat(npu_soc_name(s), ".sram", NULL);

    memory_region_init_rom(&s->code, OBJECT(s), code, board->code.size, &error_fatal);
    memory_region_add_subregion(system, board->code.base, &s->code);
    memory_region_init_ram(&s->sram, OBJECT(s), sram, board->sram.size, &error_fatal);
    memory_region_add_subregion(system, board->sram.base, &s->sram);
    memory_region_add_subregion(system, board->dram.base, MACHINE(s)->ram);
}

/* Maps the memories where the accelerator sees them, and gives that map to the bridge. */
static void npu_soc_init_bus(NPUSoCState *s)
{
    const NPUBoard *board = npu_soc_board(s);
    const struct {
        MemoryRegion *memory;
        uint64_t bus;
    } all[] = {{&s->code, board->code.bus}, {&s->sram, board->sram.bus}, {MACHINE(s)->ram, board->dram.bus}};
    size_t i;

    if (npu_board_is_identity(board)) {
        return;
    }
    memory_region_init(&s->bus, OBJECT(s), "npu.bus", UINT64_MAX);
    for (i = 0; i < ARRAY_SIZE(all); i++) {
        memory_region_init_alias(&s->bus_memories[i], OBJECT(s), "npu.bus-memory[*]", all[i].memory, 0, memory_region_size(all[i].memory));
        memory_region_add_subregion(&s->bus, all[i].bus, &s->bus_memories[i]);
    }
    /* L2 has the core's addresses, except where the accelerator sees another memory. */
    memory_region_init_alias(&s->bus_l2, OBJECT(s), "npu.bus-l2", get_system_memory(), board->l2.base, board->l2.size);
    memory_region_add_subregion_overlap(&s->bus, board->l2.base, &s->bus_l2, -1);
    object_property_set_link(OBJECT(&s->bridge), "memory", OBJECT(&s->bus), &error_fatal);
}

static qemu_irq npu_soc_irq(NPUSoCState *s, int number)
{
    return qdev_get_gpio_in(DEVICE(&s->core), number);
}

static void npu_soc_init_accelerator(NPUSoCState *s)
{
    const NPUBoard *board = npu_soc_board(s);
    SysBusDevice *bridge;
    uint32_t core;

    object_initialize_child(OBJECT(s), "bridge", &s->bridge, TYPE_NPU_BRIDGE);
    bridge = SYS_BUS_DEVICE(&s->bridge);
    if (s->model) {
        qdev_prop_set_string(DEVICE(bridge), "model", s->model);
    }
    qdev_prop_set_string(DEVICE(bridge), "model-options", s->model_options ? s->model_options : board->model_options);
    qdev_prop_set_uint64(DEVICE(bridge), "registers-size", board->npu.size);
    if (board->dma.size) {
        qdev_prop_set_uint64(DEVICE(bridge), "dma-size", board->dma.size);
    }
    qdev_prop_set_uint64(DEVICE(bridge), "l2-stride", board->l2_stride);
    qdev_prop_set_uint32(DEVICE(bridge), "l2-cores", board->l2_cores);
    npu_soc_init_bus(s);
    sysbus_realize(bridge, &error_fatal);
    sysbus_mmio_map(bridge, 0, board->npu.base);
    for (core = 0; core < s->bridge.cores; core++) {
        sysbus_mmio_map(bridge, NPU_BRIDGE_BLOCKS + core, board->l2.base + core * board->l2_stride);
    }
    sysbus_connect_irq(bridge, 0, npu_soc_irq(s, board->npu.irq));
    sysbus_connect_irq(bridge, 1, npu_soc_irq(s, board->npu_fault_irq));
    if (board->dma.size) {
        sysbus_mmio_map(bridge, 1, board->dma.base);
        sysbus_connect_irq(bridge, 2, npu_soc_irq(s, board->dma.irq));
    }
}

static void npu_soc_init_probe(NPUSoCState *s)
{
    SysBusDevice *probe;

    if (npu_soc_board(s)->probe.size == 0) {
        return;
    }
    object_initialize_child(OBJECT(s), "probe", &s->probe, TYPE_NPU_PROBE);
    probe = SYS_BUS_DEVICE(&s->probe);
    qdev_prop_set_uint32(DEVICE(probe), "dram-size", MACHINE(s)->ram_size);
    qdev_prop_set_bit(DEVICE(probe), "host", s->mailbox != NULL);
    sysbus_realize(probe, &error_fatal);
    sysbus_mmio_map(probe, 0, npu_soc_board(s)->probe.base);
}

/*
 * If firmware does not feed the watchdog for one period, the watchdog raises its interrupt, which is not connected. After a second
 * period, it resets the machine.
 */
static void npu_soc_init_watchdog(NPUSoCState *s)
{
    SysBusDevice *watchdog;

    if (npu_soc_board(s)->watchdog.size == 0) {
        return;
    }
    object_initialize_child(OBJECT(s), "watchdog", &s->watchdog, TYPE_CMSDK_APB_WATCHDOG);
    watchdog = SYS_BUS_DEVICE(&s->watchdog);
    qdev_connect_clock_in(DEVICE(watchdog), "WDOGCLK", s->reference_clock);
    sysbus_realize(watchdog, &error_fatal);
    sysbus_mmio_map(watchdog, 0, npu_soc_board(s)->watchdog.base);
}

static void npu_soc_init_mailbox(NPUSoCState *s)
{
    const NPUBoard *board = npu_soc_board(s);
    SysBusDevice *mailbox;

    if (board->mailbox.size == 0) {
        if (s->mailbox) {
            error_report("%s: this board has no mailbox: leave out mailbox=%s", npu_soc_name(s), s->mailbox);
            exit(EXIT_FAILURE);
        }
        return;
    }
    object_initialize_child(OBJECT(s), "mailbox-device", &s->mailbox_device, TYPE_NPU_MAILBOX);
    mailbox = SYS_BUS_DEVICE(&s->mailbox_device);
    if (s->mailbox) {
        Chardev *host = qemu_chr_find(s->mailbox);

        if (!host) {
            error_report("%s: there is no character device '%s' (mailbox): -chardev socket,id=%s,...", npu_soc_name(s), s->mailbox, s->mailbox);
            exit(EXIT_FAILURE);
        }
        qdev_prop_set_chr(DEVICE(mailbox), "chardev", host);
    }
    if (s->mailbox_log) {
        qdev_prop_set_string(DEVICE(mailbox), "log", s->mailbox_log);
    }
    sysbus_realize(mailbox, &error_fatal);
    sysbus_mmio_map(mailbox, 0, board->mailbox.base);
    sysbus_connect_irq(mailbox, 0, npu_soc_irq(s, board->mailbox.irq));
}

static void npu_soc_init(MachineState *machine)
{
    NPUSoCState *s = NPU_SOC_MACHINE(machine);
    const NPUBoard *board = npu_soc_board(s);

    npu_soc_check(s);
    npu_soc_init_memory(s);
    npu_soc_init_core(s);
    cmsdk_apb_uart_create(board->uart.base, NULL, NULL, NULL, NULL, npu_soc_irq(s, board->uart.irq), serial_hd(0), board->uart_clock);
    npu_soc_init_probe(s);
    npu_soc_init_watchdog(s);
    npu_soc_init_mailbox(s);
    npu_soc_init_accelerator(s);
    armv7m_load_kernel(s->core.cpu, machine->kernel_filename, board->code.base, board->code.size);
}

/* Makes @board the board of the class, and its default size of DRAM the machine's. */
static void npu_soc_set_board(NPUSoCClass *klass, NPUBoard board)
{
    klass->board = board;
    klass->parent_class.default_ram_size = board.dram_default;
}

static char *npu_soc_get_board_map(Object *obj, Error **errp)
{
    return g_strdup(NPU_SOC_MACHINE(obj)->board_map);
}

static void npu_soc_set_board_map(Object *obj, const char *value, Error **errp)
{
    NPUSoCState *s = NPU_SOC_MACHINE(obj);
    MachineState *machine = MACHINE(obj);
    g_autofree char *text = NULL;
    g_autoptr(GError) failure = NULL;
    NPUBoard board;

    if (!g_file_get_contents(value, &text, NULL, &failure)) {
        error_setg(errp, ANY_BOARD ": cannot read the board-map: %s", failure->message);
        return;
    }
    if (!npu_board_read(&board, text, value, errp)) {
        return;
    }
    g_free(s->board_map);
    s->board_map = g_strdup(value);
    npu_soc_set_board(NPU_SOC_MACHINE_GET_CLASS(s), board);
    /* Without -m, the size is still that of the class before this property was set: 0. */
    if (machine->ram_size == 0) {
        machine->ram_size = machine->maxram_size = board.dram_default;
    }
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

static char *npu_soc_get_mailbox(Object *obj, Error **errp)
{
    return g_strdup(NPU_SOC_MACHINE(obj)->mailbox);
}

static void npu_soc_set_mailbox(Object *obj, const char *value, Error **errp)
{
    NPUSoCState *s = NPU_SOC_MACHINE(obj);

    g_free(s->mailbox);
    s->mailbox = g_strdup(value);
}

static char *npu_soc_get_mailbox_log(Object *obj, Error **errp)
{
    return g_strdup(NPU_SOC_MACHINE(obj)->mailbox_log);
}

static void npu_soc_set_mailbox_log(Object *obj, const char *value, Error **errp)
{
    NPUSoCState *s = NPU_SOC_MACHINE(obj);

    g_free(s->mailbox_log);
    s->mailbox_log = g_strdup(value);
}

static void npu_soc_class_init(ObjectClass *klass, void *data)
{
    MachineClass *mc = MACHINE_CLASS(klass);

    mc->init = npu_soc_init;
    mc->max_cpus = 1;
    mc->default_cpu_type = ARM_CPU_TYPE_NAME("cortex-m55");

    object_class_property_add_str(klass, "model", npu_soc_get_model, npu_soc_set_model);
    object_class_property_set_description(klass, "model", "Path of the accelerator model, libcox_model.so");
    object_class_property_add_str(klass, "model-options", npu_soc_get_model_options, npu_soc_set_model_options);
    object_class_property_set_description(klass, "model-options", "Options of the model: a JSON object, or @FILE that holds one");
    object_class_property_add_str(klass, "mailbox", npu_soc_get_mailbox, npu_soc_set_mailbox);
    object_class_property_set_description(klass, "mailbox", "Character device that links the mailbox to a host process");
    object_class_property_add_str(klass, "mailbox-log", npu_soc_get_mailbox_log, npu_soc_set_mailbox_log);
    object_class_property_set_description(klass, "mailbox-log", "File for the times of the mailbox's rings");
}

/* The class of the machine of a board that is compiled in. */
static void npu_soc_named_class_init(ObjectClass *klass, void *data)
{
    MachineClass *mc = MACHINE_CLASS(klass);
    const NPUBoardFile *file = data;
    NPUBoard board;

    npu_board_read(&board, file->text, file->machine, &error_abort);
    npu_soc_set_board(NPU_SOC_MACHINE_CLASS(klass), board);
    mc->desc = board.description;
    mc->default_ram_id = g_strconcat(file->machine, ".dram", NULL);
}

static void npu_soc_any_class_init(ObjectClass *klass, void *data)
{
    MachineClass *mc = MACHINE_CLASS(klass);

    mc->desc = "The board of the file board-map";
    mc->default_ram_id = ANY_BOARD ".dram";
    mc->default_ram_size = 0;
    object_class_property_add_str(klass, "board-map", npu_soc_get_board_map, npu_soc_set_board_map);
    object_class_property_set_description(klass, "board-map", "Path of the board's board.json");
}

static const TypeInfo npu_soc_info = {
    .name = TYPE_NPU_SOC_MACHINE,
    .parent = TYPE_MACHINE,
    .abstract = true,
    .instance_size = sizeof(NPUSoCState),
    .class_size = sizeof(NPUSoCClass),
    .class_init = npu_soc_class_init,
};

static void npu_soc_register_types(void)
{
    TypeInfo any = { .name = MACHINE_TYPE_NAME(ANY_BOARD), .parent = TYPE_NPU_SOC_MACHINE, .class_init = npu_soc_any_class_init };
    size_t i;

    type_register_static(&npu_soc_info);
    type_register(&any);
    for (i = 0; i < ARRAY_SIZE(npu_boards); i++) {
        g_autofree char *name = g_strconcat(npu_boards[i].machine, TYPE_MACHINE_SUFFIX, NULL);
        TypeInfo named = {
            .name = name,
            .parent = TYPE_NPU_SOC_MACHINE,
            .class_init = npu_soc_named_class_init,
            .class_data = (void *)&npu_boards[i],
        };

        type_register(&named);
    }
}

type_init(npu_soc_register_types)
