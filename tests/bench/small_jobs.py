# SPDX-License-Identifier: MIT
"""What a small job costs the control core beside the dispatch of its program: many jobs of one owner in one boot, and one job by itself."""
import dataclasses
import json
import subprocess

CYCLES_AN_INSTRUCTION = 2  # device cycles, with -icount shift=1


@dataclasses.dataclass
class Figures:
    count: int  # jobs in one boot
    dispatching: int  # control core instructions of a job by itself, from its first doorbell to its last completion
    instructions: float  # control core instructions of one of the jobs in one boot
    by_itself: int  # device cycles of a job by itself
    cycles: float  # device cycles of one of the jobs in one boot

    @property
    def overhead(self):
        return self.instructions - self.dispatching


def statistics_of(cox, out, *options):
    path = out / "small_jobs.stats.json"
    subprocess.run([cox, "run", *options, "--quiet", "--stats", path], check=True, stdout=subprocess.DEVNULL)
    return json.loads(path.read_text())


def measure(cox, task, tensors, out):
    """`tensors` gives for each input tensor the bytes of all jobs and the number of bytes of one job."""
    single, every, jobs = [], [], {}
    for name, (values, size) in tensors.items():
        one, all_jobs = out / f"small_jobs.{name}.one", out / f"small_jobs.{name}.all"
        one.write_bytes(values[:size])
        all_jobs.write_bytes(values)
        single += ["--in", f"{name}={one}"]
        every += ["--in", f"{name}={all_jobs}"]
        jobs[name] = str(all_jobs)
    boot = statistics_of(cox, out, task, *every)["boot_cycles"]
    alone = statistics_of(cox, out, task, *single)
    job_list = out / "small_jobs.json"
    job_list.write_text(json.dumps([{"task": str(task), "inputs": jobs}]))
    together = statistics_of(cox, out, "--jobs", job_list)
    count, cycles = len(together["jobs"]), max(job["end_cycle"] for job in together["jobs"])
    awake = (1 - together["asleep"]) * (boot + cycles) - boot  # the core does not sleep before the first job
    return Figures(count=count, dispatching=alone["control_core_instructions"], instructions=awake / CYCLES_AN_INSTRUCTION / count,
                   by_itself=alone["end_cycle"], cycles=cycles / count)
