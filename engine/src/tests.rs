//! What packages of text come to: read, compiled and played.

mod library;
mod scripting;
