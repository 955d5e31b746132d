use super::testing::{played, said};

#[test]
fn a_script_runs() {
    insta::assert_snapshot!(played("fn act(me, prey) { for die in me.nest { say(text_of(die)); } }", &[]), @"");
    insta::assert_snapshot!(said("fn act(me, prey) { say(`${len(me.nest)} dice ${me.nest[0].size} ${me.nest.len()}`); let x = prey.place; if x != () { say(\"there\"); } say(\"a\" + 1 + true); }", &[]), @"");
}
