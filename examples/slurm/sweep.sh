#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a sweep on a Slurm cluster (README.md):
#   sweep.sh WORKERS SWEEP.toml [option of cox sweep]...
# Variables: COXSWAIN_COX is the program cox (default: the one on the PATH). COX_SBATCH_OPTIONS, COX_SCHEDULER_OPTIONS and
# COX_WORKER_OPTIONS are more options of sbatch, dask-scheduler and dask-worker.
set -eu
if [ $# -lt 2 ]; then
  echo "usage: sweep.sh WORKERS SWEEP.toml [option of cox sweep]..." >&2
  exit 2
fi
workers=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
COXSWAIN_COX=$(readlink -f "$(command -v "${COXSWAIN_COX:-cox}")") || {
  echo "sweep.sh: there is no program '${COXSWAIN_COX:-cox}'; name it with COXSWAIN_COX" >&2
  exit 2
}
export COXSWAIN_COX

# The package is beside the program: in an installation, or in the source tree of build/host/bin/cox.
prefix=$(dirname "$(dirname "$COXSWAIN_COX")")
package=$prefix/lib/python3/dist-packages
if [ ! -d "$package/coxswain" ]; then package=$(readlink -f "$prefix/../../python"); fi
export PYTHONPATH="$package${PYTHONPATH:+:$PYTHONPATH}"

folder=$(mktemp -d)
scheduler=
array=
# Called by the shell at its end.
finish() {
  if [ -n "$array" ]; then scancel "$array" || true; fi
  if [ -n "$scheduler" ]; then kill "$scheduler" 2>/dev/null || true; fi
  rm -rf "$folder"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The scheduler writes its address to a file once it listens. By default it takes a free port, and the address that other computers see.
# shellcheck disable=SC2086  # several options
/usr/bin/python3 -m distributed.cli.dask_scheduler --port 0 --scheduler-file "$folder/scheduler.json" ${COX_SCHEDULER_OPTIONS:-} \
  >"$folder/scheduler.log" 2>&1 &
scheduler=$!
while [ ! -s "$folder/scheduler.json" ]; do
  if ! kill -0 "$scheduler" 2>/dev/null; then
    echo "sweep.sh: the scheduler did not start:" >&2
    cat "$folder/scheduler.log" >&2
    exit 4
  fi
  sleep 0.2
done
address=$(/usr/bin/python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["address"])' "$folder/scheduler.json")

# shellcheck disable=SC2086  # several options
array=$(sbatch --parsable --array="1-$workers" ${COX_SBATCH_OPTIONS:-} "$here/workers.sbatch" "$address")
echo "sweep.sh: scheduler $address, workers: job $array" >&2
"$COXSWAIN_COX" sweep --scheduler "$address" "$@"
