//! Writes rows as lines of JSON.

use super::row::{Row, RowWriter};
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{self, BufWriter, Write};

pub struct Lines(BufWriter<File>);

impl Lines {
    pub fn new(file: File) -> Lines {
        Lines(BufWriter::new(file))
    }
}

impl RowWriter for Lines {
    fn add(&mut self, row: Row) -> io::Result<()> {
        writeln!(self.0, "{}", row_json(&row))
    }

    fn finish(self: Box<Self>) -> io::Result<File> {
        self.0.into_inner().map_err(|error| error.into_error())
    }
}

/// One game as an object. The keys are the same as the columns in Parquet.
fn row_json(row: &Row) -> Value {
    let mut object = Map::new();
    let mut add = |name: String, value: Value| object.insert(name, value);
    add("game".to_string(), json!(row.game));
    add("seed".to_string(), json!(row.seed));
    add("end".to_string(), json!(row.end));
    add("answers".to_string(), json!(row.answers));
    add("turns".to_string(), json!(row.turns));
    for (number, side) in row.sides.iter().enumerate() {
        add(format!("characters_{number}"), json!(side.characters.join(",")));
        add(format!("won_{number}"), json!(side.won));
        add(format!("payoff_{number}"), json!(side.payoff));
    }
    Value::Object(object)
}
