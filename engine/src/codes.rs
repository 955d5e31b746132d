//! The register of diagnostic codes: what each means, in words for people who do not program,
//! with the smallest example that raises it.
//!
//! A row makes a constant and an entry of [`CODES`]. Codes are never given a second meaning;
//! one that is no longer raised stays out of use. The first two digits tell the subject.

/// One kind of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    pub code: &'static str,
    /// The fact in a few words, in lower case.
    pub title: &'static str,
    /// What it means and what to do, in full sentences.
    pub explanation: &'static str,
    /// The smallest text, file or line that raises it.
    pub example: &'static str,
}

/// A subject of the register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// What its codes begin with, such as `LX02`.
    pub prefix: &'static str,
    pub title: &'static str,
}

/// The subjects in the order of their numbers.
pub static BLOCKS: &[Block] = &[
    Block { prefix: "LX00", title: "files and libraries" },
    Block { prefix: "LX01", title: "how rules are written" },
    Block { prefix: "LX02", title: "how YAML files are written" },
    Block { prefix: "LX03", title: "names in rules" },
    Block { prefix: "LX04", title: "kinds of values in rules" },
    Block { prefix: "LX05", title: "rules that cannot work" },
    Block { prefix: "LX06", title: "sheets" },
    Block { prefix: "LX07", title: "abilities and scripts" },
    Block { prefix: "LX08", title: "positions, scenarios and recordings" },
    Block { prefix: "LX09", title: "play" },
    Block { prefix: "LX10", title: "tournaments" },
];

/// The entry of a code, whatever its letters' case.
pub fn find(code: &str) -> Option<&'static Code> {
    CODES.iter().find(|entry| entry.code.eq_ignore_ascii_case(code))
}

macro_rules! register {
    ($($name:ident $code:literal $title:literal $explanation:literal $example:literal)*) => {
        $(#[doc = $title] pub const $name: &str = $code;)*

        /// Every code, in the order of the numbers.
        pub static CODES: &[Code] = &[
            $(Code { code: $code, title: $title, explanation: $explanation, example: $example },)*
        ];
    };
}

register! {
    FILE_UNREADABLE "LX0001" "a file cannot be read"
    "The file or folder is there, but it cannot be opened. Check that you may read it and that no other program holds it."
    "ludex check locked.yaml"

    FILE_ENCODING "LX0002" "a file is not text"
    "Ludex reads text in UTF-8, the usual form today. This file is in another form, or it is no text at all, such as a picture or an office document. Save it again as plain text in UTF-8."
    "an otter.yaml saved as UTF-16"

    FILE_TOO_LARGE "LX0003" "a file is too large"
    "No file of rules, sheets or scripts may be larger than 1 MiB. Split it into several files; they are read together."
    "a sheet of two million letters"

    FILE_MISSING "LX0004" "there is no such file"
    "Nothing was found under this path. Check the spelling, and that you are in the folder you think you are."
    "ludex check charcters/otter.yaml"

    UNKNOWN_GAME "LX0005" "no game has this name"
    "None of the libraries holds a game of this name. `ludex list` shows the games that were found and where each comes from. A folder of your own is named with `--library`."
    "ludex play ponds"

    UNKNOWN_ENTRANT "LX0006" "no sheet has this name"
    "A name was given that no sheet of this game has. Names are the names of the files without `.yaml`, or stand under `sheets:` in a file of several; `ludex show GAME` lists them."
    "--seat 0=oter"

    NAME_TAKEN "LX0007" "two files have the same name"
    "A library or a package adds a sheet, script or rules file under a name that is in use already. Choose another name. If yours is meant to stand in place of the other one, say so with a line `replaces: NAME`."
    "otter.yaml in your own library, while the game has one"

    REPLACES_NOTHING "LX0008" "nothing is there to replace"
    "A file says that it replaces another, or a scenario that it stands in for one, and there is no other of that name. Correct the name, or remove the `replaces` line."
    "replaces: oter"

    LIBRARY_EMPTY "LX0009" "this folder is no library"
    "A library is a folder that holds at least one of the folders `rules`, `characters` and `scripts`, each with one folder for each game. The folder that was given holds none of them."
    "ludex list --library Downloads"

    FILE_UNUSED "LX0010" "nothing uses this file"
    "A script is named by no sheet, or a file lies where it is not looked for. It does no harm, but it does nothing either. Name it in a sheet, move it, or delete it."
    "scripts/ponds/second-jump.rhai, which no sheet names"

    GAME_TWICE "LX0011" "two files start the same game"
    "A game has one file with a `game` line; the others only add to it. Remove the line from one of the two, or give the second game a name of its own."
    "game ponds \"Ponds\"   in two files of one library"

    FILE_NOT_WRITTEN "LX0012" "a file cannot be written"
    "A tournament, a page or a recording could not be stored. Check that there is room, that you may write into this folder, and that no other file has this name."
    "ludex tournament recording 3 locked/duel.ludexrec"

    BASES_DIFFER "LX0013" "packages of different games"
    "A package may extend several others, but all of them must go back to one game: what they declare is put together. Leave out those of the other game."
    "package ours \"Ours\" extends night-ponds, deserts"

    LIBRARY_TOO_LARGE "LX0014" "a library is too large"
    "A library may hold 2,000 files of rules, sheets and scripts with 4 MiB together, 1 MiB of it rules, in folders that are at most 8 deep in each other. Of a larger one nothing is read. Put what belongs to another game into a library of its own, and several sheets into one file."
    "ludex list --library everything"

    LINK_LEFT_OUT "LX0015" "a link in a library is not followed"
    "A library is one folder, so that it can be given to others and shows nothing that is elsewhere. Links in it are left out, wherever they lead. Put the file itself into the folder."
    "characters/ponds/otter.yaml, a link to ../../otter.yaml"

    SYNTAX "LX0101" "the rules cannot be read here"
    "At this place the rules say something that is not part of the language, or something is missing before it. The message names what could stand here. Each mistake is reported on its own, so one run shows them all."
    "zone nest dice, open"

    VERSION "LX0102" "the version line is missing or unknown"
    "A file of rules starts with `ludex 1`, the version of the language it is written in. A newer number needs a newer Ludex."
    "ludex 7"

    UNCLOSED "LX0103" "something is opened and never closed"
    "Every `{`, `(` and `[` needs its partner. The place shown is where it is opened; look for the end that is missing."
    "scope day {\n  open day_begins()"

    FOREIGN_FORM "LX0104" "this is written differently here"
    "The form is known from other languages and its meaning is clear, but the rules language has one way to write it, which the message shows."
    "when die.value == 3"

    RULE_ID "LX0105" "a rule's number is not well formed"
    "The number of a rule is an `@`, a few capital letters, a hyphen and digits. It ties a statement to the rulebook, and scenarios cite it."
    "zone nest: dice, open   @rule12"

    RESERVED_WORD "LX0106" "this word belongs to the language"
    "A word of the language cannot be the name of a zone, counter or anything else. Choose another name."
    "counter when"

    TEXT_UNCLOSED "LX0107" "a text is not closed"
    "A text starts with a double quote and ends with one on the same line. To use a double quote within it, write `\\\"`."
    "says \"hop"

    TOO_DEEP "LX0108" "brackets stand in each other too deep"
    "Brackets or blocks are nested deeper than anybody can follow. Give a name to a part with `define` and use the name."
    "((((((((…))))))))"

    NUMBER_TOO_LARGE "LX0109" "a number is too large"
    "Numbers are whole and lie between about minus and plus nine quintillions. No game needs more; look for a digit too many."
    "option limit = 99999999999999999999 in 1..9"

    RULES_EMPTY "LX0110" "a file of rules is empty"
    "The file holds nothing but comments and blank lines. Write something, or delete it."
    "# soon"

    PART_TWICE "LX0111" "a part is written twice"
    "A declaration may have this part once. Keep one of the two."
    "hop(frog in pond)\n  when frog.value > 1\n  says \"hop\"\n  says \"jump\""

    YAML_SYNTAX "LX0201" "the file cannot be read as YAML"
    "YAML is lines of `key: value`, with lists in `[ ]` or as lines that start with `- `. Here something breaks that form: a missing space after a `:`, a quote or bracket that is not closed, or a line that is not indented as its neighbours are. Text with special signs such as `: `, `#`, `@` or `[` needs quotes."
    "name: Otter: the swimmer"

    YAML_TAB "LX0202" "a tab stands where only spaces may"
    "YAML counts the spaces before a line to see what belongs together, and a tab has no certain width. Replace the tabs at the start of lines, and those behind a `:` or `-`, with spaces. Most editors can do this for the whole file and can be told to write spaces from then on."
    "nest:\n\t- 4"

    YAML_DUPLICATE_KEY "LX0203" "a key is given twice"
    "Each key may stand once in a map. The second one was not read. Keep one of them; if both values are meant, write one list."
    "nest: [4]\nnest: [6]"

    YAML_ANCHOR "LX0204" "an anchor, alias or tag of YAML is used"
    "YAML has marks for repeating values (`&name`, `*name`) and for types (`!name`). They make a file hard to follow and are not read here. Write the value out at each place. A text that starts with such a sign needs quotes."
    "nest: &dice [4, 6]"

    YAML_DEPTH "LX0205" "lists and maps stand in each other too deep"
    "No file needs lists in lists more than 64 deep. Most often a bracket is not closed."
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["

    YAML_DOCUMENTS "LX0206" "a second document starts in one file"
    "A line of three hyphens starts another document in the same file. Only one is read from each file. Put the others into files of their own."
    "name: Otter\n---\nname: Heron"

    YAML_EMPTY "LX0207" "nothing is written in the file"
    "The file is empty, or holds only comments. Fill it in, or delete it."
    "# to be written"

    YAML_CHARACTER "LX0208" "a sign is in the file that cannot stand in a text"
    "The file holds a control sign that no keyboard writes. It comes from a program that did not save plain text, or from copying. Type the line again, or save the file as plain text."
    "name: Otter\u{0}"

    YAML_KEY "LX0209" "a key is not a word"
    "What stands before a `:` is a plain word or number. Here it is missing, or it is a list or a map. Text that holds brackets needs quotes."
    "[nest, pond]: 4"

    YAML_TYPE "LX0210" "a value is of the wrong kind"
    "A list stands where a number is wanted, a word where a list is wanted, and so on. The message names both. Numbers are written without quotes, lists in `[ ]`, and only whole numbers are counted."
    "nest: 4"

    YAML_RANGE "LX0211" "a number is out of range"
    "The number is smaller or larger than it may be here. The message names the limits."
    "pebbles: -1"

    YAML_UNKNOWN_KEY "LX0212" "a key is not known here"
    "Nothing reads this key, so its value would be lost without a word. It is misspelt, or it stands in the wrong map: look at how far it is indented."
    "naem: Otter"

    YAML_MISSING_KEY "LX0213" "a key is missing"
    "The map lacks a key it must have. Add a line for it."
    "{}"

    YAML_WORD "LX0214" "a value is none of the words that may stand here"
    "Only certain words may be given here, and this is none of them. The message lists them."
    "provenance: guess"

    UNKNOWN_NAME "LX0301" "a name is not known"
    "Nothing of this name is declared in the rules. Check the spelling; the message names the nearest one. Something that is declared inside a block is known only there."
    "when frgo.value > 1"

    DECLARED_TWICE "LX0302" "a name is declared twice"
    "Two things of one kind have the same name, so nobody could tell which is meant. Rename one of them. Both places are shown. A package or mode that means to change what is there says `replace`."
    "each side has {\n  counter pebbles\n  counter pebbles\n}"

    UNKNOWN_FIELD "LX0303" "a thing has no such field"
    "The word after the dot is none that this kind of thing has. The message names the nearest one."
    "when frog.valu > 1"

    UNKNOWN_ZONE "LX0304" "no zone has this name"
    "Pieces lie in zones, and a zone is declared with `zone NAME: …` for a sheet, an entrant, a side or the table. None of this name is declared for this owner."
    "move frog to side.nset"

    UNKNOWN_MARK "LX0305" "no mark has this name"
    "A mark is declared with `mark NAME` on the kind of piece that may carry it. None of this name is declared."
    "when frog is sleeping"

    UNKNOWN_HOOK "LX0306" "no hook has this name"
    "A hook is a moment at which abilities may act, declared with `hook NAME(…)`. None of this name is declared; `ludex show GAME order` lists them."
    "open day_begin()"

    UNKNOWN_ACTION "LX0307" "no action or family has this name"
    "What a player may choose from is declared with `action` or `family`. None of this name is declared."
    "side must choose hopp else { }"

    UNKNOWN_PROCEDURE "LX0308" "nothing to do has this name"
    "`do` and `stop` need the name of something declared with `to NAME`, `scope NAME` or `entry scope NAME`."
    "do nigth"

    UNKNOWN_OPTION "LX0309" "no option of the game has this name"
    "The options of a game are declared with `option` in its rules; `ludex show GAME options` lists them with what they may be."
    "--option pebles=5"

    UNKNOWN_COUNTER "LX0310" "no counter has this name"
    "A counter is declared with `counter NAME` for a side, an entrant, a piece or the table. None of this name is declared for this owner."
    "add 1 to side.peebles"

    NAME_HIDDEN "LX0311" "a name hides another one"
    "A name given here is in use already around it, so that the other one could not be reached. Choose another name."
    "each side in sides { each side in sides { } }"

    UNKNOWN_RULE "LX0312" "a rule's number is not in the table"
    "A scenario says with `shows` that it shows this rule, and the table in the README of the rules does not list it. Correct the number or add it to the table. `ludex test` tells it. Citations in the rules are not compared with the table: they may also name what stands elsewhere, such as readings."
    "shows: [PO-999]"

    UNUSED_NAME "LX0313" "a name is never used"
    "This is declared and nothing refers to it. It does no harm; it may be left from an earlier version, or a name is misspelt elsewhere."
    "define tired(frog: die) = frog.value = 1"

    UNKNOWN_TYPE "LX0314" "no kind of thing has this name"
    "After a `:` stands what kind of thing a name is for: `side`, `number`, `dice`, a piece or family of these rules, and so on."
    "hook hopped(frog: dye)"

    UNKNOWN_PARAMETER "LX0315" "this takes nothing of that name"
    "A value is given by a name that is not among the names declared for this procedure, hook or ability."
    "do night(owner: side)"

    NO_FOE "LX0316" "there is no one foe here"
    "`foe` means the only other side. In a mode with more than two sides write `opponents`, `left` or `right`."
    "move frog to side.foe.nest   in a mode with four sides"

    MOVES_ALIKE "LX0317" "moves read alike"
    "The sentence of a move does not name one of the things that are chosen with it. A list would show several moves in the same words, with their keys to tell them apart."
    "action leap(frog in active.nest, pebble in pebbles) is hop  says \"{frog} leaps\""

    PACKAGES_CLASH "LX0320" "two packages change the same thing"
    "Two packages that know nothing of each other declare, replace or remove the same thing, or a mode changes what a package has changed that the mode knows nothing of. Neither may win by chance. The package that extends both, or its block of the mode, must say which one counts: with `replace` and the declaration, or with a sheet or script that says that it replaces."
    "package ours \"Ours\" extends night-ponds, wet-ponds   where both say `replace define reach …`"

    WRONG_TYPE "LX0401" "a value is of the wrong kind"
    "Something of one kind is wanted and another is given, such as a die where a number is wanted. Often a part is meant: the value of a die is `die.value`."
    "when frog > 3"

    ARGUMENT_COUNT "LX0402" "too many or too few values are given"
    "The procedure, hook or function takes a fixed number of values. The message tells how many and which."
    "open hopped()"

    ARGUMENT_TYPE "LX0403" "a value given is of the wrong kind"
    "The value in this place is not of the kind that was declared for it. Both places are shown."
    "open hopped(3)"

    NOT_MANY "LX0404" "one thing stands where several are wanted"
    "`sum of`, `each`, `where` and their like work on several things. Here there is only one."
    "sum of frog.value"

    MAY_BE_NONE "LX0405" "there may be none"
    "The value may be missing at this point of a game, and what is done with it needs one. Ask first, as in `if NAME is not none`."
    "set first to last_hopper   where last_hopper is `side or none`"

    NOT_COMPARABLE "LX0406" "two values cannot be compared"
    "The two sides of a comparison are of different kinds, so it could never be true, or of a kind that has no order. Compare numbers with numbers, lists of numbers with lists of numbers, and sides with sides."
    "when frog.value = side"

    CONDITION_TYPE "LX0407" "this is not a yes or no"
    "After `when`, `if`, `where` and `until` stands something that is true or false, such as a comparison."
    "when frog.value"

    CANNOT_SET "LX0408" "this cannot be changed"
    "Only counters and fields can be set. What is worked out from others follows them by itself, and a piece is moved or rolled instead."
    "set side.nest to 3"

    BRANCHES_DIFFER "LX0409" "the two branches differ in kind"
    "`if … then … else …` gives one value, so both branches must be of the same kind."
    "define first = if night then 1 else side"

    NOT_ONE "LX0410" "several things stand where one is wanted"
    "Only one thing can be meant here. Choose it: `the one of …`, `first of …`, or `each … in …` to take them one after the other."
    "roll the value of side.nest"

    HALVES "LX0411" "half points and whole numbers are mixed"
    "A counter of halves counts half points, so that no fraction is ever needed. Say which is meant by comparing or adding halves with halves."
    "when side.half_points = 3"

    NO_FIRST_VALUE "LX0412" "a field has nothing to begin with"
    "Numbers begin at 0, flags as no, words as their first word, and what may be missing begins as `none`. Anything else needs a first value, which stands behind `=`."
    "each side has { next_hopper: frog }"

    ASKING_EXPRESSION "LX0501" "a question stands where only a value may be"
    "What is asked, rolled or moved happens in statements. A `define`, a `when` and the like only look at the game, as often as needed, so nothing in them may ask or change anything."
    "define pick = choose a die of side.nest"

    ELSE_MISSING "LX0502" "it is not said what happens when nothing is possible"
    "A choice that must be made may have nothing to choose from. Write in an `else { … }` what happens then."
    "side must choose hop"

    CAP_MISSING "LX0503" "a repetition has no limit"
    "A game must end. Write how often something is repeated at most, and what happens after that in `otherwise { … }`."
    "repeat { do day }"

    UNREACHABLE "LX0504" "this can never happen"
    "Something before it always ends the procedure, or its condition can never be true."
    "stop day\nsay \"good night\""

    NO_PLAY "LX0505" "the game has no beginning"
    "A game starts with the procedure `to play { … }`. The rules have none."
    "ludex 1\ngame ponds \"Ponds\""

    GOES_IN_CIRCLES "LX0506" "a definition needs itself"
    "To work out the one, the other is needed, and for that the first again; or packages extend each other. Break the circle."
    "define a = b + 1\ndefine b = a + 1"

    OPTION_DEFAULT "LX0507" "a first value is not among those that there may be"
    "The value after `=` must be one of those that the option, counter or field may have."
    "option pebbles_to_win = 12 in 1..9"

    STOP_OUTSIDE "LX0508" "this is not inside what it stops"
    "`stop NAME` leaves a procedure or scope that is going on. Here it is not going on, wherever this is reached from."
    "to play { stop day }"

    STEP_BY_STEP "LX0509" "this choice is put together step by step"
    "The possible sets are too many to list, so the player picks piece by piece. This is no mistake. If a shape that Ludex knows would say the same (one die against a target, a set with a given sum), write that."
    "action hop(frogs: 2 or more in side.nest)\n  when product of frogs.value = 60"

    NEVER_FINISHES "LX0510" "nothing ever finishes the game"
    "No `finish` can be reached from `to play`. Say when the game is over and who has won."
    "to play { do day }"

    HOOK_NEVER_OPENED "LX0511" "a hook is never opened"
    "Abilities at this hook would never be used. Open it with `open NAME(…)` at the right moment, or remove it."
    "hook hopped(frog: die)"

    ACTION_NEVER_OFFERED "LX0512" "an action is never offered"
    "No `choose` names this action or its family, and no ability grants it."
    "action hop(frog in side.nest)"

    SIDES_UNFIT "LX0513" "the number of sides does not fit"
    "A mode tells how many sides play and with how many entrants each. What is given does not fit it."
    "sides 1 of 0 otter"

    SIZES_UNFIT "LX0514" "a list of die sizes is not well formed"
    "Die sizes are whole numbers from 1 upwards, each given once. A die with faces of its own has 1 to 1000 of them, and a number from 1 to 1,000,000 on each."
    "die sizes 4, 6, 6"

    WORD_UNFIT "LX0515" "a sentence names something that is not there"
    "In `{ }` inside a sentence stands a name or a value that is known at this place."
    "says \"{forg} hops\""

    ENTRY_LOCAL "LX0516" "play could not start here"
    "An `entry` may be where a position starts. So what the procedures around it still need when it has ended must be something that a position can say: zones, counters, fields, marks and parameters. A name made by `let`, an answer or the place in a loop over a list is not: keep it in a field or a counter instead. And there must be one place from which the entry is reached."
    "to play { let hops = 3  do day  say \"{hops} so far\" }   with   entry scope day { }"

    NEVER_FALLS "LX0518" "pieces would fall but never do"
    "A zone of a piece says where its pieces fall when the piece leaves play. A piece leaves play when it goes to a zone that is `out of play`, and no zone says so."
    "piece frog (frogs) { zone pockets: dice, open, falls to table.shore }   without a zone `out of play`"

    TOO_MANY "LX0519" "there are more of them than there may be"
    "A game has at most 5,000 names, 32 modes and 32 marks, a library 200 games, one declaration 64 KiB, an action 6 roles and a procedure 8 parameters; at most 100 definitions lie in each other, and 10,000 in all that one procedure needs. The message names what is too much, and what to write instead."
    "to hop(a: die, b: die, c: die, d: die, e: die, f: die, g: die, h: die, i: die) { }"

    AT_ONCE "LX0520" "this cannot be said of several who are asked at once"
    "Those who are asked at once all answer before anything happens, and learn nothing of each other meanwhile. So what is done when somebody chose nothing stands behind the question, and hooks are opened before it or behind it."
    "each side in sides at once may choose hop as hops else { stop }"

    NOBODY_PLAYS "LX0521" "nobody can play with so many sides or entrants"
    "A game has from 1 to 100 sides, and each brings at most 100 entrants. Of two numbers the smaller stands first."
    "sides 5..2"

    QUESTION_TELLS "LX0522" "what may be chosen tells something hidden"
    "Whether a move is offered depends on pieces that the side that is asked cannot see, so that the list of its moves tells something about them. Where the rules mean that, `tells` behind the action, the offer or the question says so. How many pieces lie in a zone is no secret."
    "action peek(die in me.hand) is move   when any of me.foe.hand has it.value > die.value"

    UNKNOWN_ABILITY "LX0601" "no ability has this name"
    "The sheet names an ability for which there is no script. Abilities are named as their files in `scripts` are, without `.rhai`. The message names the nearest one."
    "abilities: [second-jmp]"

    DIE_SIZE "LX0602" "the game has no die of this size"
    "The rules of the game list the sizes a die can have. This one is not among them. The message lists them."
    "nest: [4, 7]"

    MISSING_LIST "LX0603" "the sheet lacks one of its lists"
    "The rules say what is printed on a sheet, and this part has no usual value, so it must be given. Write `[]` if it is meant to be empty."
    "name: Otter   without `nest:`"

    ABILITY_TWICE "LX0604" "an ability is given twice"
    "A sheet has each ability once. If it may be used more often, set its uses where the sheet names it."
    "abilities: [second-jump, second-jump]"

    UNKNOWN_PROVENANCE "LX0605" "it is not said where a line of a sheet comes from"
    "Every list of pieces, number and word can carry a note of its origin: `seed` (from the rules as given), `deduced`, `third-party`, `placeholder` or `ours`. It may be none of these words, or it may name a line that the sheet does not have."
    "provenance: {nest: guess}"

    UNKNOWN_SETTING "LX0606" "an ability has no such setting"
    "A sheet may set what the header of the ability's script lists as parameters, and this is none of them."
    "abilities: [{second-jump: {tmies: 2}}]"

    SETTING_VALUE "LX0607" "a setting has an impossible value"
    "The header of the ability's script tells what this setting may be."
    "abilities: [{second-jump: {times: many}}]"

    PIECE_KIND "LX0608" "the wrong kind of piece is in a list"
    "The zone holds one kind of piece, dice for example, and something else is listed."
    "nest: [lily-card]"

    SHEET_NAME "LX0609" "the name of a sheet cannot be used"
    "A sheet is named as its file is: small letters, digits and hyphens. What players read stands in the file under `name`."
    "Big Otter!.yaml"

    PLACEHOLDER "LX0610" "a list is only a placeholder"
    "The list is marked as a placeholder: its true content is not known. The game can be played with it, and `list` and `show` mark it."
    "provenance: {nest: placeholder}"

    LIST_LENGTH "LX0611" "a list is too short or too long"
    "The rules say how many pieces a sheet has in this list."
    "nest: []   where the rules ask for at least one"

    MISSING_VALUE "LX0612" "the sheet lacks a number or word"
    "The rules say what is printed on a sheet, and they have no first value for this, so it must be given."
    "name: Otter   without `speed:`"

    FIRST_VALUE "LX0613" "a value that the rules work out does not fit"
    "What a sheet leaves out is worked out from its other lines. Here that gives a number that the rules themselves do not allow. Give the number on the sheet, or change the lines that it comes from."
    "speed: 90   where `stamina: number = 2 * speed in 0..100`"

    UNKNOWN_SHEET "LX0614" "it is not clear which sheet a file is"
    "A game may print several kinds of sheets: decks, and cards of several sorts. A line `sheet: …` tells which one a file is, with the name that the rules declare. The line is missing here, or it names none of them."
    "sheet: mosnter"

    SCRIPT_SYNTAX "LX0701" "the script cannot be read here"
    "Something in the script is not well formed: a bracket or a `;` that is missing, or a word in the wrong place. Only the first such mistake in a file is found; there may be more."
    "fn second_jump(frog) { roll(frog }"

    HEADER_MISSING "LX0702" "the script has no header"
    "A script opens with lines that start with `//!`: the ability's name, its text, how often it may be used and when. Without them nobody knows what the functions are for."
    "fn second_jump(frog) { roll(frog); }"

    HEADER_SYNTAX "LX0703" "the header of a script cannot be read here"
    "The `//!` lines at the top of a script are written in the rules language. Something in them is not part of it."
    "//! ability second-jump Second Jump"

    FUNCTION_MISSING "LX0704" "a function is missing"
    "The header says that the ability acts at a hook, and below it there is no function of that name. Write `fn NAME(…) { … }`."
    "//! offer second_jump at hopped(frog)"

    FUNCTION_UNUSED "LX0705" "a function is never called"
    "No hook of the header has this name and no other function calls it."
    "fn secnd_jump(frog) { }"

    UNKNOWN_FUNCTION "LX0706" "no function has this name"
    "Scripts can call the functions listed in `scripts/README.md` and those in the same file. This is neither. The message names the nearest one."
    "rol(frog);"

    SCRIPT_ARGUMENT_COUNT "LX0707" "too many or too few values are given to a function"
    "The function takes a fixed number of values. The message tells which."
    "roll();"

    SCRIPT_ARGUMENT_TYPE "LX0708" "a function is given a value of the wrong kind"
    "The value in this place is not what the function works on: a side where a die is wanted, for example."
    "roll(me);"

    SCRIPT_FIELD "LX0709" "a thing has no such field"
    "The word after the dot is none that this kind of thing has."
    "let size = frog.sise;"

    SCRIPT_UNTYPED "LX0710" "it cannot be told what this is"
    "Scripts are checked before they run, so it must be clear what each value is. Here it is not, for example in an empty list. Write it in a plainer way."
    "let all = [];\nroll(all[0]);"

    SCRIPT_FORBIDDEN "LX0711" "this is not allowed in scripts"
    "Scripts can do what `scripts/README.md` lists and nothing else: they open no files, wait for nothing, load nothing, and hold no functions in variables."
    "eval(\"roll(frog)\");"

    SCRIPT_VARIABLE_TYPE "LX0712" "a variable changes its kind"
    "A variable keeps the kind of its first value. Use a second variable."
    "let pick = 3;\npick = frog;"

    USES "LX0713" "the uses of an ability are not well formed"
    "After `uses` stand a number and a scope of the rules, such as `2 per day`."
    "//! uses 2 per dya"

    HOOK_PARAMETERS "LX0714" "the parameters do not fit the hook"
    "An ability names the hook's parameters in the order in which the rules declare them. Both places are shown."
    "//! offer second_jump at hopped()   where the rules say `hook hopped(frog: die)`"

    ABILITY_NAME "LX0715" "the ability and its file have different names"
    "A script lies in a file that is named as its ability is. Rename one of them."
    "//! ability second-jump   in third-jump.rhai"

    MODIFIER_ACTS "LX0716" "a modifier does more than look"
    "A modifier changes a value or forbids something by a formula in the header. It cannot ask, roll, move or run a function."
    "//! modifier second_jump at hop_length = roll 1 d6"

    UNKNOWN_VARIABLE "LX0717" "a variable is not known"
    "Nothing of this name was made with `let`, and it is no parameter of the function."
    "roll(frgo);"

    FUNCTION_PARAMETER "LX0718" "a function asks for what its hook does not give"
    "A function gets its values by name: the names that its clause gives to the hook's parameters and targets, `me`, `holder` and `table`. This is none of them."
    "fn second_jump(frgo) { }   under   offer second_jump(frog in nest) at hopped()"

    SCRIPT_TYPE "LX0719" "a value in a script is of the wrong kind"
    "What stands here does not work on this kind of value: a condition must be true or false, sums are made of numbers, and only lists, zones and ranges can be gone through with `for`."
    "if len(me.nest) { }"

    POSITION_VALUE "LX0801" "a die shows a value it cannot have"
    "The value is below 1 or above the size of the die. A die with faces of its own shows one of these and nothing else."
    "nest: [{size: 4, value: 5}]"

    POSITION_ZONE "LX0802" "the game has no such zone"
    "The position names a zone or counter that the rules do not give to a side, an entrant or the table."
    "zones: {nset: [4]}"

    POSITION_PIECE "LX0803" "a piece cannot be placed so"
    "Two pieces have the same `id`, or more pieces are placed than there are."
    "nest: [{id: a, size: 4}, {id: a, size: 6}]"

    POSITION_ENTRY "LX0804" "play cannot start there"
    "`at` names an `entry` of the rules with its parameters, and after `in` the procedures around it with theirs, as far as these do not go without saying. Something in it is wrong, or is missing."
    "at: dya(side: 0)"

    POSITION_SIDES "LX0805" "sides or entrants do not fit the mode"
    "The mode tells how many sides there are and how many entrants each has. Another number is given."
    "sides: [{entrants: [otter]}]"

    OPTION_VALUE "LX0806" "an option cannot have this value"
    "The rules tell what the option may be; `ludex show GAME options` lists it."
    "options: {pebbles_to_win: 0}"

    UNKNOWN_MODE "LX0807" "the game has no such mode"
    "The modes of a game are declared in its rules; `ludex show GAME` lists them. A script that says `//! mode NAME` is for one of them, too."
    "mode: quick"

    POSITION_WHOSE "LX0808" "it is not clear which entrant is meant"
    "A side brings several entrants, and each of them has this zone or this ability. List what is in the zone, or how often the ability was used, with the entrant, and only once."
    "- entrants: [otter, newt]\n  zones: {nest: [6]}"

    SCENARIO_EMPTY "LX0810" "the scenario checks nothing"
    "A scenario that expects nothing always succeeds. Say with `expect`, `exactly`, `legal`, `not` or `then` what must come out."
    "- name: a hop\n  play: [0: hop(a)]"

    SCENARIO_EVENTS "LX0811" "something else happened than was expected"
    "The events after this step are not those that the scenario lists, in this order. The message shows what was expected and what happened. The rules may be wrong, or the scenario."
    "- expect: [rolled(a, 6)]"

    SCENARIO_OPTIONS "LX0812" "the options are not those that were expected"
    "At this step something is possible that the scenario rules out, or something is not possible that it counts on."
    "- 0: {legal: [hop(a)]}"

    SCENARIO_STATE "LX0813" "the end is not as expected"
    "After the last step a zone, counter or outcome differs from what the scenario says under `then`."
    "then: {sides: [{counters: {pebbles: 2}}]}"

    SCENARIO_RANDOM "LX0814" "listed results are left over or missing"
    "All results under `random` must be used, in this order, and no more may be needed."
    "random: [6, 3, 3]"

    SCENARIO_SEAT "LX0815" "another seat is asked"
    "The step gives an answer of one seat, and at this point the question is put to another, or to nobody."
    "- 1: hop(a)"

    SCENARIO_ANSWER "LX0816" "an answer fits several options, or none"
    "A step names an option by its key, or by words that only one of the options has."
    "- 0: hop"

    SCENARIO_RULES "LX0817" "the rules a scenario shows are not well given"
    "`shows` lists one to four numbers of rules: those that fail the scenario when they are broken."
    "shows: []"

    SCENARIO_PATTERN "LX0818" "an expected event is not well formed"
    "An event is written `kind(what, what by SIDE)`, for example `rolled(a, 6)` or `used(second-jump by 0)`."
    "- expect: [rolled a 6]"

    RECORDING_FORMAT "LX0820" "this is no recording"
    "A recording starts with a line that names its format, the game and the seats. This file does not, or its format is newer than this Ludex, or it was changed. Recordings are files of at most 64 MiB; nothing is read from pipes and devices, which may never end."
    "ludex replay notes.txt"

    RECORDING_TORN "LX0821" "the last line of a recording is torn"
    "The program was stopped while it wrote. The torn line is left out; everything before it counts."
    "{\"seat\":0,\"key\":\"ho"

    RECORDING_DIVERGED "LX0822" "the recording does not fit the game any more"
    "Up to this answer everything went as recorded; then an answer was not possible, or something else came out. The rules, a sheet or a script have been changed since."
    "ludex replay old.ludexrec"

    RECORDING_PACKAGE "LX0823" "the game has changed since this was recorded"
    "The recording was made with other files. It is played on as long as every answer is still possible. The message lists the files that differ."
    "ludex replay old.ludexrec"

    RECORDING_LINE "LX0824" "a line of a recording cannot be read"
    "Each line of a recording is one answer in JSON, with a checksum that ties it to the lines before. This one is damaged, or a line before it was lost, doubled or moved. It and all after it are left out; what stands before it is played."
    "{\"seat\":zero}"

    NO_RANDOMNESS "LX0825" "this system gives no randomness"
    "Dice that nobody can foretell need a source of randomness, and the system has none to give. With `--seed N` a game is played all the same, with dice that follow from the number."
    "ludex play GAME --seed 7"

    ILLEGAL_CHOICE "LX0901" "this cannot be chosen"
    "The answer is none of the options. Nothing has happened, and the question still stands. The reason tells why it is not possible, when that is known."
    "{\"choose\":9,\"key\":\"hop(99)\"}"

    UNKNOWN_DECISION "LX0902" "no such question is open"
    "The answer names a question that was answered already or never put."
    "{\"choose\":1,\"option\":0}"

    WRONG_SEAT "LX0903" "this seat cannot be spoken for"
    "`ludex host --as N` speaks for seat N and for no other: what another seat answers, undoes or wants to see is not its business."
    "{\"view\":1}"

    ANSWER_FORM "LX0904" "the answer is of the wrong form"
    "The question wants one option, several, a number, an order or amounts, and the answer is something else."
    "{\"choose\":9,\"number\":3}"

    INPUT_ENDED "LX0905" "the input ended before an answer"
    "A question is open and nobody is left to answer it. What was played so far is kept in the recording, and the game can be resumed from it."
    "echo 1 | ludex play ponds"

    PROTOCOL_LINE "LX0906" "a line is not understood"
    "Each line is one JSON object with a known first word. This one is not; it was left out and nothing has happened."
    "choose 9"

    SEATS "LX0907" "the seats are not well given"
    "A seat is given as `NUMBER=SHEET`, with sheets of this game separated by commas and the player after a `:`."
    "--seat otter"

    RANDOM_RESULT "LX0908" "a result is impossible"
    "A die cannot show this value, or another number of results was asked for."
    "{\"random\":4,\"result\":[9]}   for a die of size 8"

    RANDOM_MISSING "LX0909" "no listed result is left"
    "A die is rolled, and all results given with `--rolls` have been used."
    "ludex host ponds --rolls 3"

    FAULT "LX0910" "an ability failed while it ran"
    "A script met something that cannot be seen before it runs. The game is back at the last question, and the line is shown. Another choice may go well; the script needs mending."
    "throw \"not yet written\";"

    DIVISION_BY_ZERO "LX0911" "something is divided by zero"
    "A number was divided by one that turned out to be zero. Ask first whether it is zero."
    "let share = pebbles / 0;"

    SCRIPT_LIMIT "LX0912" "a script went on for too long"
    "A script may do a limited number of steps, calls and questions, and hold a limited amount of text. This one went over a limit, so it was stopped at the line shown. Most often a loop never ends."
    "loop { }"

    EMPTY_CHOICE "LX0913" "there is nothing to choose from"
    "Something must be chosen, and there is nothing to choose from. Ask first whether there is any, say behind the question what then, with `else { … }`, or say in `when` of an ability's header when it may be used."
    "choose(me, \"Which one?\", []);"

    NUMBER_OVERFLOW "LX0914" "a number grew too large"
    "The result of a calculation does not fit. Look for a number that is doubled again and again."
    "let much = 9223372036854775807 + 1;"

    PIECE_LIMIT "LX0915" "too many pieces, changes or values"
    "A game may hold a limited number of pieces, marks and values of lists, and make a limited number of changes between two questions. An ability or rule makes more and more of them."
    "loop { create(frog); }"

    SCRIPT_DIVERGED "LX0916" "a script did something else the second time"
    "After a question a script is run again from its start with the answers given, and must do the same up to there. This is a fault of Ludex; please report it with the recording."
    "a fault that no script should be able to make"

    UNDO_REFUSED "LX0917" "this cannot be taken back"
    "Something was rolled, revealed or answered by another player since. It can be taken back only if the other people agree. Who plays bots only may do so three times in a match, or as often as `--undo` says."
    "{\"undo\":{\"seat\":0}}"

    STEP_LIMIT "LX0918" "the rules went on for too long without asking"
    "Between two questions, or in a whole match, the rules did more than any game needs: steps, members of lists and candidates of roles all count. A repetition with a very large limit, or a condition over very many things, is the usual cause."
    "repeat at most 1000000000 times { set side.pebbles to 1 }"

    PLAYER_GONE "LX0919" "a player's program does not answer"
    "The program that answers for a seat cannot be started, has ended, has given one wrong answer after the other, or has gone over a limit: of time, memory, processes or output. The game ends there; what was played is kept."
    "--seat 1=otter:exec=./bot"

    INDEX_OUT_OF_RANGE "LX0920" "there is no such place in a list"
    "A script takes an element of a list that is shorter. The first element is `list[0]`."
    "let third = dice[2];"

    ODDS_QUESTION "LX0921" "odds come to a question"
    "Odds are worked out from chance alone. What was asked for leads to a question that a player would have to answer. Ask for the odds of a part of the rules without one, or choose options under which nobody is asked."
    "ludex odds ponds \"a_whole_day\""

    ODDS_VALUE "LX0922" "odds of something without a value"
    "Odds tell how likely each value of an expression is: of a number, of yes or no, of a word. This expression has no such value: a procedure in it gives nothing, or ends the match."
    "ludex odds ponds \"settle_down\""

    ODDS_FORM "LX0923" "dice stand where they cannot be rolled"
    "What follows `where`, `has` or `with` is worked out for each member of a list, and nothing can happen there: no dice, no procedure. Roll outside of it."
    "ludex odds ponds \"count of ([1, 2, 3] where it > 1d6)\""

    NOT_ADMITTED "LX0924" "one who is to play is not what the rules ask for"
    "The rules say what everybody must be who plays: `sides … where … else \"…\"`. The message has their words. In another mode, or with other options, it may be allowed."
    "ludex play ponds --seat 0=tadpole"

    UNEVEN_DIVISION "LX0925" "a total cannot be divided in such steps"
    "When a total is divided, each part is a multiple of the step, and together they are the total. So the total must be a multiple of the step, too, and not less than 0, and the step 1 or more."
    "first of sides must divide 65 in steps of 10 among frogs as shares"

    TOO_MANY_MOVES "LX0926" "too many moves to look through"
    "Where several things are chosen at once there are soon more sets of them than anybody can look through. Up to 64 things may be chosen from where no condition joins the sets to anything else, up to 1,000 where their sum must equal a number, and up to 20 otherwise; and no more than 100,000 moves of one action are looked at one by one. Let a `where` leave fewer things, let some be chosen first, or say the condition in a form that is told without looking at each move."
    "action hop(frogs: 2 or more in side.nest, prey in side.foe.nest)\n  when sum of frogs.value > prey.value"

    INTERNAL "LX0927" "a bug in Ludex has ended the game"
    "This is a fault of Ludex, and not of the game, a script or an answer. Only this game ends, and what was answered before is in its recording. Please report it: send the recording with the message."
    "a fault that no rule, script or answer should be able to cause"

    TOURNAMENT_FILE "LX1001" "this is no tournament"
    "The file holds something else, or it was damaged by another program. A tournament is begun with `ludex tournament new`; its file is changed by `ludex tournament` and nothing else. Choose the right file with `--tournament`, or go back to a copy."
    "ludex tournament standings --tournament notes.txt"

    TOURNAMENT_VERSION "LX1002" "a newer Ludex has made this tournament"
    "The tables in the file have a version that this Ludex does not know, so it does not touch them. Use the version that made the tournament, or a newer one. Files of older versions are brought up to date by themselves."
    "a tournament that was begun on another machine"

    TOURNAMENT_UNCLEAR "LX1003" "it is not clear which tournament is meant"
    "Without `--tournament` and without `LUDEX_TOURNAMENT`, the tournament is the only file in this folder that ends in `.ludextournament`. There is none here, or there are several. Go to the folder, or name the file."
    "ludex tournament standings, in an empty folder"

    TOURNAMENT_NAME "LX1004" "a name cannot be used"
    "Players are told apart by their names. A name has 40 letters at most, shows something, and differs from all others in more than capitals, blanks and signs that cannot be seen. Add a second name or a number."
    "ludex tournament join ann, where there is an Ann"

    TOURNAMENT_UNKNOWN "LX1005" "no player or duel is called so"
    "No player of the tournament has this name, or no duel this number. `ludex tournament standings` lists the players, `ludex tournament duels` the duels."
    "ludex tournament challenge Bbo --as Ann"

    TOURNAMENT_REFUSED "LX1006" "this cannot be done now"
    "The rules of the tournament do not allow it as things are: somebody else has to do it, the duel is at another stage, a player has left or has no tokens, or the tournament is over. The message says which. `ludex tournament duels` and `ludex tournament log` tell how things are."
    "ludex tournament report 3 --winner Ann, when duel 3 is finished"

    TOURNAMENT_GAME "LX1007" "this game has no duels"
    "A tournament is made of games between two sides. This one needs more, has no place for a second, or has too few sheets for what a side brings. Choose another game, or another mode with `--mode`."
    "ludex tournament new cup --game patience"
}

#[cfg(test)]
mod tests;
