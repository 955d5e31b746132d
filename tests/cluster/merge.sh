#!/usr/bin/env bash
# Merges very many shards, and says how long that takes and how much memory. What comes out is compared with one run.
#
#   tests/cluster/merge.sh [SHARDS [GAMES]]    10,000 shards of 100,000 games of Pig, if they are left out
#
# ASKED, LUDEX and CLUSTER_WORK are those of run.sh. Shards that are there already are not played again.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
shards=${1:-10000} games=${2:-100000} asked=${ASKED:-pig}
export LUDEX_LIBRARY=${LUDEX_LIBRARY:-$root/examples/classics}
# shellcheck source=tests/cluster/program.sh
source "$root/tests/cluster/program.sh"

folder=merged-$shards-of-$games
width=$(printf '%s' $((shards - 1)) | wc -c)
mkdir -p "$folder"
echo "==> $shards shards of $games games of $asked"
for number in $(seq 0 $((shards - 1))); do
    file=$(printf "%s/shard-%0${width}d-of-%d.json" "$folder" "$number" "$shards")
    # shellcheck disable=SC2086 # each of them is a word
    [ -e "$file" ] || ludex sim $asked --games "$games" --threads 1 --shard "$number/$shards" --out "$folder" > /dev/null
done

# Seconds by the clock, and the most memory that was held, from the system's own account.
python3 - "$folder" > merged.txt << 'END'
import resource
import subprocess
import sys
import time

begun = time.monotonic()
merged = subprocess.run(["ludex", "merge", sys.argv[1]], stdout=subprocess.PIPE, check=True)
seconds = time.monotonic() - begun
used = resource.getrusage(resource.RUSAGE_CHILDREN)
sys.stdout.buffer.write(merged.stdout)
print(f"==> merged in {seconds:.2f} s, {used.ru_utime:.2f} s of a processor, {used.ru_maxrss // 1024} MiB at most", file=sys.stderr)
END
# shellcheck disable=SC2086 # each of them is a word
ludex sim $asked --games "$games" > whole-merged.txt
cmp whole-merged.txt merged.txt
echo "==> the same as one run"
