//! Where the command gets its memory from. It is a package of its own because the command is built without optimisation, and
//! because tests, benchmarks and fuzz targets, which use the command's library, are to keep the memory of the system.

#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;
