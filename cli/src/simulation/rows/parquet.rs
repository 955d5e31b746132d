//! Writes rows as a Parquet file.

use super::row::{Form, Row};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::fs::File;
use std::io;
use std::sync::Arc;

/// Number of rows that are buffered and written together.
const TOGETHER: usize = 100_000;

/// A file with one column for each value of a game and of each of its sides.
pub struct Parquet {
    writer: SerializedFileWriter<File>,
    sides: usize,
    rows: Vec<Row>,
}

impl Parquet {
    pub fn new(file: File, sides: usize) -> io::Result<Parquet> {
        let properties =
            Arc::new(WriterProperties::builder().set_created_by(format!("ludex {}", env!("CARGO_PKG_VERSION"))).build());
        let writer = SerializedFileWriter::new(file, Arc::new(schema(sides).map_err(other)?), properties).map_err(other)?;
        Ok(Parquet { writer, sides, rows: Vec::new() })
    }

    /// Writes the buffered rows as a group.
    fn write(&mut self) -> Result<(), ParquetError> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let rows = std::mem::take(&mut self.rows);
        let mut group = self.writer.next_row_group()?;
        let text = |text: &str| ByteArray::from(text);
        // Unsigned numbers keep their bits; the schema declares them as unsigned.
        column::<Int64Type>(&mut group, rows.iter().map(|row| Some(row.game as i64)), false)?;
        column::<Int64Type>(&mut group, rows.iter().map(|row| Some(row.seed as i64)), false)?;
        column::<ByteArrayType>(&mut group, rows.iter().map(|row| Some(text(row.end))), false)?;
        column::<Int64Type>(&mut group, rows.iter().map(|row| Some(row.answers as i64)), false)?;
        column::<Int64Type>(&mut group, rows.iter().map(|row| Some(row.turns as i64)), false)?;
        for side in 0..self.sides {
            let of = || rows.iter().map(|row| row.sides.get(side));
            let characters = of().map(|side| Some(text(&side.map_or(String::new(), |side| side.characters.join(",")))));
            column::<ByteArrayType>(&mut group, characters, false)?;
            column::<BoolType>(&mut group, of().map(|side| Some(side.is_some_and(|side| side.won))), false)?;
            column::<DoubleType>(&mut group, of().map(|side| side.and_then(|side| side.payoff)), true)?;
        }
        group.close().map(drop)
    }
}

impl Form for Parquet {
    fn add(&mut self, row: Row) -> io::Result<()> {
        self.rows.push(row);
        if self.rows.len() < TOGETHER { Ok(()) } else { self.write().map_err(other) }
    }

    fn finish(mut self: Box<Self>) -> io::Result<File> {
        self.write().map_err(other)?;
        self.writer.into_inner().map_err(other)
    }
}

fn other(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

/// Writes the next column. Only `optional` columns may lack values.
fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: impl Iterator<Item = Option<T::T>>,
    optional: bool,
) -> Result<(), ParquetError> {
    let mut present = Vec::new();
    let mut levels = Vec::new();
    for value in values {
        levels.push(i16::from(value.is_some()));
        present.extend(value);
    }
    let missing = || ParquetError::General("there are more columns than the schema has".to_string());
    let mut column = group.next_column()?.ok_or_else(missing)?;
    column.typed::<T>().write_batch(&present, optional.then_some(levels.as_slice()), None)?;
    column.close()
}

/// The names and types of the columns, in the order in which they are written.
fn schema(sides: usize) -> Result<Type, ParquetError> {
    let number = || LogicalType::integer(64, false);
    let mut fields = vec![
        field("game", Physical::INT64, Some(number()), false)?,
        field("seed", Physical::INT64, Some(number()), false)?,
        field("end", Physical::BYTE_ARRAY, Some(LogicalType::String), false)?,
        field("answers", Physical::INT64, Some(number()), false)?,
        field("turns", Physical::INT64, Some(number()), false)?,
    ];
    for side in 0..sides {
        fields.push(field(&format!("characters_{side}"), Physical::BYTE_ARRAY, Some(LogicalType::String), false)?);
        fields.push(field(&format!("won_{side}"), Physical::BOOLEAN, None, false)?);
        fields.push(field(&format!("payoff_{side}"), Physical::DOUBLE, None, true)?);
    }
    Type::group_type_builder("games").with_fields(fields).build()
}

fn field(name: &str, physical: Physical, logical: Option<LogicalType>, optional: bool) -> Result<Arc<Type>, ParquetError> {
    let repetition = if optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let built = Type::primitive_type_builder(name, physical).with_repetition(repetition).with_logical_type(logical).build();
    built.map(Arc::new)
}
