// SPDX-License-Identifier: MIT
// Load jobs of signed images: steps, errors, and protected memory against a submitter that changes its image.
#include <algorithm>
#include <cstring>

#include "coxswain/firmware/schedule/bindings.h"
#include "tests/firmware/job_ring.h"
#include "tests/firmware/signature/signed_images.h"

namespace cox::tests {
namespace {

constexpr std::size_t kLarge = 100'000;  ///< bytes of an image whose verification takes tens of steps

class SignedJobs : public JobRing {
 protected:
  void SetUp() override { policy.set(); }

  Request load_job(SignedImage image, std::uint32_t slot, std::uint64_t workspace_bytes = 16384) {
    const std::size_t at = reserve(image.bytes().size(), 48);
    std::memcpy(dram() + at, image.bytes().data(), image.bytes().size());
    Request job{};
    job.kind = Kind::load;
    job.task_slot = slot;
    job.image_address = address(at);
    job.image_bytes = image.bytes().size();
    job.workspace_bytes = workspace_bytes;
    job.workspace_address = address(reserve(job.workspace_bytes));
    return job;
  }
  /// Gives the firmware memory of its own in DRAM.
  void protect(std::size_t bytes) {
    protected_at = address(reserve(bytes));
    policy.policy.protected_memory = seen(protected_at);
    policy.policy.protected_bytes = bytes;
    policy.set();
  }

  SignaturePolicy policy;
  std::uint64_t protected_at = 0;
};

TEST_F(SignedJobs, GoodOnesRunAndOthersSayWhy) {
  SignedImage broken = sign(copy_task());
  broken.bytes().back() ^= std::byte{4};
  const std::size_t good = add(load_job(sign(copy_task()), 0));
  const std::size_t run = add(run_job(0));
  const std::size_t bad = add(load_job(broken, 1));
  const std::size_t unknown = add(load_job(sign(copy_task(), 5, second_key()), 1));
  const std::size_t old = add(load_job(sign(copy_task(), 4), 1));
  const std::size_t without = add(JobRing::load_job(copy_task(), 1));
  const std::size_t empty = add(run_job(1));
  EXPECT_EQ(serve(), 0);
  expect(good, ErrorCode::ok);
  expect(run, ErrorCode::ok);
  expect(bad, ErrorCode::bad_signature, "signature");
  expect(unknown, ErrorCode::unknown_key, "key_id");
  expect(old, ErrorCode::rolled_back, "version");
  EXPECT_EQ(outcome(old).error_value, 4);
  EXPECT_EQ(outcome(old).error_limit, 5);
  expect(without, ErrorCode::image_unsigned, "signature");
  expect(empty, ErrorCode::not_ready, "task_slot");
}

// The owner of another task runs it while a large image is verified.
TEST_F(SignedJobs, OtherJobsRunMeanwhile) {
  std::vector<std::byte> payload(kLarge);
  Request other = load_job(sign(copy_task()), 1);
  other.owner = 1;
  const std::size_t small = add(other);
  const std::size_t large = add(load_job(sign(payload), 0));
  std::size_t run = 0;
  unsigned pauses = 0;
  bool ended = false;
  device.on_feed = [&] {
    if (outcome(large).state != State::running) return;
    const bool before = board::mask_interrupts();
    device.wait();
    board::restore_interrupts(before);
    if (++pauses == 1) {
      run = jobs_;
      submit(run_job(1, 1));
    }
    ended = ended || (run != 0 && outcome(run).state == State::done);
  };
  EXPECT_EQ(serve(), 0);
  expect(small, ErrorCode::ok);
  expect(large, ErrorCode::image_magic, "magic");
  EXPECT_GT(pauses, 30U);
  EXPECT_TRUE(ended) << "before the load";
  expect(run, ErrorCode::ok);
}

TEST_F(SignedJobs, ACancelEndsTheVerification) {
  std::vector<std::byte> payload(kLarge);
  const std::size_t large = add(load_job(sign(payload), 0));
  const std::size_t next = add(load_job(sign(copy_task()), 1));
  bool cancelled = false;
  device.on_feed = [&] {
    if (cancelled || outcome(large).state != State::running) return;
    cancelled = true;
    submit(simple_job(Kind::cancel, 0, static_cast<std::uint32_t>(large)));
  };
  EXPECT_EQ(serve(), 0);
  EXPECT_EQ(static_cast<ErrorCode>(outcome(large).error), ErrorCode::cancelled);
  expect(next, ErrorCode::ok);  // the check is free again
}

// A submitter that changes image and workspace at each moment of the load: either the change is noticed, or what loads is what was signed.
TEST_F(SignedJobs, AChangeDuringTheLoadHasNoEffectInProtectedMemory) {
  protect(65536);
  TaskText text = copy_task();
  text.constants = {{0, 0, {1, 2, 3, 4, 5, 6, 7, 8}}};
  Request job = load_job(sign(text), 0);
  const std::size_t loading = add(job);
  const std::size_t run = add(run_job(0));
  device.on_feed = [&] {
    const State state = outcome(loading).state;
    if (state == State::submitted) return;
    if (state == State::running) return;
    // The image has been verified. Its source and the submitter's workspace are overwritten.
    std::memset(seen(job.image_address), 0xA5, job.image_bytes);
    std::memset(seen(job.workspace_address), 0xA5, job.workspace_bytes);
  };
  EXPECT_EQ(serve(), 0);
  expect(loading, ErrorCode::ok);
  expect(run, ErrorCode::ok);
  const std::byte *window = seen(request(run).windows[0].address);
  EXPECT_EQ(std::to_integer<int>(window[0]), 1);
  EXPECT_EQ(std::to_integer<int>(window[7]), 8);
}

TEST_F(SignedJobs, AChangeBeforeItsCopyIsNoticed) {
  protect(65536);
  Request job = load_job(sign(copy_task()), 0);
  const std::size_t loading = add(job);
  device.on_feed = [&] {
    if (outcome(loading).state == State::submitted) *(seen(job.image_address) + 200) ^= std::byte{1};
  };
  EXPECT_EQ(serve(), 0);
  expect(loading, ErrorCode::bad_signature, "signature");
}

TEST_F(SignedJobs, NoJobReachesProtectedMemory) {
  protect(65536);
  Request inside = load_job(sign(copy_task()), 1);
  inside.workspace_address = protected_at;
  Request image_inside = load_job(sign(copy_task()), 1);
  image_inside.image_address = protected_at + 48;
  Request reading = simple_job(Kind::read_faults, 0, 0);
  reading.windows[0] = {protected_at + 1024, 256};
  const std::size_t before = add(reading);
  const std::size_t good = add(load_job(sign(copy_task()), 0));
  Request run = run_job(0);
  run.windows[0].address = protected_at + 32768;
  const std::size_t window = add(run);
  const std::size_t workspace = add(inside), image = add(image_inside);
  EXPECT_EQ(serve(), 0);
  expect(before, ErrorCode::window_overlap, "windows");
  expect(good, ErrorCode::ok);
  expect(window, ErrorCode::window_overlap, "windows");
  expect(workspace, ErrorCode::window_overlap, "workspace_address");
  expect(image, ErrorCode::window_overlap, "image_address");
}

TEST_F(SignedJobs, ProtectedMemoryIsGivenBack) {
  Request first = load_job(sign(copy_task()), 0);
  const std::size_t room = firmware::job::kBlock * ((first.image_bytes + 48) / firmware::job::kBlock + 1) + first.workspace_bytes;
  protect(2 * room);
  std::vector<std::size_t> good;
  good.push_back(add(first));
  good.push_back(add(load_job(sign(copy_task()), 1)));
  const std::size_t full = add(load_job(sign(copy_task()), 2));
  Request unload = simple_job(Kind::unload, 0, 0);
  unload.task_slot = 0;
  good.push_back(add(unload));
  good.push_back(add(load_job(sign(copy_task()), 2)));
  good.push_back(add(run_job(1)));
  good.push_back(add(run_job(2)));
  EXPECT_EQ(serve(), 0);
  for (const std::size_t number : good) expect(number, ErrorCode::ok);
  expect(full, ErrorCode::no_room, "protected memory");
}

TEST_F(SignedJobs, UnsignedImagesAreCopiedToo) {
  policy.policy.allow_unsigned = true;
  protect(65536);
  const std::size_t loading = add(JobRing::load_job(copy_task(), 0));
  const std::size_t run = add(run_job(0));
  EXPECT_EQ(serve(), 0);
  expect(loading, ErrorCode::ok);
  expect(run, ErrorCode::ok);
}

TEST_F(SignedJobs, ProtectedMemoryMustBeInDram) {
  alignas(64) static std::byte elsewhere[4096];
  policy.policy.protected_memory = elsewhere;
  policy.policy.protected_bytes = sizeof(elsewhere);
  policy.set();
  const std::size_t loading = add(load_job(sign(copy_task()), 0));
  EXPECT_EQ(serve(), 0);
  expect(loading, ErrorCode::window_outside_dram, "protected memory");
}

}  // namespace
}  // namespace cox::tests
