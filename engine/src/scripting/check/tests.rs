use crate::scripting::testing::problems_of;

#[test]
fn a_sound_script_is_sound() {
    assert_eq!(problems_of("fn act(me, prey) { roll(prey); for die in me.nest { if die.value > 2 { mark(die, \"wet\", end_of_this(\"day\")); } } }"), "");
}
