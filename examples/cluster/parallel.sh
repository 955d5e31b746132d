#!/usr/bin/env bash
# One run on all cores by GNU parallel:   parallel.sh FOLDER
#
# `--resume-failed` with the log plays only what is missing when this is started again. With `--sshlogin HOST,…` the
# shards are played on other machines that share the folder.
set -euo pipefail

folder=$1
games=${GAMES:-1000000} shards=${SHARDS:-64} asked=${ASKED:-dice-challenge --all-pairs}

mkdir -p "$folder"
seq 0 $((shards - 1)) | parallel --joblog "$folder/log" --resume-failed --retries 3 \
    "ludex sim $asked --games $games --threads 1 --shard {}/$shards --out $folder/shards"
ludex merge "$folder/shards" > "$folder/result.txt"
