//! Makes the parsers of the grammars in `tools/editors/`, as the command of tree-sitter does.

use std::path::Path;
use std::{env, fs};

const GRAMMARS: [&str; 2] = ["tree-sitter-ludex", "tree-sitter-ludex-script"];

fn main() {
    let made = env::var("OUT_DIR").expect("cargo says where to build");
    let made = Path::new(&made);
    fs::create_dir_all(made.join("tree_sitter")).expect("the folder for headers can be made");
    fs::write(made.join("tree_sitter/parser.h"), tree_sitter_generate::PARSER_HEADER).expect("the header can be written");
    for name in GRAMMARS {
        let path = format!("../../tools/editors/{name}/src/grammar.json");
        println!("cargo::rerun-if-changed={path}");
        let grammar = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let (_, parser) = tree_sitter_generate::generate_parser_for_grammar(&grammar, Some((0, 1, 0)))
            .unwrap_or_else(|error| panic!("{path}: {error}"));
        let parser_file = made.join(format!("{name}.c"));
        fs::write(&parser_file, parser).expect("the parser can be written");
        cc::Build::new().include(made).file(parser_file).warnings(false).compile(name);
    }
}
