//! What is asked of a list that is worked out where it stands is told without making the list.

use crate::testing::game;

/// What is asked of two lists: of one that is worked out where it stands, and of one that was made before.
const RULES: &str = r#"
    sides 2
    the table has { kept: list of number in 0..9, at most 3, shown }
    define size(xs: list of number) = count of xs
    define sorts_of(xs: list of number) = count of sorts of xs
    define upper(xs: list of number) = highest of xs
    define lower(xs: list of number) = lowest of xs
    define all_of_it(xs: list of number) = [count of xs, count of sorts of xs, highest of xs, lowest of xs, sum of xs]
    to play { STATEMENTS finish with nobody }"#;

fn said(statements: &str) -> Vec<String> {
    game(&RULES.replace("STATEMENTS", statements)).play().new_said_texts()
}

#[test]
fn what_is_told_without_a_list_is_what_the_list_tells() {
    let asks = |list: &str| {
        format!(
            "let made = {list}  say \"{{all_of_it({list}) = [size(made), sorts_of(made), upper(made), lower(made), sum of made]}}\"
             say \"{{size({list}) = count of made}} {{sorts_of({list}) = count of sorts of made}}\"
             say \"{{upper({list}) = highest of made}} {{lower({list}) = lowest of made}}\""
        )
    };
    let lists = ["(a - 3..b - 3)", "(a..a + b - 1)", "(b..7)", "(2..a)", "[a]", "[a - b, a - b]", "[a, b, a]", "(a + b..a)"];
    let all: String = lists.map(asks).join("\n");
    let told = said(&format!("count a from 1 to 5 {{ count b from 1 to 5 {{ {all} }} }}"));
    assert_eq!(told.len(), 5 * 5 * lists.len() * 3);
    assert!(told.iter().all(|text| !text.contains("no")), "{told:?}");
}

#[test]
fn what_a_field_keeps_is_counted_in_its_cell() {
    let count = "say \"{count of kept} {kept is empty} {size(kept)} {highest of kept} {any of kept has it > 4} {4 in kept}\"";
    let told = said(&format!("{count}  set kept to [4, 4, 5]  {count}  set kept to [1]  {count}"));
    assert_eq!(told, ["0 yes 0 0 no no", "3 no 3 5 yes yes", "1 no 1 1 no no"]);
}
