//! What a layout looks like.

use super::{FormatKind, format_text, formatted};
use ludex_syntax::source::SourceId;

fn rules(text: &str) -> String {
    formatted(text, FormatKind::Rules)
}

fn script(text: &str) -> String {
    formatted(text, FormatKind::Script)
}

#[test]
fn blanks_are_where_they_belong() {
    let written = "ludex   1\ngame pond\t\"Pond\"\n\n\n\nsides 2\nto play{ do  hop( first of sides ,1 )   say \"{ 1+1 }\"}\n\
                   define far( side:side ):number=- ( side.pebbles+1 )*2\noption most=3 in 1 .. 9\npiece frog(frogs){}\n";
    let wanted = "ludex 1\ngame pond \"Pond\"\n\nsides 2\nto play { do hop(first of sides, 1)  say \"{ 1+1 }\" }\n\
                  define far(side: side): number = -(side.pebbles + 1) * 2\noption most = 3 in 1..9\npiece frog (frogs) {}\n";
    assert_eq!(rules(written), wanted);
}

#[test]
fn lines_are_indented_by_what_they_go_on_with() {
    let written = "
to play {
if 1 = 1
and 2 = 2
or 3 = 3 {
say \"a\"
    # at the end
        }
            else { say \"b\" }
repeat at most 3 times { leave }
otherwise { finish with nobody }
}
  define near(side: side) =
  if side.pebbles > 1
  and side.pond is empty
  then 1
  else if side.pebbles > 2 then 2
  else 3
  action hop(frog in side.pond,
  leaf in side.pond) is hopping
  when frog is wet
  else \"too dry\"
  do {
  move frog to
  leaf
  }
";
    let wanted = "\
to play {
  if 1 = 1
    and 2 = 2
    or 3 = 3 {
      say \"a\"
      # at the end
    }
  else { say \"b\" }
  repeat at most 3 times { leave }
  otherwise { finish with nobody }
}
define near(side: side) =
  if side.pebbles > 1
    and side.pond is empty
  then 1
  else if side.pebbles > 2 then 2
  else 3
action hop(frog in side.pond,
           leaf in side.pond) is hopping
  when frog is wet
    else \"too dry\"
  do {
    move frog to
      leaf
  }
";
    assert_eq!(rules(written), wanted);
}

#[test]
fn rule_ids_and_comments_have_columns_of_their_own() {
    let written = "
# --- the pond
each side has {
  zone pond: frogs @PO-1 @PO-2
  counter pebbles  # so far
  counter leaves of_a_name_that_is_so_long ## as long as this
  mark wet \"is wet and everybody knows about it and has known for a long time now\" @PO-3 # far
}
";
    let wanted = "\
# --- the pond
each side has {
  zone pond: frogs                                                      @PO-1 @PO-2
  counter pebbles                    # so far
  counter leaves                     ## as long as this
  mark wet \"is wet and everybody knows about it and has known for a long time now\"   @PO-3   # far
}
";
    assert_eq!(rules(&written.replace(" of_a_name_that_is_so_long", "")), wanted);
}

#[test]
fn notes_that_are_read_where_a_line_begins_stay_there() {
    let text = "#! game pond\n#! replaces\nto play {\n  #! game of chance\n  say \"a\"\n}\n";
    assert_eq!(rules(text), text);
}

#[test]
fn headers_are_laid_out_and_functions_indented() {
    let written = "//! game   pond
//!ability hop \"Hop\"  @PO-4
//!\"Hops.\"
//!


//!   uses 1 per turn
// for the frogs
//!offer hop( frog in me.pond )at turn_begins( active )
//!when active is me
fn hop(frog) {
if frog.wet
&& frog.size>1 {   
for i in 0..2 {
roll( frog,
\"why\" ); // DC-1
      // last
}
}
else { say(`
   as it is   
  ${frog}  `); }
/* also
 this */
}
";
    let wanted = "//! game pond
//! ability hop \"Hop\"                                                   @PO-4
//!   \"Hops.\"
//!
//! uses 1 per turn
// for the frogs
//! offer hop(frog in me.pond) at turn_begins(active)
//!   when active is me
fn hop(frog) {
    if frog.wet
        && frog.size>1 {
        for i in 0..2 {
            roll( frog,
                \"why\" ); // DC-1
            // last
        }
    }
    else { say(`
   as it is   
  ${frog}  `); }
    /* also
 this */
}
";
    assert_eq!(script(written), wanted);
}

#[test]
fn what_is_not_well_written_is_refused_with_its_place() {
    for (text, written) in [
        ("to play { say \"a\"\n", FormatKind::Rules),
        ("to play { set a = 1 }\n", FormatKind::Rules),
        ("fn hop() {}\n", FormatKind::Script),
        ("//! ability hop \"Hop\"\nfn hop() { let a = ; }\n", FormatKind::Script),
        ("", FormatKind::Rules),
    ] {
        let problems = format_text(text, SourceId(0), written).expect_err(text);
        assert!(problems.iter().all(|problem| problem.is_error() && !problem.labels.is_empty()), "{text}: {problems:?}");
    }
}
