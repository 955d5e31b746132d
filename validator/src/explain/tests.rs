use super::*;

#[test]
fn a_code_is_explained_with_its_example() {
    insta::assert_snapshot!(explain_code("lx0202", 72).expect("a code"), @r#"
    LX0202: a tab is used where only spaces are allowed

    YAML uses the spaces at the start of a line to see what belongs
    together, and a tab has no fixed width. Replace tabs at the start of
    lines, and after a `:` or `-`, with spaces. Most editors can do this for
    the whole file, and can be set to insert spaces from then on.

    Between a name and its number or list, use a `:` and a space instead of
    a tab, as in `otter: 2`. A tab inside a text only causes a warning. It
    looks like spaces, but `Tom` and `Cat` with a tab between them are not
    the same name as `Tom Cat`.

    For example:

        name: Newt
        nest:
        →   - 4

    Fixed:

        name: Newt
        nest:
          - 4
    "#);
}

#[test]
fn an_unknown_code_names_the_nearest() {
    assert_eq!(explain_code("LX0299", 80), Err("there is no code `LX0299`; did you mean `LX0209`?".to_string()));
    assert_eq!(explain_code("dice", 80), Err("there is no code `dice`".to_string()));
}

#[test]
fn a_number_out_of_use_is_said_to_be_so() {
    assert_eq!(explain_code("lx0304", 80), Err("`LX0304` is no longer in use".to_string()));
}

#[test]
fn several_files_of_an_example_are_told_apart_and_preparations_left_out() {
    let packages = explain_code("LX0013", 80).expect("a code");
    assert!(packages.contains("\n\n  rules/ours/ours.ludex\n    ludex 1\n"), "{packages}");
    let torn = explain_code("LX0821", 80).expect("a code");
    assert!(torn.contains("For example:\n\n    $ ludex replay"), "{torn}");
}

#[test]
fn the_list_has_every_code_under_its_subject() {
    let list = list_codes();
    for entry in CODES.iter() {
        assert!(list.contains(&format!("\n  {}  {}\n", entry.code, entry.title)), "{}", entry.code);
    }
    insta::assert_snapshot!(list.lines().take(3).collect::<Vec<_>>().join("\n"), @r#"
    LX00xx  files and libraries
      LX0001  a file cannot be read
      LX0002  a file is not text
    "#);
}

#[test]
fn no_explanation_is_wider_than_asked() {
    for entry in CODES.iter() {
        let page = explain_code(entry.code, 60).expect("a code");
        let text = page.split("For example:").next().expect("a first part");
        for line in text.lines().skip(1) {
            assert!(line.chars().count() <= 60, "{line}");
        }
    }
}
