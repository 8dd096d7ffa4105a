/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "qemu/osdep.h"

#include "hw/arm/npu/npu_board.h"
#include "hw/arm/npu/npu_bridge.h"
#include "hw/arm/npu/npu_mailbox.h"
#include "hw/arm/npu/npu_probe.h"
#include "qapi/qmp/qdict.h"
#include "qapi/qmp/qjson.h"
#include "qapi/qmp/qnum.h"
#include "qapi/qmp/qstring.h"
#include "qemu/cutils.h"
#include "qemu/units.h"

#define NVIC_INTERRUPTS 480

/* The file that is read. After the first error, all functions do nothing. */
typedef struct Reader {
    const char *where;
    Error *error;
} Reader;

static QDict *read_object(Reader *reader, QDict *parent, const char *name, bool required)
{
    QObject *value = parent ? qdict_get(parent, name) : NULL;
    QDict *object = value ? qobject_to(QDict, value) : NULL;

    if (!reader->error && !object && (required || (parent && qdict_haskey(parent, name)))) {
        error_setg(&reader->error, "%s: \"%s\" must be an object", reader->where, name);
    }
    return object;
}

/* A number, or a text with a hexadecimal number. */
static uint64_t read_number(Reader *reader, QDict *object, const char *name)
{
    QObject *value = object ? qdict_get(object, name) : NULL;
    QNum *number = value ? qobject_to(QNum, value) : NULL;
    QString *text = value ? qobject_to(QString, value) : NULL;
    uint64_t result = 0;

    if (reader->error || !object) {
        return 0;
    }
    if (!(number && qnum_get_try_uint(number, &result)) && !(text && qemu_strtou64(qstring_get_str(text), NULL, 0, &result) == 0)) {
        error_setg(&reader->error, "%s: \"%s\" must be a number, or a hexadecimal one as a text", reader->where, name);
    } else if (result > UINT32_MAX) {
        error_setg(&reader->error, "%s: \"%s\" has more than 32 bits", reader->where, name);
    }
    return result;
}

/* The device @name, whose interrupt is @irq if that is not null. Its region has at least @least bytes. */
static NPURegion read_device(Reader *reader, QDict *devices, const char *name, const char *irq, uint64_t least, bool required)
{
    QDict *object = read_object(reader, devices, name, required);
    NPURegion region = {
        .base = read_number(reader, object, "base"),
        .size = read_number(reader, object, "size"),
        .irq = object && irq ? read_number(reader, object, irq) : 0,
    };

    if (!reader->error && object && region.size < least) {
        error_setg(&reader->error, "%s: \"%s\" has 0x%" PRIx64 " bytes, its registers take 0x%" PRIx64, reader->where, name, region.size, least);
    }
    return region;
}

/* The bus address of the memory @name. */
static uint64_t read_bus(Reader *reader, QDict *memory, const char *name)
{
    QDict *object = read_object(reader, memory, name, true);

    return read_number(reader, object, object && qdict_haskey(object, "bus") ? "bus" : "base");
}

static void check_regions(Reader *reader, const NPUBoard *board)
{
    const struct {
        const char *name;
        NPURegion region;
    } all[] = {
        {"code", board->code}, {"sram", board->sram}, {"l2", board->l2}, {"dram", board->dram}, {"uart", board->uart}, {"probe", board->probe},
        {"watchdog", board->watchdog}, {"mailbox", board->mailbox}, {"dma", board->dma}, {"accelerator", board->npu},
    };
    size_t one, other;

    for (one = 0; one < ARRAY_SIZE(all) && !reader->error; one++) {
        const NPURegion *a = &all[one].region;

        if (a->base + a->size > 1ULL << 32) {
            error_setg(&reader->error, "%s: \"%s\" ends above the 32 bits of addresses", reader->where, all[one].name);
        } else if (a->irq >= board->interrupts) {
            error_setg(&reader->error, "%s: the interrupt %" PRIu64 " of \"%s\" is none of the %" PRIu64 " of the NVIC", reader->where, a->irq,
                       all[one].name, board->interrupts);
        }
        for (other = 0; other < one && !reader->error; other++) {
            const NPURegion *b = &all[other].region;

            if (a->size && b->size && a->base < b->base + b->size && b->base < a->base + a->size) {
                error_setg(&reader->error, "%s: \"%s\" at 0x%08" PRIx64 " overlaps \"%s\" at 0x%08" PRIx64, reader->where, all[one].name, a->base,
                           all[other].name, b->base);
            }
        }
    }
}

static void check_bus(Reader *reader, const NPUBoard *board)
{
    const struct {
        const char *name;
        NPURegion region;
    } all[] = {{"code", board->code}, {"sram", board->sram}, {"dram", board->dram}};
    size_t one, other;

    for (one = 0; one < ARRAY_SIZE(all); one++) {
        for (other = 0; other < one && !reader->error; other++) {
            const NPURegion *a = &all[one].region, *b = &all[other].region;

            if (a->bus < b->bus + b->size && b->bus < a->bus + a->size) {
                error_setg(&reader->error, "%s: on the bus, \"%s\" at 0x%08" PRIx64 " overlaps \"%s\" at 0x%08" PRIx64, reader->where,
                           all[one].name, a->bus, all[other].name, b->bus);
            }
        }
    }
}

static void check_numbers(Reader *reader, const NPUBoard *board)
{
    if (reader->error) {
        return;
    }
    if (board->code.size == 0 || board->sram.size == 0 || board->dram_min == 0 || board->core_clock == 0 || board->reference_clock == 0) {
        error_setg(&reader->error, "%s: code, sram, dram and the clocks may not be 0", reader->where);
    } else if (board->dram_min > board->dram_default || board->dram_default > board->dram.size || board->dram_default % MiB != 0) {
        error_setg(&reader->error, "%s: \"dram\": min, default and max must be whole MiB in ascending order", reader->where);
    } else if (board->l2_cores == 0 || board->l2_cores > NPU_BRIDGE_CORES_MAX) {
        error_setg(&reader->error, "%s: \"l2\": there is room for 1 to %d tile cores", reader->where, NPU_BRIDGE_CORES_MAX);
    } else if (board->interrupts == 0 || board->interrupts > NVIC_INTERRUPTS || board->npu_fault_irq >= board->interrupts) {
        error_setg(&reader->error, "%s: the NVIC has 1 to %d \"interrupts\", and \"fault_interrupt\" is one of them", reader->where, NVIC_INTERRUPTS);
    }
}

bool npu_board_read(NPUBoard *board, const char *text, const char *where, Error **errp)
{
    Reader reader = { .where = where };
    QObject *document = qobject_from_json(text, &reader.error);
    QDict *root = document ? qobject_to(QDict, document) : NULL;
    QDict *memory, *l2, *dram, *devices, *clocks, *options;

    if (reader.error) {
        error_prepend(&reader.error, "%s: not JSON: ", where);
    } else if (!root) {
        error_setg(&reader.error, "%s: the file must be an object", where);
    }
    memory = read_object(&reader, root, "memory", true);
    l2 = read_object(&reader, memory, "l2", true);
    dram = read_object(&reader, memory, "dram", true);
    devices = read_object(&reader, root, "devices", true);
    clocks = read_object(&reader, root, "clocks", true);
    options = read_object(&reader, root, "model_options", false);
    *board = (NPUBoard){
        .code = read_device(&reader, memory, "code", NULL, 1, true),
        .sram = read_device(&reader, memory, "sram", NULL, 1, true),
        .l2.base = read_number(&reader, l2, "base"),
        .l2_stride = read_number(&reader, l2, "stride"),
        .l2_cores = read_number(&reader, l2, "cores"),
        .dram.base = read_number(&reader, dram, "base"),
        .dram.size = read_number(&reader, dram, "max"),
        .dram_min = read_number(&reader, dram, "min"),
        .dram_default = read_number(&reader, dram, "default"),
        .uart = read_device(&reader, devices, "uart", "interrupt", 1, true),
        .probe = read_device(&reader, devices, "probe", NULL, NPU_PROBE_SIZE, false),
        .watchdog = read_device(&reader, devices, "watchdog", NULL, 1, false),
        .mailbox = read_device(&reader, devices, "mailbox", "interrupt", NPU_MAILBOX_SIZE, false),
        .dma = read_device(&reader, devices, "dma", "interrupt", 1, false),
        .npu = read_device(&reader, devices, "accelerator", "completion_interrupt", 1, true),
        .core_clock = read_number(&reader, clocks, "core"),
        .reference_clock = read_number(&reader, clocks, "reference"),
        .interrupts = read_number(&reader, root, "interrupts"),
    };
    board->code.bus = read_bus(&reader, memory, "code");
    board->sram.bus = read_bus(&reader, memory, "sram");
    board->dram.bus = read_bus(&reader, memory, "dram");
    board->npu_fault_irq = read_number(&reader, read_object(&reader, devices, "accelerator", true), "fault_interrupt");
    board->uart_clock = clocks && qdict_haskey(clocks, "uart") ? read_number(&reader, clocks, "uart") : board->core_clock;
    board->l2.size = board->l2_stride * board->l2_cores;
    check_numbers(&reader, board);
    check_regions(&reader, board);
    check_bus(&reader, board);
    if (reader.error) {
        error_append_hint(&reader.error, "boards/generate_map.py FOLDER checks a board.json, and says more.\n");
        error_propagate(errp, reader.error);
        qobject_unref(document);
        return false;
    }
    board->description = g_strdup(qdict_get_try_str(root, "description"));
    board->model_options = options ? g_string_free(qobject_to_json(QOBJECT(options)), false) : g_strdup("{}");
    qobject_unref(document);
    return true;
}
