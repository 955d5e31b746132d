//! What one seat may know of the state.

use serde::Serialize;
use std::collections::BTreeMap;

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    Seat(usize),
    Spectator,
    /// Everything: for referees' tools and tests only.
    Trusted,
}

/// The table as one viewer may know it. Serialises to the `view` of the protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    pub seat: Option<usize>,
    /// The side whose turn it is, as the innermost scope with a side says.
    pub active: Option<usize>,
    pub table: TableView,
    pub sides: Vec<SideView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Default)]
pub struct TableView {
    pub counters: BTreeMap<String, String>,
    pub zones: BTreeMap<String, ZoneView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SideView {
    pub side: usize,
    /// Ids of the side's entrants.
    pub entrants: Vec<String>,
    /// Their names.
    pub names: Vec<String>,
    pub counters: BTreeMap<String, String>,
    pub uses: BTreeMap<String, UsesView>,
    /// The side's zones and, if it has one entrant, that entrant's.
    pub zones: BTreeMap<String, ZoneView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UsesView {
    pub left: i32,
    pub per: String,
}

/// What lies in a zone: the pieces, or only how many.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ZoneView {
    Seen(Vec<PieceInZone>),
    Hidden { count: usize },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PieceInZone {
    pub id: usize,
    pub kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i32>,
    /// The side it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<usize>,
    pub marks: Vec<String>,
    pub under: Vec<usize>,
}
