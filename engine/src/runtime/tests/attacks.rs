//! Games that would take all time and memory there is, if play cost nothing. Nothing but texts: `examples/hostile_games.rs` plays
//! them as well, with a clock.

/// One such game: what is made ready, and what happens when its only question has been answered.
pub struct Attack {
    pub name: &'static str,
    pub declared: &'static str,
    pub ready: &'static str,
    pub then: &'static str,
    /// The functions of an ability that acts at `moment(me)`, if it has one.
    pub script: &'static str,
}

const NONE: Attack = Attack { name: "", declared: "", ready: "", then: "open moment(me)", script: "" };
const DICE_2000: &str = "repeat 2000 times { create die(size: 6) in me.bag for me }";
const DICE_9900: &str = "repeat 9900 times { create die(size: 6) in me.bag for me }";

pub const ATTACKS: &[Attack] = &[
    Attack {
        name: "a script rolls a long list for ever",
        ready: DICE_2000,
        script: "fn act(me) { let l = [me.bag[0]]; while len(l) < 1000 { l.push(me.bag[len(l)]); } while me.points >= 0 { roll(l); } }",
        ..NONE
    },
    Attack {
        name: "a script rolls for reasons of 4,000 signs",
        ready: DICE_2000,
        script: "fn act(me) { let s = \"words \"; while len(s) < 2000 { s += s; } while me.points >= 0 { roll(me.bag, s); } }",
        ..NONE
    },
    Attack { name: "a script goes round for ever", script: "fn act(me) { let n = 0; while me.points >= 0 { n += 1; } }", ..NONE },
    Attack {
        name: "a script copies lists for ever",
        ready: DICE_2000,
        script: "fn act(me) { let l = [0]; while len(l) < 1000 { l.push(1); } while me.points >= 0 { let m = l; m[0] = len(l); } }",
        ..NONE
    },
    Attack {
        name: "a script looks for things in a zone for ever",
        ready: DICE_2000,
        script: "fn act(me) { let d = me.bag[1999]; let n = 0; while me.points >= 0 { if contains(me.bag, d) { n += 1; } } }",
        ..NONE
    },
    Attack {
        name: "a script goes through a zone for ever",
        ready: DICE_9900,
        script: "fn act(me) { let n = 0; while me.points >= 0 { for d in me.bag { n += d.size; } } }",
        ..NONE
    },
    Attack {
        name: "a script moves a zone onto itself",
        ready: DICE_9900,
        script: "fn act(me) { while me.points >= 0 { move_to(me.bag, me.bag); } }",
        ..NONE
    },
    Attack {
        name: "a script works between questions that it answers itself",
        ready: DICE_2000,
        script: "fn act(me) { while me.points >= 0 { let d = choose(me, \"?\", [me.bag[0]]); for i in 0..1000 { d.size; } } }",
        ..NONE
    },
    Attack { name: "a script says things for ever", script: "fn act(me) { while me.points >= 0 { say(text_of(me)); } }", ..NONE },
    Attack { name: "a list is doubled", then: "let l = [1, 2]  repeat 1000000 times { set l to l + l }", ..NONE },
    Attack {
        name: "lists are sorted for ever",
        ready: DICE_9900,
        then: "repeat 1000000 times { let l = sorted me.bag.value  if count of l = 0 { set me.points to 1 } }",
        ..NONE
    },
    Attack { name: "a long text is said again and again", then: "repeat 1000000000 times { say \"LONG\" }", ..NONE },
    Attack { name: "something short is said again and again", then: "repeat 1000000000 times { say \"x\" }", ..NONE },
    Attack {
        name: "a text is worked out for ever",
        ready: DICE_9900,
        then: "repeat 1000000000 times { say \"{count of (me.bag where (count of (me.bag where it.value > 1)) > it.value)}\" }",
        ..NONE
    },
    Attack {
        name: "a thousand dice of a million faces are rolled again and again",
        then: "repeat 1000000 times { roll 1000 d1000000 as pool  if count of pool = 0 { set me.points to 1 } }",
        ..NONE
    },
    Attack {
        name: "a million loops inside a million",
        then: "repeat 1000000 times { repeat 1000000 times { set me.points to 1 } }",
        ..NONE
    },
    Attack {
        name: "three roles of 2,000 with nothing that fits",
        declared: "family hop(side: side) { }
action leap(a in side.bag, b in side.bag, c in side.bag) is hop when a.value + b.value > 100 + c.value",
        ready: DICE_2000,
        then: "me must choose hop(me) else { }",
        ..NONE
    },
    Attack {
        name: "three roles that are only counted",
        declared: "family hop(side: side) { }
action leap(a in side.bag where (count of (side.bag where it.value > 7)) > 0) is hop",
        ready: DICE_9900,
        then: "me must choose hop(me) else { }",
        ..NONE
    },
    Attack {
        name: "counts inside counts",
        ready: DICE_9900,
        then: "if count of (me.bag where count of (me.bag where count of (me.bag where it.value > 6) > 0) > 0) > 0 { set me.points to 1 }",
        ..NONE
    },
    Attack {
        name: "the best by the best",
        ready: DICE_9900,
        then: "let d = the one of me.bag with highest count of (me.bag where it.value > 1)  if d is none { set me.points to 1 }",
        ..NONE
    },
    Attack {
        name: "a zone is shuffled again and again",
        ready: DICE_9900,
        then: "repeat 1000000 times { shuffle me.bag }",
        ..NONE
    },
    Attack {
        name: "dice are moved to and fro",
        ready: DICE_9900,
        then: "repeat 1000000 times { move me.bag to me.box  move me.box to me.bag }",
        ..NONE
    },
    Attack {
        name: "marks are put on and taken off",
        ready: DICE_2000,
        then: "repeat 1000000 times { mark me.bag as wet  unmark me.bag as wet }",
        ..NONE
    },
    Attack { name: "procedures call each other", then: "repeat 1000000 times { do outer }", ..NONE },
    Attack {
        name: "hooks are opened again and again",
        then: "repeat 1000000000 times { open idle(me) }",
        script: "fn act(me) { }",
        ..NONE
    },
    Attack {
        name: "pieces are made again and again",
        then: "repeat 1000000 times { create die(size: 6) in me.bag for me }",
        ..NONE
    },
];

impl Attack {
    /// The rules of the game.
    pub fn rules(&self) -> String {
        let declared = "sides 2 of 1 frog
sheet frog (frogs) { }
die sizes 6
piece die (dice) { mark wet \"is wet\" }
each side has { zone bag: dice, open  zone box: dice, open  counter points }
hook moment(active: side)
hook idle(active: side)
to inner { repeat 10 times { set (first of sides).points to 1 } }
to outer { repeat 1000000 times { do inner } }";
        let Attack { declared: more, ready, then, .. } = self;
        format!("{declared}\n{more}\nto play {{\nlet me = first of sides\n{ready}\nme may \"Begin?\" as begins\n{then}\nfinish with nobody }}")
            // As long as a declaration may be.
            .replace("LONG", &"ever so long ".repeat(4_600))
    }

    /// The only ability, which the first side has, and whether there is one.
    pub fn ability(&self) -> String {
        let header = "//! ability act \"Act\"\n//! trigger act at moment(active)\n//!   when active is me\n//! trigger idle at idle(active)\n//!   when active is not me\n//!   do { say \"never\" }\n";
        match self.script {
            "" => String::new(),
            script => format!("{header}{script}\n"),
        }
    }
}
