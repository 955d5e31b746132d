#!/usr/bin/env bash
# One run as an array of jobs:   sbatch slurm.sh FOLDER
#
# Slurm starts this file once for each shard. `sbatch --dependency=afterok:JOB --wrap "ludex merge FOLDER/shards"` puts them
# together when all have ended well; `sbatch --array=7,19 slurm.sh FOLDER` plays shards 7 and 19 again.
#SBATCH --job-name=ludex
#SBATCH --array=0-63
#SBATCH --cpus-per-task=1
#SBATCH --mem=512M
#SBATCH --time=01:00:00
#SBATCH --requeue
set -euo pipefail

# Always 64, also where only some are played again.
ludex sim dice-challenge --all-pairs --games 1000000 --threads 1 --shard "$SLURM_ARRAY_TASK_ID/64" --out "$1/shards"
