//! The messages to the person who starts the server: where the tables are, and the links to give out.

use super::address::Origin;
use super::links::Place;
use super::sitting::Table;
use crate::output;
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use serde_json::{Value, json};

/// Prints each table with its new links, on a terminal also as QR codes. `origin` is the address of the server.
pub fn print_tables(tables: &[Table], origin: &Origin) {
    for table in tables {
        output::print_line(&output::heading_text(&table.title));
        output::print_line(&format!("  to watch        {}", watch_address(origin, table)));
        for link in &table.made {
            output::print_line(&format!(
                "  {:<14}  {}",
                place_name(table, link.place),
                place_address(origin, table, link.place, &link.secret)
            ));
        }
        if table.goes_on && table.made.is_empty() {
            output::print_line("  it continues where it was; the old links still work, and `--new-links` makes new ones");
        }
        if let Some(path) = &table.recording {
            output::print_line(&format!("  kept in         {}", path.display()));
        }
        if output::is_terminal() {
            table.made.iter().filter(|link| link.place != Place::Owner).for_each(|link| {
                print_qr_code(&place_name(table, link.place), &place_address(origin, table, link.place, &link.secret));
            });
        }
    }
}

/// Prints the same as one object for programs.
pub fn print_tables_json(tables: &[Table], origin: &Origin) {
    let table = |table: &Table| {
        let link = |link: &super::links::NewLink| match link.place {
            Place::Owner => json!({ "owner": true, "link": place_address(origin, table, link.place, &link.secret) }),
            Place::Seat(seat) => {
                json!({ "seat": seat, "name": place_name(table, link.place), "link": place_address(origin, table, link.place, &link.secret) })
            }
        };
        json!({
            "title": table.title,
            "watch": watch_address(origin, table),
            "links": table.made.iter().map(link).collect::<Vec<Value>>(),
            "goes_on": table.goes_on,
            "recording": table.recording,
        })
    };
    output::print_json(&json!({
        "ludex": 1,
        "command": "serve",
        "address": origin.to_string(),
        "tables": tables.iter().map(table).collect::<Vec<Value>>(),
    }));
}

/// The address at which everybody can watch a table.
fn watch_address(origin: &Origin, table: &Table) -> String {
    format!("{origin}/t/{}/", table.id)
}

/// The link to a place with its secret. Browsers never send the part after the `#`.
pub fn place_address(origin: &Origin, table: &Table, place: Place, secret: &str) -> String {
    format!("{}{}#{secret}", watch_address(origin, table), place_path(place))
}

/// The path of a place below that of its table.
pub fn place_path(place: Place) -> String {
    match place {
        Place::Owner => "owner/".to_string(),
        Place::Seat(seat) => format!("seat/{seat}/"),
    }
}

/// The name of a place for people.
fn place_name(table: &Table, place: Place) -> String {
    match place {
        Place::Owner => "the owner".to_string(),
        Place::Seat(seat) => table.seats.get(seat).map_or_else(|| format!("seat {seat}"), |(name, _)| name.clone()),
    }
}

/// Prints a QR code. Terminals are mostly dark, so its light parts are drawn.
fn print_qr_code(who: &str, link: &str) {
    // A link is never too long for a code.
    let Ok(code) = QrCode::new(link.as_bytes()) else { return };
    let drawn = code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build();
    output::print_line(&format!("\n{who}"));
    output::print_line(&drawn);
}
