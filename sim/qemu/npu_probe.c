/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "qemu/osdep.h"

#include "boards/devices/simulated.h"
#include "hw/arm/npu/npu_probe.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "qemu/error-report.h"
#include "sysemu/cpu-timers.h"

static MemTxResult npu_probe_read(void *opaque, hwaddr offset, uint64_t *data, unsigned size, MemTxAttrs attrs)
{
    NPUProbeState *s = opaque;
    uint64_t executed;

    switch (offset) {
    case BOARD_PROBE_FEATURES:
        *data = (icount_enabled() ? BOARD_PROBE_COUNTS : 0) | (s->host ? BOARD_PROBE_HOST : 0);
        return MEMTX_OK;
    case BOARD_PROBE_EXECUTED_LO:
        /* The raw count has only executed instructions. The virtual clock also advances while the core sleeps. */
        executed = icount_enabled() ? icount_get_raw() : 0;
        s->executed_hi = executed >> 32;
        *data = (uint32_t)executed;
        return MEMTX_OK;
    case BOARD_PROBE_EXECUTED_HI:
        *data = s->executed_hi;
        return MEMTX_OK;
    case BOARD_PROBE_DRAM_SIZE:
        *data = s->dram_size;
        return MEMTX_OK;
    default:
        error_report("npu-probe: bus fault: read at register offset 0x%03x", (unsigned)offset);
        return MEMTX_ERROR;
    }
}

static MemTxResult npu_probe_write(void *opaque, hwaddr offset, uint64_t data, unsigned size, MemTxAttrs attrs)
{
    error_report("npu-probe: bus fault: write at register offset 0x%03x", (unsigned)offset);
    return MEMTX_ERROR;
}

static const MemoryRegionOps npu_probe_ops = {
    .read_with_attrs = npu_probe_read,
    .write_with_attrs = npu_probe_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
    .impl = { .min_access_size = 4, .max_access_size = 4 },
};

static void npu_probe_reset(DeviceState *dev)
{
    NPU_PROBE(dev)->executed_hi = 0;
}

static void npu_probe_init(Object *obj)
{
    NPUProbeState *s = NPU_PROBE(obj);

    memory_region_init_io(&s->registers, obj, &npu_probe_ops, s, "npu.probe", NPU_PROBE_SIZE);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->registers);
}

static const VMStateDescription vmstate_npu_probe = {
    .name = TYPE_NPU_PROBE,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (VMStateField[]) {
        VMSTATE_UINT32(executed_hi, NPUProbeState),
        VMSTATE_END_OF_LIST()
    },
};

static Property npu_probe_properties[] = {
    DEFINE_PROP_UINT32("dram-size", NPUProbeState, dram_size, 0),
    DEFINE_PROP_BOOL("host", NPUProbeState, host, false),
    DEFINE_PROP_END_OF_LIST(),
};

static void npu_probe_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);

    dc->desc = "Simulation probe of npu-soc: executed instructions";
    dc->reset = npu_probe_reset;
    dc->vmsd = &vmstate_npu_probe;
    dc->user_creatable = false;
    device_class_set_props(dc, npu_probe_properties);
}

static const TypeInfo npu_probe_info = {
    .name = TYPE_NPU_PROBE,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(NPUProbeState),
    .instance_init = npu_probe_init,
    .class_init = npu_probe_class_init,
};

static void npu_probe_register_types(void)
{
    type_register_static(&npu_probe_info);
}

type_init(npu_probe_register_types)
