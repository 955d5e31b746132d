#!/usr/bin/env bash
# Plays one run through Snakemake and through GNU parallel, kills what plays at random, goes on, and compares the outcome with
# one run, byte for byte. Usage: tests/cluster/run.sh [GAMES], 10,000,000 if it is left out.
#
# An engine that is not there is fetched into a folder of the script's own. One that cannot be had is left out, and said so.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export GAMES=${1:-10000000} SHARDS=64 asked="dice-challenge --count tokens"
export ASKED=$asked
work=${CLUSTER_WORK:-$root/target/cluster}
mkdir -p "$work"
cargo build --release --manifest-path "$root/Cargo.toml"
export PATH=$root/target/release:$PATH
# The library inside the program, and not the one on the disk.
cd "$work"

echo "==> one run of $GAMES games"
ludex sim $asked --games "$GAMES" > whole.txt

# Kills whatever plays a shard, every few seconds, until the work is done.
kill_at_random() {
    while kill -0 "$1" 2> /dev/null; do
        sleep $((RANDOM % 4 + 1))
        pkill -9 -f "ludex sim dice-challenge .*--shard" || true
        [ $((RANDOM % 3)) -eq 0 ] && kill -9 "$1" 2> /dev/null
    done
}

# Starts some work three times, killing it at random, lets it end the fourth time, and compares what it wrote into its folder.
attacked() {
    local name=$1
    rm -rf "$name"
    for _ in 1 2 3; do
        "by_$name" > "$name.log" 2>&1 &
        kill_at_random $! || true
        wait $! || true
    done
    "by_$name" > "$name.log" 2>&1
    cmp whole.txt "$name/result.txt"
    echo "==> $name: the same as one run"
}

by_snakemake() {
    local flags=(--directory snakemake --cores 2 --snakefile "$root/examples/cluster/Snakefile")
    snakemake "${flags[@]}" --unlock || true
    snakemake "${flags[@]}" --rerun-incomplete --keep-going --config "games=$GAMES" "shards=$SHARDS" "asked=$asked"
}

by_parallel() {
    "$root/examples/cluster/parallel.sh" parallel
}

if ! command -v snakemake > /dev/null; then
    python3 -m venv python > /dev/null && python/bin/pip install --quiet snakemake || true
    PATH=$PATH:$work/python/bin
fi
if command -v snakemake > /dev/null; then
    attacked snakemake
else
    echo "LEFT OUT: Snakemake is not installed and cannot be fetched"
fi

if ! command -v parallel > /dev/null; then
    apt-get install --yes --quiet parallel > /dev/null 2>&1 || true
fi
if command -v parallel > /dev/null; then
    attacked parallel
else
    echo "LEFT OUT: GNU parallel is not installed and cannot be fetched"
fi
