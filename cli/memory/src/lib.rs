//! The command's memory allocator. It is a package of its own for two reasons: the command is built without optimisation, and
//! tests, benchmarks and fuzz targets, which use the command's library, must keep the system allocator.

#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;
