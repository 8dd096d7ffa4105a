// SPDX-License-Identifier: MIT
#include "examples/threads/kernel.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "coxswain/hal/board.h"
#include "examples/threads/context.h"

struct cox_example_semaphore {
  UBaseType_t count;
  UBaseType_t maximum;
};

namespace {

namespace core = cox::examples::threads;

constexpr std::size_t kMostTasks = 8, kMostSemaphores = 16;
constexpr std::uint64_t kMicrosecondsPerTick = 1000;

struct Task {
  core::Context context;
  TaskFunction_t function = nullptr;  ///< null after the task has ended
  void *argument = nullptr;
  SemaphoreHandle_t awaited = nullptr;
  std::uint64_t deadline = UINT64_MAX;  ///< in microseconds

  [[nodiscard]] bool is_ready(std::uint64_t now) const {
    return function != nullptr && (awaited == nullptr || awaited->count != 0 || now >= deadline);
  }
};

std::array<Task, kMostTasks> tasks;
std::size_t task_count = 0;
Task *running = nullptr;  ///< null while the kernel itself runs
core::Context scheduler;
std::array<cox_example_semaphore, kMostSemaphores> semaphores;
std::size_t semaphore_count = 0;
std::uint32_t nesting = 0;
std::uint32_t outer_mask = 0;

/// The first function of each task.
void run_task() {
  running->function(running->argument);
  running->function = nullptr;
  core::switch_context(running->context, scheduler);
}

bool is_any_alive() {
  return std::any_of(tasks.begin(), tasks.end(), [](const Task &task) { return task.function != nullptr; });
}

bool is_idle() {
  const std::uint64_t now = cox::board::microseconds();
  return std::none_of(tasks.begin(), tasks.end(), [now](const Task &task) { return task.is_ready(now); });
}

}  // namespace

BaseType_t xTaskCreate(TaskFunction_t function, const char * /*name*/, uint32_t /*stack_words*/, void *argument, UBaseType_t /*priority*/,
                       void * /*handle*/) {
  if (task_count == kMostTasks) return pdFALSE;
  Task &task = tasks[task_count];
  task.function = function;
  task.argument = argument;
  core::make_context(task.context, task_count++, run_task);
  return pdPASS;
}

void vTaskStartScheduler() {
  core::begin(scheduler);
  while (is_any_alive()) {
    for (Task &task : tasks) {
      if (!task.is_ready(cox::board::microseconds())) continue;
      running = &task;
      core::switch_context(scheduler, task.context);
      running = nullptr;
    }
    if (is_any_alive()) core::sleep(is_idle);
  }
}

void taskYIELD() {
  if (running != nullptr) core::switch_context(running->context, scheduler);
}

TickType_t xTaskGetTickCount() { return static_cast<TickType_t>(cox::board::microseconds() / kMicrosecondsPerTick); }

SemaphoreHandle_t xSemaphoreCreateCounting(UBaseType_t maximum, UBaseType_t initial) {
  if (semaphore_count == kMostSemaphores) return nullptr;
  SemaphoreHandle_t const made = &semaphores[semaphore_count++];
  *made = {initial, maximum};
  return made;
}

BaseType_t xSemaphoreTake(SemaphoreHandle_t semaphore, TickType_t ticks) {
  running->awaited = semaphore;
  running->deadline = ticks == portMAX_DELAY ? UINT64_MAX : cox::board::microseconds() + ticks * kMicrosecondsPerTick;
  core::switch_context(running->context, scheduler);
  running->awaited = nullptr;
  running->deadline = UINT64_MAX;
  taskENTER_CRITICAL();
  const bool is_given = semaphore->count != 0;
  if (is_given) --semaphore->count;
  taskEXIT_CRITICAL();
  return is_given ? pdTRUE : pdFALSE;
}

BaseType_t xSemaphoreGiveFromISR(SemaphoreHandle_t semaphore, BaseType_t * /*woken*/) {
  if (semaphore->count == semaphore->maximum) return pdFALSE;
  ++semaphore->count;
  return pdTRUE;
}

void taskENTER_CRITICAL() {
  const std::uint32_t before = ulPortRaiseBASEPRI();
  if (nesting++ == 0) outer_mask = before;
}

void taskEXIT_CRITICAL() {
  if (--nesting == 0) vPortSetBASEPRI(outer_mask);
}
