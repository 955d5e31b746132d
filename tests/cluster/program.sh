# Read by the other scripts here: makes sure that `ludex` is the program that is to be tried, and goes to the folder `$work`, where
# all is written and no library lies.
if [ -n "${LUDEX:-}" ]; then
    program=$(cd "$(dirname "$LUDEX")" && pwd)
else
    cargo build --release --manifest-path "$root/Cargo.toml"
    program=$root/target/release
fi
# Snakemake would take it for the name of the program.
unset LUDEX
export PATH=$program:$PATH
work=${CLUSTER_WORK:-$root/target/cluster}
mkdir -p "$work"
cd "$work"
