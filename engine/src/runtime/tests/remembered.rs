//! Definitions that are asked again and again are remembered until something changes. Where everything is checked, each value
//! that is remembered is worked out again and compared, so every other test of play attacks this, too.

use crate::testing::game;
use ludex_program::Expr;

const RULES: &str = r#"
sides 2
piece tile (tiles) { value: number }
each side has { zone hand: tiles, open  coins: number in 0..9 }
define copies(side: side, value: number) = count of (side.hand where it.value = value)
define doubled(side: side) = count of (side.hand where copies(side, it.value) > 1)
to lay(side: side, value: number) { create tile(value: value) in side.hand for side }
"#;

fn said(statements: &str) -> Vec<String> {
    let rules =
        format!("{RULES}\nto play {{ let me = first of sides  do lay(me, 2)  do lay(me, 3)  do lay(me, 3)  {statements} }}");
    game(&rules).play().new_said_texts()
}

#[test]
fn a_change_is_seen_at_once() {
    let told = said(
        "let one = first of me.hand  if one is none { stop }
        say \"{doubled(me)}\"
        set one.value to 3
        say \"{doubled(me)}\"
        each tile in me.hand { set tile.value to doubled(me) }
        say \"{doubled(me)} {copies(me, 3)} {copies(me, 0)}\"
        each tile in me.hand { move tile to me.foe.hand  say \"{doubled(me)} {doubled(me.foe)}\" }",
    );
    assert_eq!(told, ["2", "3", "3 3 0", "2 0", "0 2", "0 3"]);
}

#[test]
fn what_is_only_supposed_is_not_remembered() {
    let told = said(
        "let one = first of me.hand  if one is none { stop }
        say \"{doubled(me)} {supposing one.value = 3 then doubled(me)} {doubled(me)}\"
        say \"{count of (me.hand where 5 = doubled(me) + (supposing it.value = 3 then doubled(me)))}\"",
    );
    assert_eq!(told, ["2 3 2", "1"]);
}

/// Each member has arguments of its own where it is an argument itself, and what is asked once is asked once.
#[test]
fn only_what_is_asked_again_with_the_same_arguments_is_remembered() {
    let remembered = |value: &str| {
        let rules = format!(
            "{RULES}\ndefine asked(side: side, one: tile) = {value}\nto play {{ let me = first of sides  do lay(me, 2)  let one = first of me.hand  if one is none {{ stop }}  say \"{{asked(me, one)}}\" }}"
        );
        let program = game(&rules).program();
        let is_remembered = |expr: &Expr| matches!(expr, Expr::Remembered { .. });
        let texts = program.texts.iter().flatten();
        texts
            .filter_map(|part| match part {
                ludex_program::TextPart::Hole(expr, _) => Some(expr.contains(&is_remembered)),
                _ => None,
            })
            .any(|found| found)
    };
    assert!(remembered("count of (side.hand where copies(side, it.value) = 1)"));
    assert!(remembered("count of (side.hand where copies(side, 3) = 1)"));
    assert!(!remembered("copies(side, one.value)"));
    assert!(!remembered("count of ((1..3) where copies(side, it) = 1)"));
    assert!(!remembered("count of (side.hand where copies(side, it.value + 1) = 1)"));
}

/// Of a new thing the rest is worked out from what it has already, one field after the other.
#[test]
fn first_values_see_those_before_them() {
    let rules = r#"
sides 2
piece tile (tiles) {
  value: number = 4
  twins: number = doubled(owner)
  all: number = doubled(owner) + twins
}
each side has { zone hand: tiles, open }
define copies(side: side, value: number) = count of (side.hand where it.value = value)
define doubled(side: side) = count of (side.hand where copies(side, it.value) > 1)
to play {
  let me = first of sides
  create tile() in me.hand for me
  create tile() in me.hand for me
  let last = last of me.hand
  if last is none { stop }
  say "{last.value} {last.twins} {last.all}"
}
"#;
    assert_eq!(game(rules).play().new_said_texts(), ["4 2 4"]);
}
