/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "qemu/osdep.h"

#include "boards/devices/simulated.h"
#include "hw/arm/npu/mailbox.h"
#include "hw/arm/npu/npu_mailbox.h"
#include "hw/irq.h"
#include "hw/qdev-properties-system.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "sysemu/cpu-timers.h"

/* Writes a line of the log: time of the accelerator, executed instructions of the control core, event. */
static void npu_mailbox_note(NPUMailboxState *s, const char *event)
{
    if (s->log) {
        fprintf(s->log, "%" PRId64 ",%" PRId64 ",%s\n", qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL), icount_enabled() ? icount_get_raw() : 0,
                event);
    }
}

static void npu_mailbox_set_to_core(NPUMailboxState *s, bool rung)
{
    s->to_core = rung;
    qemu_set_irq(s->line, rung);
}

/* At most one of these bytes is on its way, because the host answers each with BOARD_MAILBOX_CLEAR. So the write never blocks. */
static void npu_mailbox_tell_host(NPUMailboxState *s)
{
    static const uint8_t ring = BOARD_MAILBOX_RING;

    s->to_host = true;
    s->again = false;
    if (s->connected) {
        qemu_chr_fe_write_all(&s->host, &ring, sizeof(ring));
    }
}

/* ---- The host's end ------------------------------------------------------------------------------------------------------ */

static int npu_mailbox_can_receive(void *opaque)
{
    return 64;
}

static void npu_mailbox_receive(void *opaque, const uint8_t *bytes, int size)
{
    NPUMailboxState *s = opaque;
    int i;

    for (i = 0; i < size; i++) {
        switch (bytes[i]) {
        case BOARD_MAILBOX_RING:
            npu_mailbox_note(s, "host_rings");
            npu_mailbox_set_to_core(s, true);
            break;
        case BOARD_MAILBOX_CLEAR:
            npu_mailbox_note(s, "host_clears");
            s->to_host = false;
            if (s->again) {
                npu_mailbox_tell_host(s);
            }
            break;
        default:
            warn_report_once("npu-mailbox: the host sent byte 0x%02x, which is no message", bytes[i]);
            break;
        }
    }
}

static void npu_mailbox_event(void *opaque, QEMUChrEvent event)
{
    NPUMailboxState *s = opaque;

    if (event == CHR_EVENT_OPENED) {
        s->connected = true;
        if (s->to_host) {
            npu_mailbox_tell_host(s); /* the host before this one may have left without clearing the ring */
        }
    } else if (event == CHR_EVENT_CLOSED) {
        s->connected = false;
    }
}

/* ---- Registers ----------------------------------------------------------------------------------------------------------- */

static MemTxResult npu_mailbox_read(void *opaque, hwaddr offset, uint64_t *data, unsigned size, MemTxAttrs attrs)
{
    NPUMailboxState *s = opaque;

    switch (offset) {
    case offsetof(COX_MAILBOX_Type, TO_CORE_STATUS):
        *data = s->to_core;
        return MEMTX_OK;
    case offsetof(COX_MAILBOX_Type, TO_HOST_STATUS):
        *data = s->to_host;
        return MEMTX_OK;
    default:
        error_report("npu-mailbox: bus fault: read at register offset 0x%03x", (unsigned)offset);
        return MEMTX_ERROR;
    }
}

static MemTxResult npu_mailbox_write(void *opaque, hwaddr offset, uint64_t data, unsigned size, MemTxAttrs attrs)
{
    NPUMailboxState *s = opaque;

    switch (offset) {
    case offsetof(COX_MAILBOX_Type, TO_CORE_SET):
        if (data & COX_MAILBOX_TO_CORE_SET_RING_Msk) {
            npu_mailbox_set_to_core(s, true);
        }
        return MEMTX_OK;
    case offsetof(COX_MAILBOX_Type, TO_CORE_CLEAR):
        npu_mailbox_note(s, "core_clears");
        if (data & COX_MAILBOX_TO_CORE_CLEAR_CLEAR_Msk) {
            npu_mailbox_set_to_core(s, false);
        }
        return MEMTX_OK;
    case offsetof(COX_MAILBOX_Type, TO_HOST_SET):
        npu_mailbox_note(s, "core_rings");
        if (!(data & COX_MAILBOX_TO_HOST_SET_RING_Msk)) {
            return MEMTX_OK;
        }
        if (s->to_host) {
            s->again = true;
        } else {
            npu_mailbox_tell_host(s);
        }
        return MEMTX_OK;
    case offsetof(COX_MAILBOX_Type, TO_HOST_CLEAR):
        if (data & COX_MAILBOX_TO_HOST_CLEAR_CLEAR_Msk) {
            s->to_host = false;
            s->again = false;
        }
        return MEMTX_OK;
    default:
        error_report("npu-mailbox: bus fault: write at register offset 0x%03x", (unsigned)offset);
        return MEMTX_ERROR;
    }
}

static const MemoryRegionOps npu_mailbox_ops = {
    .read_with_attrs = npu_mailbox_read,
    .write_with_attrs = npu_mailbox_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
    .impl = { .min_access_size = 4, .max_access_size = 4 },
};

/* ---- The device ---------------------------------------------------------------------------------------------------------- */

/* A reset of the SoC forgets the host's ring. The host's end keeps what the host was told. */
static void npu_mailbox_reset(DeviceState *dev)
{
    npu_mailbox_set_to_core(NPU_MAILBOX(dev), false);
}

static void npu_mailbox_realize(DeviceState *dev, Error **errp)
{
    NPUMailboxState *s = NPU_MAILBOX(dev);

    if (s->log_path && s->log_path[0]) {
        s->log = fopen(s->log_path, "w");
        if (!s->log) {
            error_setg_errno(errp, errno, "npu-mailbox: cannot write the log '%s'", s->log_path);
            return;
        }
        setvbuf(s->log, NULL, _IOLBF, 0);
        fputs("cycle,instructions,event\n", s->log);
    }
    qemu_chr_fe_set_handlers(&s->host, npu_mailbox_can_receive, npu_mailbox_receive, npu_mailbox_event, NULL, s, NULL, true);
}

static void npu_mailbox_init(Object *obj)
{
    NPUMailboxState *s = NPU_MAILBOX(obj);

    memory_region_init_io(&s->registers, obj, &npu_mailbox_ops, s, "npu.mailbox", NPU_MAILBOX_SIZE);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->registers);
    sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->line);
}

static const VMStateDescription vmstate_npu_mailbox = {
    .name = TYPE_NPU_MAILBOX,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (VMStateField[]) {
        VMSTATE_BOOL(to_core, NPUMailboxState),
        VMSTATE_BOOL(to_host, NPUMailboxState),
        VMSTATE_BOOL(again, NPUMailboxState),
        VMSTATE_END_OF_LIST()
    },
};

static Property npu_mailbox_properties[] = {
    DEFINE_PROP_CHR("chardev", NPUMailboxState, host),
    DEFINE_PROP_STRING("log", NPUMailboxState, log_path),
    DEFINE_PROP_END_OF_LIST(),
};

static void npu_mailbox_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);

    dc->desc = "Mailbox of npu-soc: rings between the control core and a host process";
    dc->realize = npu_mailbox_realize;
    dc->reset = npu_mailbox_reset;
    dc->vmsd = &vmstate_npu_mailbox;
    dc->user_creatable = false;
    device_class_set_props(dc, npu_mailbox_properties);
}

static const TypeInfo npu_mailbox_info = {
    .name = TYPE_NPU_MAILBOX,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(NPUMailboxState),
    .instance_init = npu_mailbox_init,
    .class_init = npu_mailbox_class_init,
};

static void npu_mailbox_register_types(void)
{
    type_register_static(&npu_mailbox_info);
}

type_init(npu_mailbox_register_types)
