/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bridge from QEMU to the accelerator model: registers, DMA, interrupts and time. It has no
 * knowledge of the accelerator's registers or instructions.
 */
#include "qemu/osdep.h"

#include <dlfcn.h>

#include "exec/address-spaces.h"
#include "hw/arm/npu/npu_bridge.h"
#include "hw/irq.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/units.h"
#include "sysemu/sysemu.h"

/* ---- Time ---------------------------------------------------------------------------------------------------------------- */

/* One nanosecond of virtual time is one device cycle. The time that the model gets never decreases. */
static uint64_t npu_bridge_now(NPUBridgeState *s)
{
    int64_t clock = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);

    s->now = MAX(s->now, (uint64_t)clock);
    return s->now;
}

static uint64_t npu_bridge_enter(NPUBridgeState *s)
{
    assert(!s->in_model);
    s->in_model = true;
    return npu_bridge_now(s);
}

/* Ends a call into the model. The call may have changed the time of the model's next event, so the timer is set again. */
static void npu_bridge_leave(NPUBridgeState *s)
{
    uint64_t next = s->library.next_event(s->model);

    s->in_model = false;
    if (next > INT64_MAX) {
        timer_del(s->event);
    } else {
        timer_mod_ns(s->event, next);
    }
}

static void npu_bridge_event(void *opaque)
{
    NPUBridgeState *s = opaque;
    uint64_t now = npu_bridge_enter(s);

    s->library.advance(s->model, now);
    npu_bridge_leave(s);
}

/* ---- Registers ----------------------------------------------------------------------------------------------------------- */

/*
 * Refuses accesses that must not reach the model: sizes other than 32 bits, and accesses by the accelerator's own DMA, which
 * would call the model from within the model.
 */
static bool npu_bridge_refuses(NPUBridgeState *s, const char *kind, hwaddr offset, unsigned size)
{
    const char *reason = NULL;

    if (size != 4 || (offset & 3) != 0) {
        reason = "registers are accessed as aligned 32-bit words";
    } else if (s->in_model) {
        reason = "the accelerator cannot access its own registers";
    }
    if (reason) {
        error_report("npu-bridge: bus fault: %s of %u bytes at register offset 0x%05x: %s", kind, size, (unsigned)offset, reason);
    }
    return reason != NULL;
}

static MemTxResult npu_bridge_read(void *opaque, hwaddr offset, uint64_t *data, unsigned size, MemTxAttrs attrs)
{
    NPURegisters *block = opaque;
    NPUBridgeState *s = block->bridge;
    uint32_t value = 0;
    uint64_t now;
    int failed;

    offset += block->offset;
    if (npu_bridge_refuses(s, "read", offset, size)) {
        return MEMTX_ERROR;
    }
    now = npu_bridge_enter(s);
    failed = s->library.read(s->model, now, offset, size, &value);
    npu_bridge_leave(s);
    if (failed) {
        error_report("npu-bridge: bus fault: read of 4 bytes at register offset 0x%05x", (unsigned)offset);
        return MEMTX_ERROR;
    }
    *data = value;
    return MEMTX_OK;
}

static MemTxResult npu_bridge_write(void *opaque, hwaddr offset, uint64_t data, unsigned size, MemTxAttrs attrs)
{
    NPURegisters *block = opaque;
    NPUBridgeState *s = block->bridge;
    uint64_t now;
    int failed;

    offset += block->offset;
    if (npu_bridge_refuses(s, "write", offset, size)) {
        return MEMTX_ERROR;
    }
    now = npu_bridge_enter(s);
    failed = s->library.write(s->model, now, offset, size, data);
    npu_bridge_leave(s);
    if (failed) {
        error_report("npu-bridge: bus fault: write of 0x%08x at register offset 0x%05x", (unsigned)data, (unsigned)offset);
        return MEMTX_ERROR;
    }
    return MEMTX_OK;
}

/* Accepts every size and alignment, so that npu_bridge_refuses() can report a wrong access with a message. */
static const MemoryRegionOps npu_bridge_ops = {
    .read_with_attrs = npu_bridge_read,
    .write_with_attrs = npu_bridge_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 8, .unaligned = true },
    .impl = { .min_access_size = 1, .max_access_size = 8, .unaligned = true },
};

/* ---- Callbacks of the model --------------------------------------------------------------------------------------------- */

/*
 * The accelerator accesses memories, never devices. A machine that protects memory by security state sees the accelerator's accesses in
 * the state that its registers have.
 */
static MemTxAttrs npu_bridge_dma(NPUBridgeState *s)
{
    return (MemTxAttrs){ .memory = 1, .secure = !s->nonsecure };
}

static void npu_bridge_set_nonsecure(void *opaque, int line, int level)
{
    NPU_BRIDGE(opaque)->nonsecure = level;
}

static void *npu_bridge_host_map(void *opaque, uint64_t address, uint64_t size)
{
    NPUBridgeState *s = opaque;
    uint8_t *host = NULL;
    uint64_t mapped;
    hwaddr length;

    /* A memory protection controller translates block by block, so one call may return only a part. */
    RCU_READ_LOCK_GUARD();
    for (mapped = 0; mapped < size; mapped += length) {
        hwaddr offset;
        MemoryRegion *region;
        uint8_t *part;

        length = size - mapped;
        region = address_space_translate(s->space, address + mapped, &offset, &length, true, npu_bridge_dma(s));
        if (!memory_region_is_ram(region) || region->readonly) {
            return NULL;
        }
        part = (uint8_t *)memory_region_get_ram_ptr(region) + offset;
        if (mapped == 0) {
            host = part;
        } else if (part != host + mapped) {
            return NULL;
        }
    }
    return host;
}

static int npu_bridge_host_read(void *opaque, uint64_t address, void *data, uint64_t size)
{
    NPUBridgeState *s = opaque;

    return address_space_read(s->space, address, npu_bridge_dma(s), data, size) != MEMTX_OK;
}

static int npu_bridge_host_write(void *opaque, uint64_t address, const void *data, uint64_t size)
{
    NPUBridgeState *s = opaque;

    return address_space_write(s->space, address, npu_bridge_dma(s), data, size) != MEMTX_OK;
}

static void npu_bridge_host_interrupt(void *opaque, uint32_t line, int level)
{
    NPUBridgeState *s = opaque;

    if (line >= NPU_BRIDGE_LINES) {
        error_report("npu-bridge: the model drives interrupt line %u, of %u", line, NPU_BRIDGE_LINES);
        return;
    }
    qemu_set_irq(s->lines[line], level);
}

static void npu_bridge_host_log(void *opaque, int level, const char *text)
{
    switch (level) {
    case COX_LOG_ERROR:
        error_report("npu: %s", text);
        break;
    case COX_LOG_WARNING:
        warn_report("npu: %s", text);
        break;
    default:
        info_report("npu: %s", text);
        break;
    }
}

/* ---- Loading libcox_model.so --------------------------------------------------------------------------------------------- */

static void *npu_bridge_symbol(NPUBridgeState *s, const char *name, Error **errp)
{
    void *symbol = dlsym(s->library.handle, name);

    if (!symbol) {
        error_setg(errp, "npu-bridge: '%s' has no function %s: it is not a libcox_model.so", s->model_path, name);
    }
    return symbol;
}

static bool npu_bridge_open(NPUBridgeState *s, Error **errp)
{
    NPUModelLibrary *library = &s->library;

    /* For a name without a slash, dlopen() would search the system's library folders, so pass it a full path. */
    char *path = realpath(s->model_path, NULL);

    if (!path) {
        error_setg_errno(errp, errno, "npu-bridge: cannot open the model '%s'", s->model_path);
        return false;
    }
    library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    free(path);
    if (!library->handle) {
        error_setg(errp, "npu-bridge: cannot open the model: %s", dlerror());
        return false;
    }
    library->abi = npu_bridge_symbol(s, "cox_model_abi", errp);
    if (!library->abi) {
        return false;
    }
    if (library->abi() != COX_MODEL_ABI) {
        error_setg(errp, "npu-bridge: '%s' has interface version %u, this QEMU wants %u: rebuild the model, or QEMU with "
                   "toolchain/build-qemu", s->model_path, library->abi(), COX_MODEL_ABI);
        return false;
    }
    return (library->create = npu_bridge_symbol(s, "cox_model_create", errp)) &&
           (library->destroy = npu_bridge_symbol(s, "cox_model_destroy", errp)) &&
           (library->reset = npu_bridge_symbol(s, "cox_model_reset", errp)) &&
           (library->read = npu_bridge_symbol(s, "cox_model_read", errp)) &&
           (library->write = npu_bridge_symbol(s, "cox_model_write", errp)) &&
           (library->advance = npu_bridge_symbol(s, "cox_model_advance", errp)) &&
           (library->next_event = npu_bridge_symbol(s, "cox_model_next_event", errp)) &&
           (library->cores = npu_bridge_symbol(s, "cox_model_cores", errp)) &&
           (library->l2 = npu_bridge_symbol(s, "cox_model_l2", errp));
}

static bool npu_bridge_create_model(NPUBridgeState *s, Error **errp)
{
    cox_host host = {
        .abi = COX_MODEL_ABI,
        .size = sizeof(host),
        .opaque = s,
        .map = npu_bridge_host_map,
        .read = npu_bridge_host_read,
        .write = npu_bridge_host_write,
        .interrupt = npu_bridge_host_interrupt,
        .log = npu_bridge_host_log,
    };
    char reason[512] = "";
    g_autofree char *text = g_strdup(s->model_options);

    if (text && text[0] == '@') {
        g_autoptr(GError) failure = NULL;
        g_autofree char *file = g_steal_pointer(&text);

        if (!g_file_get_contents(file + 1, &text, NULL, &failure)) {
            error_setg(errp, "npu-bridge: cannot read the model's options: %s", failure->message);
            return false;
        }
    }
    s->model = s->library.create(&host, text, reason, sizeof(reason));
    if (!s->model) {
        error_setg(errp, "npu-bridge: the model refuses to start: %s", reason);
        return false;
    }
    return true;
}

static bool npu_bridge_add_l2(NPUBridgeState *s, Error **errp)
{
    uint32_t core;

    s->cores = s->library.cores(s->model);
    if (s->cores > MIN(s->l2_cores, NPU_BRIDGE_CORES_MAX)) {
        error_setg(errp, "npu-bridge: the model has %u tile cores, this board has room for %u", s->cores,
                   MIN(s->l2_cores, NPU_BRIDGE_CORES_MAX));
        return false;
    }
    for (core = 0; core < s->cores; core++) {
        g_autofree char *name = g_strdup_printf("npu.l2.%u", core);
        uint64_t size = 0;
        void *buffer = s->library.l2(s->model, core, &size);

        if (!buffer || size == 0 || size > s->l2_stride) {
            error_setg(errp, "npu-bridge: the L2 buffer of tile core %u has %" PRIu64 " bytes, of at most %" PRIu64, core, size,
                       s->l2_stride);
            return false;
        }
        memory_region_init_ram_ptr(&s->l2[core], OBJECT(s), name, size, buffer);
        sysbus_init_mmio(SYS_BUS_DEVICE(s), &s->l2[core]);
    }
    return true;
}

/* ---- The device ---------------------------------------------------------------------------------------------------------- */

/* Lets the model write its open logs, because QEMU exits without unrealizing its devices. */
static void npu_bridge_exit(Notifier *notifier, void *data)
{
    NPUBridgeState *s = container_of(notifier, NPUBridgeState, exit);

    timer_del(s->event);
    s->library.destroy(s->model);
    s->model = NULL;
}

static void npu_bridge_add_registers(NPUBridgeState *s)
{
    const struct {
        const char *name;
        uint64_t size;
        uint32_t offset;
    } blocks[NPU_BRIDGE_BLOCKS] = {{"npu.registers", s->registers_size, 0}, {"dma.registers", s->dma_size, COX_MODEL_DMA_OFFSET}};
    int block;

    for (block = 0; block < NPU_BRIDGE_BLOCKS; block++) {
        NPURegisters *own = &s->registers[block];

        own->bridge = s;
        own->offset = blocks[block].offset;
        memory_region_init_io(&own->region, OBJECT(s), &npu_bridge_ops, own, blocks[block].name, blocks[block].size);
        sysbus_init_mmio(SYS_BUS_DEVICE(s), &own->region);
    }
}

static void npu_bridge_realize(DeviceState *dev, Error **errp)
{
    NPUBridgeState *s = NPU_BRIDGE(dev);

    npu_bridge_add_registers(s);
    s->space = &address_space_memory;
    if (s->memory) {
        s->space = &s->own_space;
        address_space_init(s->space, s->memory, "npu-bridge");
    }

    if (!s->model_path || !s->model_path[0]) {
        error_setg(errp, "npu-bridge: which model? Give the path of libcox_model.so: -machine npu-soc,model=PATH");
        return;
    }
    if (!npu_bridge_open(s, errp) || !npu_bridge_create_model(s, errp)) {
        return;
    }
    s->exit.notify = npu_bridge_exit;
    qemu_add_exit_notifier(&s->exit);
    s->event = timer_new_ns(QEMU_CLOCK_VIRTUAL, npu_bridge_event, s);
    npu_bridge_add_l2(s, errp);
}

static void npu_bridge_reset(DeviceState *dev)
{
    NPUBridgeState *s = NPU_BRIDGE(dev);
    uint64_t now = npu_bridge_enter(s);

    s->library.reset(s->model, now);
    npu_bridge_leave(s);
}

static void npu_bridge_init(Object *obj)
{
    NPUBridgeState *s = NPU_BRIDGE(obj);
    int line;

    for (line = 0; line < NPU_BRIDGE_LINES; line++) {
        sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->lines[line]);
    }
    qdev_init_gpio_in_named(DEVICE(obj), npu_bridge_set_nonsecure, "nonsecure", 1);
}

/* The model cannot save its state, so the device cannot migrate. */
static const VMStateDescription vmstate_npu_bridge = {
    .name = TYPE_NPU_BRIDGE,
    .unmigratable = 1,
};

static Property npu_bridge_properties[] = {
    DEFINE_PROP_STRING("model", NPUBridgeState, model_path),
    DEFINE_PROP_STRING("model-options", NPUBridgeState, model_options),
    DEFINE_PROP_LINK("memory", NPUBridgeState, memory, TYPE_MEMORY_REGION, MemoryRegion *),
    DEFINE_PROP_UINT64("registers-size", NPUBridgeState, registers_size, 1 * MiB),
    DEFINE_PROP_UINT64("dma-size", NPUBridgeState, dma_size, 4 * KiB),
    DEFINE_PROP_UINT64("l2-stride", NPUBridgeState, l2_stride, 8 * MiB),
    DEFINE_PROP_UINT32("l2-cores", NPUBridgeState, l2_cores, 4),
    DEFINE_PROP_END_OF_LIST(),
};

static void npu_bridge_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);

    dc->desc = "The accelerator: bridge to libcox_model.so";
    dc->realize = npu_bridge_realize;
    dc->reset = npu_bridge_reset;
    dc->vmsd = &vmstate_npu_bridge;
    dc->user_creatable = false;
    device_class_set_props(dc, npu_bridge_properties);
}

static const TypeInfo npu_bridge_info = {
    .name = TYPE_NPU_BRIDGE,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(NPUBridgeState),
    .instance_init = npu_bridge_init,
    .class_init = npu_bridge_class_init,
};

static void npu_bridge_register_types(void)
{
    type_register_static(&npu_bridge_info);
}

type_init(npu_bridge_register_types)
