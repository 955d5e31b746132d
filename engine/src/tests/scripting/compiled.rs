use crate::Compile;
use crate::tests::scripting::testing::{POND, ability, game, pond, problems_of, shown};
use insta::assert_snapshot;
use ludex_compiler::library::{CompileRequest, File, Library};
use ludex_compiler::scripting::METHODS;
use ludex_syntax::codes;

/// The body of `act`, checked.
fn body(statements: &str) -> String {
    problems_of(&format!("fn act(me, prey, holder, table) {{\n{statements}\n}}"))
}

#[test]
fn a_sound_script_is_sound() {
    assert_snapshot!(problems_of(r#"fn act(me, prey, holder, table) {
        let chosen = [];
        for (die, place) in me.nest {
            if die.value > 2 && place >= 0 { chosen.push(die); }
        }
        let last = chosen.pop();
        if last == () { return; }
        roll(last);
        let zone = last.place;
        if zone != () { move_to(me.nest, zone); }
        mark(chosen, "wet", end_of_this("day"));
        let words = if me.mood == "calm" { `calm ${me.flies}` } else { "cross" };
        say(words + "!");
        while len(me.den) > 0 { move_to(me.den[0], table.water); }
        for i in 0..option("depth") { feed(me.foe, i); }
        add(holder.side, "flies", twice(min(1, 2)));
        swap(prey, ());
        swap(prey, prey.prey);
        cheer(me, "calm");
        soak(me.nest);
        soak(prey);
        let pick = ();
        pick = prey;
        if pick != () && pick.value in [1, 2] { answer("splash"); }
    }
    fn twice(number) { return number * 2; }
    "#), @"");
}

#[test]
fn bundled_scripts_are_sound() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for part in ["rules", "characters", "scripts"] {
        for game in std::fs::read_dir(folder.join(part)).unwrap().flatten().filter(|entry| entry.path().is_dir()) {
            for file in std::fs::read_dir(game.path()).unwrap().flatten().filter(|entry| entry.path().is_file()) {
                let path = format!("{part}/{}/{}", game.file_name().to_string_lossy(), file.file_name().to_string_lossy());
                files.push(File { path, text: std::fs::read_to_string(file.path()).unwrap(), library: "bundled".to_string() });
            }
        }
    }
    let (library, _) = Library::new(files);
    for id in library.game_ids() {
        let (program, problems) = library.compile(&id, &CompileRequest::default());
        assert!(program.is_some(), "{}", shown(&problems, &library.sources));
        let of_scripts: Vec<_> = problems.into_iter().filter(|problem| problem.code.starts_with("LX07")).collect();
        assert_eq!(shown(&of_scripts, &library.sources), "", "{id}");
    }
}

#[test]
fn a_clause_needs_its_function() {
    assert_snapshot!(problems_of("fn atc(me) { say(\"x\"); }"), @r#"
    LX0704 there is no function `act`
      2: `offer act at hopped(active, prey)` needs a function of its name
      4: `atc` this has another name
      help: did you mean `atc`? Call it `fn act`, or write `do { … }` here
    "#);
    assert_snapshot!(problems_of(""), @r#"
    LX0704 there is no function `act`
      2: `offer act at hopped(active, prey)` needs a function of its name
      help: write `fn act(…) { … }` under the header, or `do { … }` here
    "#);
}

#[test]
fn a_function_that_nothing_calls_is_told() {
    let (program, problems, sources) = pond(&ability("fn act(me) { say(\"x\"); }\nfn other() { say(\"y\"); }"));
    assert!(program.is_some(), "a warning stops nothing");
    assert_snapshot!(shown(&problems, &sources), @r#"
    LX0705 nothing calls `other`
      5: `other` never called
    "#);
}

#[test]
fn functions_get_what_the_clause_knows() {
    assert_snapshot!(problems_of("fn act(me, pray, score) { roll(pray); }"), @r#"
    LX0718 `pray` is not known to `act`
      4: `pray` not known
      help: did you mean `prey`?
    LX0718 `score` is not known to `act`
      4: `score` not known
      help: a function gets its values by name; here it may ask for active, prey, me, holder and table
    "#);
}

#[test]
fn names_are_given_once() {
    assert_snapshot!(problems_of("fn act() { roll(1, 2, 3); }\nfn roll(a, b, c) { }\nfn act(me) { }\nfn feed(a, b) { }"), @r#"
    LX0302 the name `roll` is taken
      5: `roll` scripts have this function already
      help: give the function another name
    LX0302 there are two functions `act`
      6: `act` again here
      4: `act` first here
      help: give one of them another name
    LX0302 the name `feed` is taken
      7: `feed` the rules have a procedure of this name
      help: give the function another name
    LX0705 nothing calls `feed`
      7: `feed` never called
    "#);
}

#[test]
fn calls_are_known() {
    assert_snapshot!(body("rol(prey);\nprey.rol();\nfed(me, 2);\nsomething();"), @r"
    LX0706 there is no function `rol`
      5: `rol` not known
      help: did you mean `roll`?
    LX0706 there is no function `rol`
      6: `rol` not known
      help: did you mean `roll`?
    LX0706 there is no function `fed`
      7: `fed` not known
      help: did you mean `feed`?
    LX0706 there is no function `something`
      8: `something` not known
      help: `ludex explain functions` lists the functions; procedures and definitions of the rules can be called, too: `ludex show GAME words`
    ");
}

#[test]
fn calls_get_the_right_number_of_values() {
    assert_snapshot!(body("roll();\nchoose(me, \"Which?\");\nfeed(me);\nabs(1, 2);"), @r#"
    LX0707 `roll` does not work on nothing
      5: `roll` is given nothing
      help: write `roll(dice)` or `roll(dice, reason)`
    LX0707 `choose` does not work on 2 values
      6: `choose` is given 2 values
      help: write `choose(side, prompt, things)`
    LX0707 `feed` does not work on 1 value
      7: `feed` is given 1 value
      help: write `feed(side, number)`
    LX0708 `abs` needs something to work on
      8: `abs` here
      help: write `abs(number)`
    "#);
}

#[test]
fn values_in_each_others_places_are_one_mistake() {
    assert_snapshot!(body("choose(me, me.nest, \"Which?\");\nfeed(2, me);\nfeed(2, prey);"), @r#"
    LX0708 `prompt` of `choose` must be a text, but this is a zone of dice
      5: `me.nest` a zone of dice
      5: `"Which?"` would fit there, and the other one here
      help: exchange the two
    LX0708 `side` of `feed` must be a side, but this is a number
      6: `2` a number
      6: `me` would fit there, and the other one here
      help: exchange the two
    LX0708 `side` of `feed` must be a side, but this is a number
      7: `2` a number
    LX0708 `number` of `feed` must be a number, but this is a die
      7: `prey` a die
    "#);
}

#[test]
fn calls_get_values_of_the_right_kind() {
    assert_snapshot!(body("roll(me);\nfeed(prey, \"two\");\nmove_to(me, me.den);\nsay(3);\nchoose(prey, \"é🎲 Which?\", me.nest);\nchoose(me, \"x\", 3);"), @r#"
    LX0708 `dice` of `roll` must be a die, a list of dice or a zone of dice, but this is a side
      5: `me` a side
    LX0708 `side` of `feed` must be a side, but this is a die
      6: `prey` a die
    LX0708 `number` of `feed` must be a number, but this is a text
      6: `"two"` a text
    LX0708 `things` of `move_to` must be dice, but this is a side
      7: `me` a side
    LX0708 `text` of `say` must be a text, but this is a number
      8: `3` a number
    LX0708 `side` of `choose` must be a side, but this is a die
      9: `prey` a die
    LX0708 `things` of `choose` must be a list or zone, but this is a number
      10: `3` a number
    "#);
    assert_snapshot!(body("swap(prey.prey, prey);\nmark(prey, \"wet\", 3);\nmax(\"a\", 2);\nset(me, \"flies\", \"many\");\nadd(prey, \"value\", prey);"), @r#"
    LX0708 `a` of `swap` must be a die, but this is a die or nothing
      5: `prey.prey` a die or nothing
      help: keep it with `let`, and ask first: `if it != () { … }`
    LX0708 `until` of `mark` must be a length of time, but this is a number
      6: `3` a number
    LX0711 how long a mark lasts is not clear here
      6: `3` not allowed
      help: write `end_of_this(…)` or `end_of_next(…)`
    LX0708 `max` needs something to work on
      7: `max` here
      help: write `max(number, number)`
    LX0708 `flies` of a side must be a number, but this is a text
      8: `"many"` a text
    LX0708 `number` of `add` must be a number, but this is a die
      9: `prey` a die
    "#);
}

#[test]
fn names_of_the_rules_are_known() {
    assert_snapshot!(body("mark(prey, \"wett\");\nend_of_this(\"dya\");\nanswer(\"splosh\");\noption(\"death\");\nset(me, \"fly\", 3);\ncheer(me, \"crass\");\nset(me, \"mood\", \"happy\");\nif me.mood == \"clam\" { }"), @r#"
    LX0305 there is no mark `wett`
      5: `"wett"` not known
      help: did you mean `wet`?
    LX0308 there is no scope `dya`
      6: `"dya"` not known
      help: did you mean `day`?
    LX0301 the hook has no answer `splosh`
      7: `"splosh"` not known
      help: did you mean `splash`?
    LX0309 there is no option `death`
      8: `"death"` not known
      help: did you mean `depth`?
    LX0709 a side has no field or counter `fly`
      9: `"fly"` not known
      help: it is one of frog, flies and mood
    LX0301 there is no word `crass`
      10: `"crass"` not known
      help: did you mean `cross`?
    LX0301 there is no word `happy`
      11: `"happy"` not known
      help: it is one of calm and cross
    LX0301 there is no word `clam`
      12: `"clam"` not known
      help: did you mean `calm`?
    "#);
    assert_snapshot!(body("let name = \"wet\";\nmark(prey, name);\ncheer(me, name);"), @r#"
    LX0710 it is not clear which name `mark` of `mark` will be
      6: `name` any text
      help: write the name here, in quotes
    LX0710 it is not clear whether this text is a word for `mood` of `cheer`
      7: `name` any text
      help: write one of calm and cross here
    "#);
}

#[test]
fn properties_are_known() {
    assert_snapshot!(body("say(`${prey.vaule}`);\nroll(me.nets);\nroll(me.nest.value);\nsay(prey.owner.foe.flies.x);\nroll(holder.side.nest[0].size);"), @r#"
    LX0709 a die has nothing called `vaule`
      5: `vaule` not known
      help: did you mean `value`?
    LX0709 a side has nothing called `nets`
      6: `nets` not known
      help: did you mean `nest`?
    LX0709 a zone of dice has nothing called `value`
      7: `value` not known
      help: take one member, as in `for die in … { }` or `choose`
    LX0709 a number has nothing called `x`
      8: `x` not known
      help: nothing can follow a dot here
    LX0708 `dice` of `roll` must be a die, a list of dice or a zone of dice, but this is a number
      9: `holder.side.nest[0].size` a number
    "#);
}

#[test]
fn moves_have_the_fields_of_their_family() {
    let context = POND.replace("hook rested(active: side)", "hook rested(active: side)\nhook leapt(active: side, hop: hop)");
    let script =
        "//! ability act \"Act\"\n//! trigger act at leapt(active, hop)\nfn act(hop) { roll(hop.dice); roll(hop.diec); }";
    let (_, problems, sources) = game(&context, &[("act", script)]);
    assert_snapshot!(shown(&problems, &sources), @r#"
    LX0709 a move of `hop` has nothing called `diec`
      3: `diec` not known
      help: did you mean `dice`?
    "#);
}

#[test]
fn what_may_be_nothing_is_asked_for_first() {
    assert_snapshot!(body("roll(prey.prey);\nlet other = prey.prey;\nsay(`${other.value}`);\nroll(other);\nsay(`${prey.prey.value}`);\nif prey == () { }"), @r#"
    LX0708 `dice` of `roll` must be a die, a list of dice or a zone of dice, but this is a die or nothing
      5: `prey.prey` a die or nothing
      help: keep it with `let`, and ask first: `if it != () { … }`
    LX0405 this may be nothing instead of a die
      7: `other` may be nothing
      help: ask first: `if other != () { … }`
    LX0708 `dice` of `roll` must be a die, a list of dice or a zone of dice, but this is a die or nothing
      8: `other` a die or nothing
      help: ask first: `if other != () { … }`
    LX0405 this may be nothing instead of a die
      9: `prey` may be nothing
      help: keep it with `let`, and ask first: `if it != () { … }`
    LX0719 this is always a die, so it is never nothing
      10: `prey == ()` never true
    "#);
}

#[test]
fn variables_are_known_and_keep_their_kind() {
    assert_snapshot!(body("roll(pray);\nlet pick = 3;\npick = prey;\npick += \"x\";\nlet list = [1];\nlist.push(prey);\nlist[0] = \"a\";\nlet none = say(\"x\");"), @r#"
    LX0717 nothing is called `pray` here
      5: `pray` not known
      help: did you mean `prey`?
    LX0712 `pick` holds a number, so it cannot become a die
      7: `prey` a die
      help: use a second variable
    LX0719 a number cannot be added to a text
      8: `+` in this sum
      help: put it into the text: `… ${x} …` in backticks
    LX0712 `pick` holds a number, so it cannot become a text
      8: `"x"` a text
      help: use a second variable
    LX0708 `list` is a list of numbers, so it cannot take a die
      10: `prey` a die
    LX0712 this place of the list holds a number, so it cannot become a text
      11: `"a"` a text
      help: use a second variable
    LX0710 `say` gives nothing that `none` could hold
      12: `say("x")` gives nothing
    "#);
    assert_snapshot!(problems_of("fn act() { roll(me.nest); }"), @r#"
    LX0717 nothing is called `me` here
      4: `me` not known
      help: name `me` as a parameter of the function
    "#);
}

#[test]
fn what_cannot_be_typed_is_told() {
    assert_snapshot!(body("let all = [];\nroll(all[0]);\nlet mixed = [1, prey];\nlet both = if me.flies > 1 { 1 } else { \"a\" };\nlet one = choose(me, \"x\", []);"), @r#"
    LX0710 it is not clear what this list holds
      6: `all` still empty
      help: fill it before it is used
    LX0710 this gives a number in one case and a die in another
      7: `prey` two kinds of value
      help: give the same kind of value in every case
    LX0710 this gives different kinds of value
      8: `if` not the same kind in every case
    LX0710 it is not clear what this list holds
      9: `choose` is given a list that is still empty
    "#);
    assert_snapshot!(problems_of("fn act(me) { let x = pick(me); }\nfn pick(side) { if side.flies > 3 { return 1; } side }"), @r"
    LX0710 `pick` gives nothing that `x` could hold
      4: `pick(me)` gives nothing
    LX0710 this gives a number in one case and a side in another
      5: `pick` two kinds of value
      help: give the same kind of value in every case
    ");
}

#[test]
fn conditions_are_flags() {
    assert_snapshot!(body("if me.flies { }\nif prey.prey { }\nwhile me.nest { }\nif !len(me.nest) { }\nif me.flies && true { }\ndo { } until me.flies;"), @r#"
    LX0719 a condition is true or false, but this is a number
      5: `me.flies` a number
      help: compare it, as in `… > 0`
    LX0719 a condition is true or false, but this is a die or nothing
      6: `prey.prey` a die or nothing
      help: ask whether there is one with `… != ()`
    LX0719 a condition is true or false, but this is a zone of dice
      7: `me.nest` a zone of dice
      help: ask whether it holds anything with `len(…) > 0`
    LX0719 a condition is true or false, but this is a number
      8: `len(me.nest)` a number
      help: compare it, as in `… > 0`
    LX0719 a condition is true or false, but this is a number
      9: `me.flies` a number
      help: compare it, as in `… > 0`
    LX0719 a condition is true or false, but this is a number
      10: `me.flies` a number
      help: compare it, as in `… > 0`
    "#);
}

#[test]
fn sums_and_comparisons_are_of_one_kind() {
    assert_snapshot!(body("let a = prey + 1;\nlet b = me.nest > 2;\nlet c = -\"x\";\nif prey == me { }\nif me.nest == me.den { }\nlet d = prey in [1, 2];\nsay(`${prey}`);\nsay(\"x\" + prey);\nlet e = 1 << 70;\nlet f = 1 & 2;"), @r#"
    LX0719 a number is needed here, but this is a die
      5: `prey + 1` a die
      help: a die has the numbers size and value
    LX0719 a number is needed here, but this is a zone of dice
      6: `me.nest > 2` a zone of dice
      help: write `len(…)` for their number
    LX0719 a number is needed here, but this is a text
      7: `-"x"` a text
    LX0719 a die is never the same as a side
      8: `prey == me` never true
    LX0719 this is a list of numbers, so a die is never in it
      10: `let d = prey in [1, 2]` never true
    LX0719 this is a list of numbers, so a die is never in it
      10: `prey` never true
    LX0719 this is a die, which has no words of its own
      11: `prey` a die
      help: write `text_of(prey)`
    LX0719 a die cannot be added to a text
      12: `"x" + prey` in this sum
      help: `text_of(…)` gives a thing in words
    LX0711 `<<` is not allowed in scripts
      13: `1 << 70` not allowed
      help: write sums with + - * / %
    LX0711 `&` is not allowed in scripts
      14: `1 & 2` not allowed
      help: write `&&`
    "#);
}

#[test]
fn loops_go_through_what_has_members() {
    assert_snapshot!(body("for x in me.flies { }\nfor x in me { }\nlet y = 3[0];\nlet z = me.nest[\"a\"];"), @r#"
    LX0719 `for` goes through a list, a zone or a range, but this is a number
      5: `me.flies` a number
      help: write `for i in 0..n { … }`
    LX0719 `for` goes through a list, a zone or a range, but this is a side
      6: `me` a side
      help: for example `for die in me.nest { … }`
    LX0719 only lists and zones have places, but this is a number
      7: `3` a number
    LX0719 a place in a list is a number, but this is a text
      8: `"a"` a text
    "#);
}

#[test]
fn things_are_set_by_functions() {
    assert_snapshot!(body("prey.value = 3;\nme.flies += 1;\nme.flies -= 2;\nme.nest[0] = prey;\nme.nest.push(prey);"), @r#"
    LX0408 `prey.value` cannot be set in this way
      5: `prey.value` here
      help: write `set(prey, "value", 3)`
    LX0408 `me.flies` cannot be set in this way
      6: `me.flies` here
      help: write `add(me, "flies", 1)`
    LX0408 `me.flies` cannot be set in this way
      7: `me.flies` here
      help: write `add(me, "flies", -2)`
    LX0408 `me.nest[0]` cannot be set in this way
      8: `me.nest[0]` here
      help: move pieces with `move_to`
    LX0408 `push` does not work on a zone
      9: `push` here
      help: pieces are put into zones with `move_to`
    "#);
}

#[test]
fn a_guest_does_not_do_everything() {
    assert_snapshot!(body("eval(\"1\");\nlet f = Fn(\"act\");\nf.call(1);\nprint(\"x\");\nthrow \"x\";\nlet m = #{a: 1};\nswitch me.flies { 1 => 2 }\nsay(this);\nprey?.value;\nlet c = 'x';"), @r#"
    LX0711 `eval` is not allowed in scripts
      5: `eval` not allowed
      help: functions are called by their name
    LX0711 `Fn` is not allowed in scripts
      6: `Fn` not allowed
      help: functions are called by their name
    LX0711 `call` is not allowed in scripts
      7: `call` not allowed
      help: functions are called by their name
    LX0711 `print` is not allowed in scripts
      8: `print` not allowed
      help: `say("…")` tells everybody something; `debug(…)` is for `ludex test` alone
    LX0711 `throw` is not allowed in scripts
      9: `throw` not allowed
      help: a fault cannot be caught: it takes play back to the last decision
    LX0711 maps are not allowed in scripts
      10: `#` not allowed
      help: use a list, or a counter of the rules
    LX0711 `switch` is not allowed in scripts
      11: `switch` not allowed
      help: write `if … { } else if … { } else { }`
    LX0711 `this` has no meaning in scripts
      12: `this` not allowed
      help: ask for `me` or `holder` as a parameter
    LX0711 `?.` is not allowed in scripts
      13: `prey` not allowed
      help: ask `if … != ()` first
    LX0711 texts are written in double quotes
      14: `'x'` not allowed
      help: write "…"
    "#);
    assert_snapshot!(body("try { roll(prey); } catch { }"), @r#"
    LX0711 `try` is not allowed in scripts
      5: `try` not allowed
      help: a fault cannot be caught: it takes play back to the last decision
    "#);
    assert_snapshot!(body("let f = |x| x + 1;"), @r"
    LX0711 a function without a name cannot stand here
      5: `|` not allowed
      help: hand it to `filter`, `map`, `some` or `all`, or write `fn NAME(…) { … }` beside the others
    ");
    assert_snapshot!(body("import \"file\" as f;"), @r#"
    LX0711 `import` is not allowed in scripts
      5: `import` here
      help: put what several scripts need into a procedure of the rules
    "#);
    assert_snapshot!(body("let half = 1.5;"), @r#"
    LX0711 numbers in scripts are whole
      5: `5` a fraction
      help: count in halves or tenths instead
    "#);
    assert_snapshot!(body("sleep(1000);\nlet t = timestamp();"), @r"
    LX0706 there is no function `sleep`
      5: `sleep` not known
      help: `ludex explain functions` lists the functions; procedures and definitions of the rules can be called, too: `ludex show GAME words`
    LX0706 there is no function `timestamp`
      6: `timestamp` not known
      help: `ludex explain functions` lists the functions; procedures and definitions of the rules can be called, too: `ludex show GAME words`
    ");
    assert_snapshot!(problems_of("let lost = 3;\nfn act() { }\nsay(\"x\");"), @r#"
    LX0711 this is outside every function, so it would never run
      4: `let` here
      help: move it into a function: `fn NAME(…) { … }`
    LX0711 this is outside every function, so it would never run
      6: `say` here
      help: move it into a function: `fn NAME(…) { … }`
    "#);
}

#[test]
fn what_cannot_be_read_is_told_for_each_function() {
    assert_snapshot!(problems_of("fn act(me) { say(\"x\") say(\"y\"); }\nfn second( { }\nfn third() { let x = ; }"), @r#"
    LX0701 a `;` is missing
      4: `)` after this
      help: every statement ends with `;`
    LX0701 `)` is missing to close the parameters list of function 'second'
      5: `{` before this
    LX0701 the script cannot be read: unexpected ';'
      6: `;` here
    "#);
    assert_snapshot!(problems_of("fn act(me) { say(\"x\");"), @r#"
    LX0701 `}` is missing to terminate this block
      4: `;` before this
    "#);
    assert_snapshot!(problems_of("fn act(me) {\n    if me.flies > 2 {\n        say(\"x\");\n    say(\"y\");\n}"), @r#"
    LX0701 this `{` is never closed
      5: `{` opened here
      7: `s` still open here
      help: put a `}` before this
    "#);
    assert_snapshot!(problems_of("fn act(me) {\n    if me.flies > 2 { say(\"x\");\n    say(\"y\");\n}"), @r#"
    LX0701 this `{` is never closed
      5: `{` opened here
      6: `s` still open here
      help: put a `}` before this
    "#);
    assert_snapshot!(problems_of("fn act(me) { say(\"x); }"), @r#"
    LX0701 a text is not closed
      4: `"` begins here
      help: close it with the sign it begins with
    "#);
    assert_snapshot!(problems_of("fn act(me) { if me.flies = 3 { } let new = 1; }"), @r#"
    LX0701 `=` gives a variable a value; it does not compare
      4: `=` here
      help: write `==`
    "#);
    assert_snapshot!(problems_of("fn act(me) { let none = null; let a = 1 and 2; }"), @r#"
    LX0701 `null` has no meaning in scripts, or is reserved by rhai itself
      4: `null` here
      help: write `()` for nothing
    "#);
    assert_snapshot!(problems_of("fn act(me) { let x = 99999999999999999999; break; }"), @r#"
    LX0701 `99999999999999999999` is not a number that scripts can use
      4: `99999999999999999999` here
    "#);
    assert_snapshot!(problems_of("fn act(me) { say('hop'); }"), @r#"
    LX0701 `'hop'` is in single quotes
      4: `'` here
      help: write `"hop"`
    "#);
    assert_snapshot!(problems_of("fn act(me) { say(“hop”); }"), @r#"
    LX0701 a text needs straight quotes
      4: `“` write `"`
      help: quotes like this are made by word processors; write `"` in front of the text and behind it
    "#);
    assert_snapshot!(problems_of("fn act(me) { Let hops = 3; say(`${hops}`); }"), @"
    LX0701 `Let` is no word of scripts
      4: `Let` not known
      help: did you mean `let`?
    ");
    assert_snapshot!(problems_of("act(me) { }"), @r#"
    LX0701 a function begins with `fn`
      4: `act` write `fn` before this
      4: `{` its block
    "#);
}

#[test]
fn what_other_languages_write_is_answered() {
    let forms = [
        "function act(me) { }",
        "def act(me):\n  say(\"x\");",
        "let act = (me, prey) => { say(\"x\"); }",
        "const act = me => say(\"x\");",
        "let act = function(me) { say(\"x\"); }",
        "fn act(me) { let low = me.nest.filter(d => d.value > 2); say(\"x\"); }",
        "fn act(me) { for each d in me.nest { say(\"x\"); } }",
        "fn act(me) { foreach d in me.nest { say(\"x\"); } }",
        "fn act(me) { for (let d of me.nest) { say(\"x\"); } }",
        "fn act(me) { if me.flies > 2 { say(\"x\"); } elif me.flies > 1 { say(\"y\"); } }",
        "fn act(me) { int a = 3; say(`${a}`); }",
        "fn act(me) { let a = 1; a++; say(`${a}`); }",
        "fn act(me) { let a = me.flies > 1 ? 2 : 3; say(`${a}`); }",
        "fn act(me) { let a = None; if True { say(\"x\"); } }",
        "fn act(me) { say(`${me.nest.length}`); }",
        "fn act(me) { me.nest.forEach(|d| d.value); }",
    ];
    let told: Vec<String> = forms.iter().map(|form| format!("{form}\n{}", problems_of(form))).collect();
    assert_snapshot!(told.join("\n"), @r#"
    function act(me) { }
    LX0701 `function` is written `fn`
      4: `function` write `fn`
      help: a function is written `fn name(me) { … }`

    def act(me):
      say("x");
    LX0701 `def` is written `fn`
      4: `def` write `fn`
      help: a function is written `fn name(me) { … }`

    let act = (me, prey) => { say("x"); }
    LX0701 a function is made with `fn`
      4: `let act = (me, prey)` begins here
      help: write `fn act(me, prey) { … }`, beside the other functions

    const act = me => say("x");
    LX0701 a function is made with `fn`
      4: `const act = me` begins here
      help: write `fn act(me) { … }`, beside the other functions

    let act = function(me) { say("x"); }
    LX0701 a function is made with `fn`
      4: `let act = function(me)` begins here
      help: write `fn act(me) { … }`, beside the other functions

    fn act(me) { let low = me.nest.filter(d => d.value > 2); say("x"); }
    LX0701 the names of a function without a name stand between `|`
      4: `=>` not known here
      help: write `|die| die.value > 2`, as in `me.hand.filter(|die| die.value > 2)`

    fn act(me) { for each d in me.nest { say("x"); } }
    LX0701 a loop is written with `in`, and without brackets
      4: `for each` begins here
      help: a loop is written `for die in me.hand { … }`

    fn act(me) { foreach d in me.nest { say("x"); } }
    LX0701 `foreach` is written `for`
      4: `foreach` write `for`
      help: a loop is written `for die in me.hand { … }`

    fn act(me) { for (let d of me.nest) { say("x"); } }
    LX0701 a loop is written with `in`, and without brackets
      4: `for (` begins here
      help: a loop is written `for die in me.hand { … }`

    fn act(me) { if me.flies > 2 { say("x"); } elif me.flies > 1 { say("y"); } }
    LX0701 `elif` is written `else if`
      4: `elif` write `else if`
      help: it comes after the `}` of the `if`: `} else if … {`

    fn act(me) { int a = 3; say(`${a}`); }
    LX0701 `int` is written `let`
      4: `int` write `let`
      help: a variable of any kind is made with `let`

    fn act(me) { let a = 1; a++; say(`${a}`); }
    LX0701 `++` has no meaning in scripts, or is reserved by rhai itself
      4: `+` here
      help: write `+= 1`

    fn act(me) { let a = me.flies > 1 ? 2 : 3; say(`${a}`); }
    LX0701 `?` has no meaning in scripts, or is reserved by rhai itself
      4: `?` here
      help: a choice between two values is written `if a > b { c } else { d }`

    fn act(me) { let a = None; if True { say("x"); } }
    LX0717 nothing is called `None` here
      4: `None` not known
      help: write `()` for nothing
    LX0717 nothing is called `True` here
      4: `True` not known
      help: write `true`

    fn act(me) { say(`${me.nest.length}`); }
    LX0709 a zone of dice has nothing called `length`
      4: `length` not known
      help: how many there are is `len(things)`

    fn act(me) { me.nest.forEach(|d| d.value); }
    LX0706 there is no function `forEach`
      4: `forEach` not known
      help: to do something with each, write a loop: `for die in me.hand { … }`
    LX0711 a function without a name cannot stand here
      4: `|` not allowed
      help: hand it to `filter`, `map`, `some` or `all`, or write `fn NAME(…) { … }` beside the others
    "#);
}

#[test]
fn all_problems_of_a_script_are_told_at_once() {
    let text = problems_of(
        "fn act(me, prey) { rol(prey); helper(prey); helper(prey); }\nfn helper(die) { roll(di); /* rol(x) */ say(\"}\"); }\n// fn lost() {\nfn broken() { let = 3; }",
    );
    assert_snapshot!(text, @r#"
    LX0706 there is no function `rol`
      4: `rol` not known
      help: did you mean `roll`?
    LX0717 nothing is called `di` here
      5: `di` not known
      help: did you mean `die`?
    LX0701 the script cannot be read: expecting name of a variable
      7: `=` here
    "#);
}

#[test]
fn deep_and_long_scripts_are_refused() {
    let deep = format!("let x = {}1{};", "(".repeat(5_000), ")".repeat(5_000));
    assert!(body(&deep).contains(codes::TOO_DEEP), "{}", body(&deep));
    let nested = format!("{}{}", "if true { ".repeat(500), "}".repeat(500));
    assert!(body(&nested).contains(codes::TOO_DEEP), "{}", body(&nested));
    assert!(body(&format!("let x = 1{};", " + 1".repeat(20_000))).contains(codes::FILE_TOO_LARGE));
    assert!(body(&format!("let x = 1{};", " + 1".repeat(5_000))).contains(codes::TOO_DEEP));
    assert_eq!(body(&format!("let x = 1{};", " + 1".repeat(25))), "");
    let chain = format!("let x = prey{};", ".owner.foe".repeat(15));
    assert!(!body(&chain).is_empty());
}

/// Each call is with lists of lists that no call had before, so there is no end of functions to compile.
#[test]
fn functions_for_ever_more_kinds_of_values_are_refused() {
    let names = ["a", "b", "c", "d", "e", "f"];
    let calls = |own: &str| {
        let nested = |wrapped: usize| {
            let given: Vec<String> = names
                .iter()
                .enumerate()
                .map(|(at, name)| if at == wrapped { format!("[{name}]") } else { name.to_string() })
                .collect();
            format!("{own}({}); ", given.join(", "))
        };
        (0..names.len()).map(nested).collect::<String>()
    };
    let functions = |own: &str| format!("fn {own}({}) {{ {} }}\n", names.join(", "), calls(own));
    let script = format!("fn act(me) {{ grow(1, 1, 1, 1, 1, 1); }}\n{}", functions("grow"));
    assert_snapshot!(problems_of(&script), @r"
    LX0108 functions call each other more than 24 deep, each with values of other kinds
      5: `grow` called by itself with lists of lists
    LX0519 the functions of the scripts are called with too many kinds of values
      5: `grow(a, b, c, d, [e], f)` called here once more
      help: a function is compiled once for each kind of value; call it with lists of the same kind each time
    ");
    // A function that asks for its own result is compiled again until that is known; in each other, that multiplies.
    let mut tower = "fn act(me) { f0([]); }\n".to_string();
    for at in 0..20 {
        let next = (at + 1) % 20;
        tower += &format!("fn f{at}(x) {{ if len(x) > 9 {{ return x; }} let y = f{next}([x]); let z = f{next}(x); x }}\n");
    }
    assert!(problems_of(&tower).contains(codes::TOO_MANY), "{}", problems_of(&tower));
}

#[test]
fn odd_text_does_no_harm() {
    for text in [
        "",
        "\u{0}",
        "fn",
        "fn (",
        "fn act",
        "fn act(",
        "`${`${",
        "/* /*",
        "\"",
        "fn é() { }",
        "}}}}",
        "{{{{",
        "fn act() { `${me} }",
        "'",
        "fn act(é🎲) { é🎲 }",
    ] {
        let _ = problems_of(text);
    }
}

#[test]
fn functions_that_call_themselves_are_read() {
    assert_eq!(problems_of("fn act(me) { say(`${down(3)}`); }\nfn down(n) { if n > 0 { return down(n - 1); } 7 }"), "");
}

#[test]
fn every_method_is_typed() {
    let calls = "let l = [3, 1]; l.push(2); l.insert(0, 5); l.reverse(); l.sort(); let a = l.pop(); let b = l.remove(0); let i = l.index_of(3);\n\
        let m = [1, 2].filter(|n| n > 1).map(|n| n + 1); say(`${m.some(|n| n > 2)} ${m.all(|n| n > 2)}`);\n\
        say(`${abs(-1)} ${sign(-2)} ${min(1, 2)} ${max(1, 2)} ${is_odd(1)} ${is_even(1)} ${is_empty(l)} ${to_string(1)} ${i}`); l.clear();";
    assert_eq!(body(calls), "");
    for (name, ..) in METHODS {
        assert!(calls.contains(&format!("{name}(")), "{name}");
    }
}

#[test]
fn functions_without_a_name_only_look() {
    assert_snapshot!(body("let f = |die| die.value;\nme.nest.filter(|die| roll(die));\nme.nest.some(|die| die.value);\nme.nest.all(|a, b| a == b);\nme.nest.map(|die| \"text\");\nprey.filter(|die| true);\nroll(|die| die);"), @r#"
    LX0711 a function without a name cannot stand here
      5: `|` not allowed
      help: hand it to `filter`, `map`, `some` or `all`, or write `fn NAME(…) { … }` beside the others
    LX0711 a function without a name can only look
      6: `roll(die)` not allowed
      help: go through the list with `for … in`
    LX0719 a condition is true or false, but this is a number
      7: `die.value` a number
      help: compare it, as in `… > 0`
    LX0708 `all` needs something to work on
      8: `all` here
      help: write `list.all(|x| condition)`
    LX0711 `map` gives no lists and no texts
      9: `"text"` not allowed
      help: fill a list with `push`
    LX0708 `filter` needs something to work on
      10: `filter` here
      help: write `list.filter(|x| condition)`
    LX0711 a function without a name cannot stand here
      11: `|` not allowed
      help: hand it to `filter`, `map`, `some` or `all`, or write `fn NAME(…) { … }` beside the others
    "#);
}

#[test]
fn what_stands_behind_a_return_is_told() {
    for never in ["return;\nroll(me.nest);", "if me.flies > 3 { return; } else { return; }\nroll(me.nest);"] {
        assert!(body(never).contains(codes::UNREACHABLE), "{never}: {}", body(never));
    }
    for reached in ["roll(me.nest);\nreturn;", "if me.flies > 3 { return; }\nroll(me.nest);", "return;;"] {
        assert!(!body(reached).contains(codes::UNREACHABLE), "{reached}: {}", body(reached));
    }
}

#[test]
fn a_loop_without_a_way_out_is_told() {
    for endless in ["loop { roll(me.nest); }", "while true { for die in me.nest { break; } }"] {
        assert!(body(endless).contains(codes::NEVER_LEFT), "{endless}: {}", body(endless));
    }
    for ending in [
        "loop { if me.flies > 3 { break; } add(me, \"flies\", 1); }",
        "loop { for die in me.nest { return; } break; }",
        "while me.flies < 3 { add(me, \"flies\", 1); }",
    ] {
        assert!(!body(ending).contains(codes::NEVER_LEFT), "{ending}: {}", body(ending));
    }
}

#[test]
fn places_are_those_of_the_file_wherever_a_function_begins() {
    let one_line =
        "fn act(me) { say(\"Öl\"); one(me); two(me); } fn one(me) { say(who); } fn two(me) { say(\"Öl\"); rol(me.nest); }";
    assert_snapshot!(problems_of(one_line), @"
    LX0717 nothing is called `who` here
      4: `who` not known
      help: make it with `let`, or name it as a parameter of the function
    LX0706 there is no function `rol`
      4: `rol` not known
      help: did you mean `roll`?
    ");
    let alike = "fn act(me) { one(me); two(me); }\nfn one(me) { me.nest.filter(|die| die.valeu > 1) }\nfn two(me) { me.nest.filter(|die| die.valeu > 1) }";
    assert_snapshot!(problems_of(alike), @"
    LX0709 a die has nothing called `valeu`
      5: `valeu` not known
      help: did you mean `value`?
    LX0709 a die has nothing called `valeu`
      6: `valeu` not known
      help: did you mean `value`?
    ");
    assert_snapshot!(problems_of("fn act() { say(\"x\"); } fn broken() { say(\"Öl\") say(\"y\"); }"), @"
    LX0701 a `;` is missing
      4: `)` after this
      help: every statement ends with `;`
    ");
}

#[test]
fn a_function_has_as_many_variables_as_are_read_soon() {
    let lines = |count: usize| (0..count).map(|i| format!("  let v{i} = {i};\n")).collect::<String>();
    let function = |name: &str, count| format!("fn {name}() {{\n{}}}\n", lines(count));
    let two = |more: usize| problems_of(&format!("{}{}", function("act", 256), function("other", 256 + more)));
    assert!(!two(0).contains(codes::TOO_MANY));
    assert_snapshot!(two(1), @"
    LX0519 there are more than 256 variables in one function
      519: `let` one more here
      help: put some of them into a list, or divide the function
    ");
}

#[test]
fn a_mark_that_needs_a_value_is_set_by_the_rules() {
    let rules =
        POND.replace("mark wet \"is wet\"", "mark wet \"is wet\"  mark bound \"is bound\" { least: number  most: number = 4 }");
    let (_, problems, sources) = game(&rules, &[("act", &ability("fn act(prey) { mark(prey, \"bound\"); }"))]);
    assert_snapshot!(shown(&problems, &sources), @r#"
    LX0711 the mark `bound` needs a value for `least`, which scripts cannot give
      4: `"bound"` not allowed
      help: set it in a procedure of the rules, `mark … as bound(least: …)`, and call that
    "#);
    let rules = rules.replace("least: number ", "least: number = 1 ");
    let (_, problems, sources) = game(&rules, &[("act", &ability("fn act(prey) { mark(prey, \"bound\"); }"))]);
    assert_eq!(shown(&problems, &sources), "");
}

#[test]
fn names_are_lent_by_the_thing_that_the_field_refers_to() {
    let rules = POND.replace("mood: mood\n", "mood: mood\n  best: die or none = none, lending prey\n");
    let (_, problems, sources) =
        game(&rules, &[("act", &ability("fn act(me) { let prey = me.prey; if prey != () { soak([prey]); } }"))]);
    assert_eq!(shown(&problems, &sources), "");
}
