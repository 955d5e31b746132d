mod line;
mod modes;
mod options;
mod packages;
mod sheets;
mod vain;

/// What is wrong with some games, each in a test of its own.
macro_rules! tells {
    ($($name:ident: $found:expr, @$snapshot:literal)*) => {
        $(#[test] fn $name() { insta::assert_snapshot!($found, @$snapshot); })*
    };
}
use tells;

#[test]
fn a_word_of_the_language_as_a_name_is_told_once_wherever_the_name_is_used() {
    let texts = crate::testing::game(
        "sides 2
each side has { counter points }
define times(n: number) = n * 2
to play {
  let me = first of sides
  add times(2) to me.points
  if times(5) = times(1) { say \"{times(3)}\" }
  set me.points to twice(times(2))
  let top = 3
  roll 2 d6 as times
  do more(me)
  finish with sides
}
define twice(n: number) = n
",
    )
    .file("rules/pond/more.ludex", "to more(side: side) {\n  let top = times(4)\n  add twice(top, 1) to side.points\n}\n");
    let (_, problems) = texts.compile_mode("pond", "standard");
    let told: Vec<(String, usize)> = problems.iter().map(|problem| (problem.message.to_string(), problem.labels.len())).collect();
    let expected = [
        ("`top` is a word of the language and cannot be a name".to_string(), 2),
        ("`times` is a word of the language and cannot be a name".to_string(), 2),
    ];
    let mut sorted = told.clone();
    sorted.sort_unstable();
    let mut wanted = expected.to_vec();
    wanted.sort_unstable();
    assert_eq!(sorted, wanted, "{problems:#?}");
}
