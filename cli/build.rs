//! The bundled library is part of the binary, so a new or removed file in it requires a new build.

fn main() {
    for folder in ["rules", "characters", "scripts"] {
        println!("cargo::rerun-if-changed={folder}");
    }
}
