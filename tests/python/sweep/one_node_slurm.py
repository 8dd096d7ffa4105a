# SPDX-License-Identifier: MIT
"""A Slurm of one node in a temporary folder, run by this user: munged, slurmctld and slurmd."""
from __future__ import annotations

import getpass
import os
import pathlib
import secrets
import shutil
import socket
import subprocess
import tempfile
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo")
START_SECONDS = 30.0

CONFIGURATION = """\
ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control_port}
SlurmdPort={node_port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
KillWait=1
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs={processors} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class NoSlurm(Exception):
    """Slurm is not installed or does not start here; the text says why."""


def _free_ports(count: int) -> list[int]:
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


class OneNodeSlurm:
    """Context manager. `environment` has the variables with which the programs of Slurm find it. Raises NoSlurm."""

    def __init__(self, processors: int):
        self._processors = processors
        self._daemons: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> "OneNodeSlurm":
        search = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
        missing = [program for program in PROGRAMS if shutil.which(program, path=search) is None]
        if missing:
            raise NoSlurm(f"{', '.join(missing)}: not installed (packages munge and slurm-wlm)")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cox-slurm-"))
        self.environment = {**os.environ, "PATH": search, "SLURM_CONF": str(self.folder / "slurm.conf")}
        try:
            self._write_files()
            self._start("munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key", f"--socket={self.folder}/munge/socket",
                        f"--pid-file={self.folder}/munge/pid", f"--log-file={self.folder}/munge/log", f"--seed-file={self.folder}/munge/seed")  # fmt: skip
            self._wait_for("munged", lambda: (self.folder / "munge/socket").exists())
            for daemon in ("slurmctld", "slurmd"):
                self._start(daemon, "-D", "-f", str(self.folder / "slurm.conf"))
            self._wait_for("slurmd", lambda: self.ask("sinfo", "--noheader", "--format=%T").strip() == "idle")
        except BaseException:
            self.__exit__()
            raise
        return self

    def ask(self, *words: str) -> str:
        """Returns what a program of Slurm prints; nothing if it fails."""
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, check=False, timeout=60).stdout

    def _write_files(self) -> None:
        self.folder.chmod(0o755)
        for name in ("munge", "state", "spool"):
            (self.folder / name).mkdir(mode=0o755)
        (self.folder / "munge.key").touch(mode=0o600)
        (self.folder / "munge.key").write_bytes(secrets.token_bytes(64))
        control_port, node_port = _free_ports(2)
        (self.folder / "slurm.conf").write_text(
            CONFIGURATION.format(host=socket.gethostname().partition(".")[0], user=getpass.getuser(), folder=self.folder,
                                 processors=self._processors, control_port=control_port, node_port=node_port)
        )  # fmt: skip

    def _start(self, *command: str) -> None:
        with open(self.folder / f"{command[0]}.log", "wb") as log:
            self._daemons.append(subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log))

    def _wait_for(self, what: str, condition) -> None:
        end = time.monotonic() + START_SECONDS
        while not condition():
            dead = [daemon.args[0] for daemon in self._daemons if daemon.poll() is not None]
            if dead or time.monotonic() > end:
                name = dead[0] if dead else what
                raise NoSlurm(f"{name} does not start here: {(self.folder / f'{name}.log').read_text()[-500:]}")
            time.sleep(0.1)

    def __exit__(self, *_: object) -> None:
        if len(self._daemons) > 1:
            self.ask("scancel", "--user", getpass.getuser())
        for daemon in reversed(self._daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
