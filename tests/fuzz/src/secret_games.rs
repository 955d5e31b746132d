//! Small games with secrets. Each comes in two worlds, which differ only in what one seat cannot see.
//!
//! A statement is *open* or *secret*. Open ones read what all may see, and do what all may see. Secret ones may read what is
//! hidden from the watching seat, and only change what is hidden from it. So the seat sees the same in both worlds, and looking
//! ahead, refusals and take-backs must not change that. What open and secret meet in, a *telling*, stands only where one
//! certain answer of the seat leads to, and behind the last line that is compared: whoever looks ahead comes there.

use std::fmt::Write as _;

/// How the answers are called that lead to a telling.
pub const TELLING_ANSWERS: [&str; 2] = ["number(3)", "peek"];
/// What is said before a telling that every game comes to.
pub const LAST_LINE: &str = "the cards are turned";

/// In the text of a game, a number that is another in each world.
const SECRET: char = '§';
/// The ranks of the cards that are dealt. Which cards there are is known to all, but not where they lie.
const RANKS: [usize; 7] = [1, 2, 3, 4, 5, 6, 7];
/// Cards that the watching seat cannot see.
const UNSEEN_CARDS: [&str; 4] = ["table.deck", "me.foe.hand", "me.behind", "(top 2 of table.deck)"];
/// How many numbers are hidden beside the cards.
const NUMBERS: usize = 3;
/// The deepest block of blocks, or value of values.
const DEEPEST: usize = 3;

/// A game in both worlds, and the seat from which the difference is hidden.
pub struct SecretGame {
    pub worlds: [String; 2],
    pub seat: usize,
}

/// Writes the game that these bytes stand for. Each decides one thing; once they are used up, everything ends.
pub fn write(bytes: &[u8]) -> SecretGame {
    let mut writer = Writer {
        bytes,
        text: String::new(),
        procedures: String::new(),
        deep: 0,
        numbers: 0,
        names: 0,
        in_procedure: false,
        comes_true: false,
    };
    let secrets = [writer.secrets(), writer.secrets()];
    let seat = writer.below(2);
    let text = writer.game(seat);
    let worlds = secrets.map(|secrets| {
        let mut numbers = secrets.iter().map(usize::to_string);
        text.split(SECRET).map(|part| [part, numbers.next().as_deref().unwrap_or_default()].concat()).collect()
    });
    SecretGame { worlds, seat }
}

struct Writer<'b> {
    bytes: &'b [u8],
    /// The statements so far.
    text: String,
    /// Procedures that the statements call.
    procedures: String,
    deep: usize,
    /// Secret numbers in variables, `h1` and so on, that can be read here.
    numbers: usize,
    /// Other names so far.
    names: usize,
    in_procedure: bool,
    /// Play itself comes here, and not only who looks ahead: nothing may fail.
    comes_true: bool,
}

impl Writer<'_> {
    fn below(&mut self, bound: usize) -> usize {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        usize::from(*first) % bound
    }

    /// The ranks of the cards in some order, and the other numbers.
    fn secrets(&mut self) -> Vec<usize> {
        let mut left = RANKS.to_vec();
        let mut drawn: Vec<usize> = RANKS.iter().map(|_| left.remove(self.below(left.len()))).collect();
        drawn.extend((0..NUMBERS).map(|_| self.below(6) + 1));
        drawn
    }

    fn one_of(&mut self, texts: &[&'static str]) -> &'static str {
        texts[self.below(texts.len())]
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.deep + 1));
    }

    // --- the game --------------------------------------------------------------------

    fn game(&mut self, seat: usize) -> String {
        let me = ["first of sides", "last of sides"][seat];
        let standing = self.one_of(&["", "standing of side = side.score\n"]);
        let peek = self.apart(2, Writer::telling);
        self.statements(6, Writer::secret);
        self.statements(4, Writer::open);
        self.line(&format!("say \"{LAST_LINE}\""));
        self.comes_true = true;
        self.statements(2, Writer::telling);
        let (turn, procedures) = (std::mem::take(&mut self.text), std::mem::take(&mut self.procedures));
        format!(
            "ludex 1
game twins \"Twins\"
sides 2
die sizes 6
type hue is one of red, green, blue
piece card (cards) {{ counter rank in 1..7  note: number in 1..6  mark worn {{ modify worth(side, number) when side is me: it + 2 }}  mark bent \"is bent\" }}
piece token (tokens) {{ counter worth in 0..9 }}
each side has {{
  zone hand: cards, seen by owner  zone behind: cards, seen by all but owner  zone shown: cards, open
  zone tray: tokens, open  zone cup: dice, seen by owner
  counter score in 0..99  counter secret in 1..6, seen by owner  omen: number in 1..6, seen by all but owner
  guess: number in 1..6  flagged: flag  tint: hue  wanted: card or none  rival: side or none
  kept: list of number in 1..7, at most 30  held: cards, at most 30
}}
the table has {{ zone deck: cards, seen by nobody, in order  zone box: cards, seen by nobody  total: number in 0..40  hidden: number in 1..6 }}
hook worth(side: side, number: number): number = number + sum of side.behind.rank
define shift(side: side, number: number) = number * 2 - side.guess
family act_of(me: side) {{ token: token }}
action slide(token in me.tray) is act_of says \"slide {{token}}\" do {{ add 1 to me.score }}
action peek(token in me.tray) is act_of says \"peek at {{token}}\" do {{
{peek}}}
{standing}{procedures}to play {{
  let me = {me}
  count rank from 1 to 7 {{ create card(rank: rank) in table.box for me }}
  create card(rank: 4) in me.hand for me  create card(rank: 3) in me.shown for me
  move (table.box where it.rank = §) to me.foe.hand  move (table.box where it.rank = §) to me.foe.hand
  move (table.box where it.rank = §) to me.behind
  move (table.box where it.rank = §) to table.deck  move (table.box where it.rank = §) to table.deck
  move (table.box where it.rank = §) to table.deck  move (table.box where it.rank = §) to table.deck
  create die(size: 6) in me.foe.cup for me.foe  create die(size: 6) in me.foe.cup for me.foe
  each die in me.foe.cup {{ set die.value to § }}
  create token(worth: 2) in me.tray  create token(worth: 5) in me.tray  create token(worth: 5) in me.foe.tray
  set me.foe.secret to §
  set me.omen to §
  set table.hidden to me.foe.secret
  do turn(me)
}}
entry scope turn(me: side) {{
{turn}  finish with me
}}
"
        )
    }

    /// Some statements that stand elsewhere.
    fn apart(&mut self, most: usize, statement: fn(&mut Self)) -> String {
        let (text, numbers) = (std::mem::take(&mut self.text), std::mem::take(&mut self.numbers));
        self.statements(most, statement);
        self.numbers = numbers;
        std::mem::replace(&mut self.text, text)
    }

    fn statements(&mut self, most: usize, statement: fn(&mut Self)) {
        for _ in 0..=self.below(most) {
            statement(self);
        }
    }

    fn block(&mut self, head: &str, statement: fn(&mut Self)) {
        let numbers = self.numbers;
        self.line(&format!("{head} {{"));
        self.deep += 1;
        self.statements(2, statement);
        self.deep -= 1;
        self.line("}");
        self.numbers = numbers;
    }

    // --- what is hidden from the seat --------------------------------------------------

    fn cards(&mut self) -> String {
        let known = ["me.held", "me.foe.held", "me.shown", "me.hand"];
        self.some_of(&[&UNSEEN_CARDS[..], &known].concat())
    }

    fn some_of(&mut self, zones: &[&'static str]) -> String {
        let cards = self.one_of(zones);
        match self.below(4) {
            0 => format!("({cards} where it.rank > {})", self.number(DEEPEST)),
            1 => format!("({cards} where it is worn)"),
            _ => format!("({cards})"),
        }
    }

    fn number(&mut self, deep: usize) -> String {
        if deep < DEEPEST {
            let next = deep + 1;
            match self.below(12) {
                5 => return format!("(sum of {}.note)", self.cards()),
                6 => return format!("({} + {})", self.number(next), self.number(next)),
                7 => return format!("({} - {})", self.number(next), self.number(next)),
                8 => return format!("(if {} then {} else {})", self.flag(next), self.number(next), self.number(next)),
                9 => return format!("count of ({} where it.rank > {})", self.cards(), self.number(next)),
                10 => return format!("{}(me, {})", self.one_of(&["worth", "shift"]), self.number(next)),
                11 => return format!("(sum of {}.rank)", self.cards()),
                _ => {}
            }
        }
        match self.below(10) {
            0 | 1 if self.numbers > 0 => format!("h{}", self.below(self.numbers) + 1),
            0 | 1 => "table.hidden".to_string(),
            2 => "me.omen".to_string(),
            3 => "me.foe.secret".to_string(),
            4 => self.one_of(&["me.guess", "me.foe.guess"]).to_string(),
            5 => "table.total".to_string(),
            6 => "(sum of (top 1 of table.deck).rank)".to_string(),
            7 => self.one_of(&["(sum of me.kept)", "(count of me.foe.kept)", "(count of me.held)"]).to_string(),
            8 => self.one_of(&["(sum of me.foe.cup.value)", "(count of (me.foe.cup where it.value > 3))"]).to_string(),
            _ => (self.below(6) + 1).to_string(),
        }
    }

    fn within(&mut self) -> String {
        format!("({} but at least 1 but at most 6)", self.number(0))
    }

    fn flag(&mut self, deep: usize) -> String {
        if deep < DEEPEST {
            let next = deep + 1;
            match self.below(8) {
                4 => return format!("({} and {})", self.flag(next), self.flag(next)),
                5 => return format!("({} or {})", self.flag(next), self.flag(next)),
                6 => return format!("any of {} has it.rank = {}", self.cards(), self.number(next)),
                7 => return format!("{} is empty", self.cards()),
                _ => {}
            }
        }
        match self.below(6) {
            0 => self.one_of(&["me.flagged", "me.foe.flagged"]).to_string(),
            1 => self.one_of(&["me.tint is red", "me.foe.tint is blue"]).to_string(),
            2 => self.one_of(&["me.wanted is none", "me.rival is none", "me.rival is me"]).to_string(),
            3 => format!("{} = {}", self.number(DEEPEST), self.number(DEEPEST)),
            _ => format!("{} > {}", self.number(DEEPEST), self.number(DEEPEST)),
        }
    }

    /// A statement that only changes what is hidden.
    fn secret(&mut self) {
        let side = self.one_of(&["me", "me.foe"]);
        match self.below(19) {
            0 => {
                let value = self.number(0);
                self.numbers += 1;
                self.line(&format!("let h{} = {value}", self.numbers));
            }
            2 if self.numbers > 0 => {
                let (number, value) = (self.below(self.numbers) + 1, self.number(0));
                self.line(&format!("set h{number} to {value}"));
            }
            1..=3 => {
                let value = self.within();
                self.line(&format!("set {side}.guess to {value}"));
            }
            4 | 5 => {
                let (value, sign) = (self.number(0), self.one_of(&["+", "-"]));
                self.line(&format!("set table.total to table.total {sign} {value} but at least 0 but at most 40"));
            }
            6 => {
                let value = self.flag(0);
                self.line(&format!("set {side}.flagged to {value}"));
            }
            7 => {
                let (flag, one, other) = (self.flag(0), self.one_of(&["red", "green"]), self.one_of(&["blue", "green"]));
                self.line(&format!("set {side}.tint to if {flag} then {one} else {other}"));
            }
            8 => {
                let cards = self.cards();
                self.line(&format!("set {side}.wanted to first of {cards}"));
            }
            9 => {
                let cards = self.cards();
                let list = self.one_of(&["sorted ", ""]);
                self.line(&format!("set {side}.kept to {list}({cards}.rank)"));
            }
            10 => {
                let cards = self.cards();
                self.line(&format!("set {side}.held to {cards}"));
            }
            11 => {
                let flag = self.flag(0);
                self.line(&format!("set {side}.rival to if {flag} then me else me.foe"));
            }
            12 if self.deep < DEEPEST => {
                let cards = self.cards();
                let name = self.name();
                self.block(&format!("each {name} in {cards}"), Writer::secret);
            }
            13 if self.deep < DEEPEST => {
                let (most, name) = (self.within(), self.name());
                self.block(&format!("count {name} from 1 to {most}"), Writer::secret);
            }
            14 => self.call(),
            15 => {
                let cards = self.cards();
                let sign = self.one_of(&["mark", "unmark"]);
                self.line(&format!("{sign} {cards} as worn"));
            }
            // What procedures set of pieces in hidden branches is not followed, as SECURITY.md says.
            18 if !self.in_procedure => {
                let (cards, value, name) = (self.cards(), self.within(), self.name());
                self.line(&format!("each {name} in {cards} {{ set {name}.note to {value} }}"));
            }
            16 => {
                let value = self.within();
                let field = self.one_of(&["table.hidden", "me.omen", "me.foe.secret"]);
                self.line(&format!("set {field} to {value}"));
            }
            _ if self.deep < DEEPEST => {
                let flag = self.flag(0);
                self.block(&format!("if {flag}"), Writer::secret);
                if self.below(2) == 1 {
                    self.block("else", Writer::secret);
                }
            }
            _ => self.line("set table.hidden to 2"),
        }
    }

    /// Something secret is done in a procedure, which gives a number.
    fn call(&mut self) {
        let (procedure, argument) = (self.name(), self.number(0));
        if self.procedures.len() < 2_000 {
            let (deep, numbers) = (std::mem::take(&mut self.deep), std::mem::take(&mut self.numbers));
            let outer = std::mem::replace(&mut self.in_procedure, true);
            let body = self.apart(2, Writer::secret);
            self.in_procedure = outer;
            let given = self.number(1);
            (self.deep, self.numbers) = (deep, numbers);
            let _ = writeln!(self.procedures, "to {procedure}(me: side, n: number): number {{\n{body}  give n + {given}\n}}");
            self.numbers += 1;
            self.line(&format!("do {procedure}(me, {argument}) as h{}", self.numbers));
        }
    }

    // --- what all may see ----------------------------------------------------------------

    fn open(&mut self) {
        let name = self.name();
        match self.below(13) {
            0 | 1 => {
                self.line(&format!("me must choose number in 1..3 as {name} \"Which, {{me}}?\""));
                self.block(&format!("if {name} = 3"), Writer::telling);
            }
            2 => self.line(&format!("me may choose act_of as {name} \"What?\"")),
            3 => self.line(&format!("me must choose 1 in me.shown + me.tray as {name} \"Which of them?\" else {{ }}")),
            4 => self.line("me.foe must choose number in 1..6 into me.foe.secret \"Your number\""),
            5 => {
                // All would see which of the cards that they can see were left to choose from.
                let cards = self.some_of(&UNSEEN_CARDS);
                self.line(&format!("me.foe must choose 1 in {cards} as {name} \"Which card?\" tells else {{ }}"));
                self.block(&format!("if {name} is not none"), Writer::secret);
            }
            6 => {
                self.line(&format!("each side in sides at once in secret must choose number in 1..2 as {name} \"Bid\""));
                self.line(&format!("set me.guess to {name}(me.foe)"));
            }
            7 => self.line("move top 1 of table.deck to me.foe.hand"),
            8 => self.line("shuffle table.deck"),
            9 => self.line(&format!("roll 1 d6 as {name}")),
            10 => self.line("add 1 to me.score"),
            11 => self.line("create die(size: 6) in me.foe.cup for me.foe  roll me.foe.cup"),
            12 if self.deep < DEEPEST => self.block("repeat 2 times", Writer::open),
            _ => self.secret(),
        }
    }

    /// A statement that shows something of what is hidden, or would fail for it.
    fn telling(&mut self) {
        let name = self.name();
        match self.below(12) {
            0 | 1 => {
                let flag = self.flag(0);
                self.block(&format!("if {flag}"), Writer::told);
            }
            2 => {
                let number = self.number(0);
                self.line(&format!("say \"it is {{{number}}}\""));
            }
            3 if !self.comes_true => {
                let number = self.number(0);
                self.line(&format!("let {name} = 6 divided by {number} rounded down"));
            }
            4 => {
                let number = self.within();
                self.line(&format!("count {name} from 1 to {number} {{ add 1 to me.score }}"));
            }
            5 => self.line("show top 1 of table.deck to me"),
            6 => self.line("move top 1 of table.deck to me.shown"),
            7 => {
                let number = self.within();
                self.line(&format!("roll {number} d6 as {name}"));
            }
            8 => {
                let cards = self.cards();
                self.line(&format!("me may choose 1 in {cards} as {name} \"Which of these?\" tells"));
            }
            9 => {
                let flag = self.flag(0);
                self.line(&format!("if {flag} {{ finish with me.foe }}"));
            }
            10 => self.secret(),
            _ => self.told(),
        }
    }

    /// What everybody sees being done.
    fn told(&mut self) {
        let cards = self.cards();
        match self.below(6) {
            0 => self.line("add 2 to me.score"),
            1 => self.line("say \"so it is\""),
            2 => self.line(&format!("move {cards} to me.shown")),
            3 => self.line(&format!("mark {cards} as bent")),
            4 => self.line("finish with me"),
            _ => self.line("me.foe may choose number in 1..2 as vow \"And you?\""),
        }
    }
}
