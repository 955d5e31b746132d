//! The files that come with Ludex.

use super::{FormatKind, formatted, remarks, tree};
use std::fs;
use std::path::Path;

/// All rules and scripts of the bundled library and of the examples, by their paths.
pub fn files() -> Vec<(String, String, FormatKind)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the package is two folders below the root");
    let mut files = Vec::new();
    for folder in ["rules", "scripts", "examples"] {
        gather(&root.join(folder), &mut files);
    }
    files.sort_by(|one, other| one.0.cmp(&other.0));
    files
}

fn gather(folder: &Path, files: &mut Vec<(String, String, FormatKind)>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        let name = path.to_string_lossy().into_owned();
        if path.is_dir() {
            gather(&path, files);
        } else if let Some(written) = FormatKind::by_name(&name) {
            files.push((name, fs::read_to_string(&path).expect("it is text").replace("\r\n", "\n"), written));
        }
    }
}

#[test]
fn formatting_changes_nothing_but_the_layout() {
    let files = files();
    assert!(files.len() > 150, "{} files", files.len());
    for (name, text, written) in files {
        let formatted = formatted(&text, written);
        assert_eq!(tree(&formatted, written), tree(&text, written), "{name}");
        assert_eq!(remarks(&formatted, written), remarks(&text, written), "{name}");
    }
}
