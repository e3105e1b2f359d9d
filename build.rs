//! The packs of this repository are part of the binary: it is built anew when a file is added.

fn main() {
    println!("cargo::rerun-if-changed=rules");
    println!("cargo::rerun-if-changed=scripts");
}
