/* SPDX-License-Identifier: MIT */
/*
 * A fake accelerator model for tests of the bridge in sim/qemu. It implements sim/model/cox_model.h with a few registers. Each register
 * uses one of the host's functions that a model may call.
 *
 * Options: "refuse" (creating the model fails) and "cores N" (the bridge refuses more than 4). Other options have no effect.
 */
#include "tests/target/qemu_machine/fake_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/model/cox_model.h"

enum { L2_BYTES = 0x100000, CORES_MAX = 8 };

struct cox_model {
  cox_host host;
  uint32_t cores;
  uint64_t latest; /* time of the latest call; it must never decrease */
  uint64_t alarm;
  uint32_t source;
  uint32_t result;
  uint32_t resets;
  uint8_t *l2[CORES_MAX];
};

static void say(const cox_model *model, int level, const char *text) { model->host.log(model->host.opaque, level, text); }

static void see_time(cox_model *model, uint64_t now) {
  if (now < model->latest) {
    say(model, COX_LOG_ERROR, "fake: time went back");
    abort();
  }
  model->latest = now;
}

/* Copies a block within guest memory: directly if source and destination are memory, otherwise word by word through the host. */
static uint32_t copy_block(cox_model *model, uint32_t destination) {
  const cox_host *host = &model->host;
  void *from = host->map(host->opaque, model->source, FAKE_BLOCK_BYTES);
  void *to = host->map(host->opaque, destination, FAKE_BLOCK_BYTES);
  if (from != NULL && to != NULL) {
    memcpy(to, from, FAKE_BLOCK_BYTES);
    return FAKE_RESULT_MAPPED;
  }
  uint8_t block[FAKE_BLOCK_BYTES];
  if (host->read(host->opaque, model->source, block, sizeof block) != 0) return FAKE_RESULT_READ_ERROR;
  if (host->write(host->opaque, destination, block, sizeof block) != 0) return FAKE_RESULT_WRITE_ERROR;
  return FAKE_RESULT_COPIED;
}

uint32_t cox_model_abi(void) {
  const char *other = getenv("FAKE_MODEL_ABI");
  return other == NULL ? COX_MODEL_ABI : (uint32_t)strtoul(other, NULL, 10);
}

cox_model *cox_model_create(const cox_host *host, const char *options, char *error, size_t error_size) {
  if (options != NULL && strcmp(options, "refuse") == 0) {
    snprintf(error, error_size, "option 'refuse' says so");
    return NULL;
  }
  cox_model *model = calloc(1, sizeof *model);
  model->host = *host;
  model->cores = 1;
  model->alarm = COX_MODEL_NEVER;
  if (options != NULL) {
    char text[160];
    snprintf(text, sizeof text, "fake: options '%s'", options);
    say(model, COX_LOG_INFO, text);
    if (sscanf(options, "cores %u", &model->cores) == 1 && model->cores > CORES_MAX) model->cores = CORES_MAX;
  }
  for (uint32_t core = 0; core < model->cores; ++core) model->l2[core] = aligned_alloc(4096, L2_BYTES);
  return model;
}

void cox_model_destroy(cox_model *model) {
  say(model, COX_LOG_INFO, "fake: destroyed");
  for (uint32_t core = 0; core < model->cores; ++core) free(model->l2[core]);
  free(model);
}

void cox_model_reset(cox_model *model, uint64_t now) {
  see_time(model, now);
  model->alarm = COX_MODEL_NEVER;
  model->resets += 1;
  for (uint32_t line = 0; line < 3; ++line) model->host.interrupt(model->host.opaque, line, 0);
  for (uint32_t core = 0; core < model->cores; ++core) memset(model->l2[core], 0x40 + (int)core, L2_BYTES);
}

int cox_model_read(cox_model *model, uint64_t now, uint32_t offset, uint32_t size, uint32_t *value) {
  (void)size;
  see_time(model, now);
  switch (offset) {
    case FAKE_ID: *value = FAKE_ID_VALUE; return 0;
    case FAKE_TIME: *value = (uint32_t)now; return 0;
    case FAKE_RESULT: *value = model->result; return 0;
    case FAKE_RESETS: *value = model->resets; return 0;
    case COX_MODEL_DMA_OFFSET + FAKE_DMA_LINE: *value = FAKE_DMA_VALUE; return 0;
    default: say(model, COX_LOG_ERROR, "fake: no such register"); return 1;
  }
}

int cox_model_write(cox_model *model, uint64_t now, uint32_t offset, uint32_t size, uint32_t value) {
  (void)size;
  see_time(model, now);
  switch (offset) {
    case FAKE_ALARM: model->alarm = now + value; return 0;
    case FAKE_ACKNOWLEDGE: model->host.interrupt(model->host.opaque, 0, 0); return 0;
    case FAKE_FAULT_LINE: model->host.interrupt(model->host.opaque, 1, (int)value); return 0;
    case COX_MODEL_DMA_OFFSET + FAKE_DMA_LINE: model->host.interrupt(model->host.opaque, 2, (int)value); return 0;
    case FAKE_SOURCE: model->source = value; return 0;
    case FAKE_DESTINATION: model->result = copy_block(model, value); return 0;
    default: say(model, COX_LOG_ERROR, "fake: no such register, or read-only"); return 1;
  }
}

void cox_model_advance(cox_model *model, uint64_t now) {
  see_time(model, now);
  if (model->alarm > now) return;
  model->alarm = COX_MODEL_NEVER;
  model->host.interrupt(model->host.opaque, 0, 1);
}

uint64_t cox_model_next_event(const cox_model *model) { return model->alarm; }

uint32_t cox_model_cores(const cox_model *model) { return model->cores; }

void *cox_model_l2(cox_model *model, uint32_t core, uint64_t *size) {
  *size = L2_BYTES;
  return model->l2[core];
}
