//! Liar's dice for two: bids that rise, ones that count as anything, and a die for every lie or false alarm.

use super::table::Table;

const DICE_EACH: u32 = 5;

/// Plays a game; the winners, each a bit.
pub fn play(table: &mut impl Table) -> u32 {
    let mut dice = [DICE_EACH; 2];
    let mut starter = 0;
    loop {
        let loser = round(starter, dice, table);
        dice[loser] -= 1;
        if dice[loser] == 0 {
            return 1 << (1 - loser);
        }
        starter = loser;
    }
}

/// Plays a round; who has lost it.
fn round(starter: usize, dice: [u32; 2], table: &mut impl Table) -> usize {
    let total = dice[0] + dice[1];
    // How many dice show each number.
    let mut shown = [0u32; 7];
    for _ in 0..total {
        shown[table.roll(6) as usize] += 1;
    }
    let mut active = starter;
    // Bids in their order: six for one die, six for two, and so on.
    let mut next_bid = 0;
    loop {
        let bids = 6 * total - next_bid;
        let options = bids + u32::from(next_bid > 0);
        let chosen = table.choose_if_open(active, options, |option| call(next_bid + option, total));
        if chosen == bids {
            let (quantity, face) = named(next_bid - 1);
            let found = shown[1] + if face == 1 { 0 } else { shown[face as usize] };
            return if found < quantity { 1 - active } else { active };
        }
        next_bid += chosen + 1;
        active = 1 - active;
    }
}

/// How many dice a bid says, and what they show.
fn named(bid: u32) -> (u32, u32) {
    (bid / 6 + 1, bid % 6 + 1)
}

fn call(bid: u32, total: u32) -> String {
    let (quantity, face) = named(bid);
    if quantity > total { "challenge".to_string() } else { format!("bid({quantity}>{face})") }
}
