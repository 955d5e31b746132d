//! The bundled library is part of the binary: a new or removed file in it means a new binary.

fn main() {
    for folder in ["rules", "characters", "scripts"] {
        println!("cargo::rerun-if-changed={folder}");
    }
}
