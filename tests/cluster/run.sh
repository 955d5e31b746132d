#!/usr/bin/env bash
# Plays one run through Snakemake and through GNU parallel, kills what plays at random, goes on, and compares the outcome with
# one run, byte for byte.
#
#   tests/cluster/run.sh [GAMES [SHARDS]]      10,000,000 games of Pig in 64 shards, if they are left out
#
#   ASKED="dice-challenge --all-pairs"         something else than Pig, as `ludex sim` is asked for it
#   LUDEX=target/debug/ludex                   this program, and not one that is built for speed first
#   CLUSTER_WORK=FOLDER                        where all is written; target/cluster if it is left out
#
# An engine that is not there is fetched into the folder where all is written. One that cannot be had is left out, and said so.
# Only processes that this script has started are killed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export GAMES=${1:-10000000} SHARDS=${2:-64} ASKED=${ASKED:-pig}
export LUDEX_LIBRARY=${LUDEX_LIBRARY:-$root/examples/classics}
# shellcheck source=tests/cluster/program.sh
source "$root/tests/cluster/program.sh"

echo "==> one run of $GAMES games of $ASKED"
# shellcheck disable=SC2086 # each of them is a word
ludex sim $ASKED --games "$GAMES" > whole.txt

# All that a process has started, and what those have started.
started_by() {
    local child
    for child in $(pgrep -P "$1" || true); do
        echo "$child"
        started_by "$child"
    done
}

# Those of them that play a shard.
players_of() {
    local process
    for process in $(started_by "$1"); do
        [ "$(cat "/proc/$process/comm" 2> /dev/null)" = ludex ] && echo "$process"
    done
    return 0
}

# Kills whatever plays a shard for a process, again and again, and in the end the process with all that it has started.
kill_at_random() {
    local engine=$1 player players all before
    before=$(grep -c shard killed || true)
    while kill -0 "$engine" 2> /dev/null; do
        sleep "0.$((RANDOM % 10))"
        players=$(players_of "$engine")
        for player in $players; do
            if [ $((RANDOM % 2)) -eq 0 ] && kill -9 "$player" 2> /dev/null; then
                echo "killed a shard" >> killed
            fi
        done
        if [ $((RANDOM % 3)) -eq 0 ] && [ "$(grep -c shard killed || true)" -gt "$before" ]; then
            all=$(started_by "$engine")
            kill -9 "$engine" 2> /dev/null && echo "killed the engine" >> killed
            # shellcheck disable=SC2086 # each of them is a word
            [ -z "$all" ] || kill -9 $all 2> /dev/null || true
        fi
    done
}

# Starts some work three times, killing it at random, lets it end the fourth time, and compares what it wrote into its folder.
attacked() {
    local name=$1 engine
    rm -rf "$name" killed
    touch killed
    for _ in 1 2 3; do
        "by_$name" > "$name.log" 2>&1 &
        engine=$!
        kill_at_random "$engine"
        wait "$engine" 2> /dev/null || true
    done
    echo "==> $name: $(grep -c shard killed || true) shards and $(grep -c engine killed || true) times the engine were killed"
    "by_$name" > "$name.log" 2>&1
    cmp whole.txt "$name/result.txt"
    echo "==> $name: the same as one run"
}

by_snakemake() {
    local flags=(--directory snakemake --cores 2 --snakefile "$root/examples/cluster/Snakefile")
    snakemake "${flags[@]}" --unlock || true
    snakemake "${flags[@]}" --rerun-incomplete --keep-going --config "games=$GAMES" "shards=$SHARDS" "asked=$ASKED"
}

by_parallel() {
    "$root/examples/cluster/parallel.sh" parallel
}

if ! command -v snakemake > /dev/null; then
    { [ -x python/bin/snakemake ] || { python3 -m venv python && python/bin/pip install --quiet snakemake; }; } || true
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
