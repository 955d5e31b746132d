//! Real dice: what to roll, and what was rolled.

use ludex_engine::runtime::{RandomDraw, RandomKind, RandomRequest};

/// What to do, in words: `roll d4 d8 for Ann, then d8 for Bob`.
pub fn request(request: &RandomRequest, owner: impl Fn(usize) -> Option<String>) -> String {
    if request.kind == RandomKind::Pick {
        let most = request.draws.first().map_or(1, |draw| draw.size);
        return format!("pick at random, from 1 to {most}");
    }
    let owner = |draw: &RandomDraw| draw.piece.and_then(&owner);
    let groups = request.draws.chunk_by(|one, next| owner(one) == owner(next));
    let parts: Vec<String> = groups.map(|group| part(group, group.first().and_then(owner))).collect();
    format!("roll {}", parts.join(", then "))
}

fn part(draws: &[RandomDraw], owner: Option<String>) -> String {
    let names: Vec<String> = draws.iter().map(|draw| format!("d{}", draw.size)).collect();
    let owner = owner.map(|owner| format!(" for {owner}")).unwrap_or_default();
    format!("{}{owner}", names.join(" "))
}

/// The results in a line, in the order asked for, or what is wrong with them.
pub fn read(request: &RandomRequest, line: &str) -> Result<Vec<i64>, String> {
    let parts: Vec<&str> = line.split([' ', ',', '\t']).filter(|part| !part.is_empty()).collect();
    if parts.len() != request.draws.len() {
        let dice = part(&request.draws, None);
        return Err(format!("type what each of these shows, in this order: {dice}"));
    }
    parts.iter().zip(&request.draws).map(|(part, draw)| result(part, draw)).collect()
}

/// One result. Dice of ten sides count from 0 to 9, and 0 is read as ten; so is 00 on a hundred sides.
fn result(part: &str, draw: &RandomDraw) -> Result<i64, String> {
    let number: i64 = part.parse().map_err(|_| format!("`{part}` is not a number"))?;
    match number {
        0 if draw.size == 10 || draw.size == 100 => Ok(draw.size),
        number if (1..=draw.size).contains(&number) => Ok(number),
        _ => Err(format!("a d{} shows 1 to {}, not {number}", draw.size, draw.size)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dice(sizes: &[i64]) -> RandomRequest {
        let draws = sizes.iter().map(|&size| RandomDraw { piece: None, size }).collect();
        RandomRequest { id: 1, kind: RandomKind::Roll, draws, reason: "starting roll".into() }
    }

    #[test]
    fn a_throw_tells_whose_dice_they_are() {
        let mut throw = dice(&[4, 8, 8]);
        throw.draws.iter_mut().enumerate().for_each(|(piece, draw)| draw.piece = Some(piece));
        let owner = |piece| Some(if piece < 2 { "Ann" } else { "Bob" }.to_string());
        assert_eq!(request(&throw, owner), "roll d4 d8 for Ann, then d8 for Bob");
        assert_eq!(request(&dice(&[4, 8]), owner), "roll d4 d8");
    }

    #[test]
    fn results_are_read_in_the_order_asked_for() {
        assert_eq!(read(&dice(&[4, 10, 20]), "1, 7 20"), Ok(vec![1, 7, 20]));
    }

    #[test]
    fn a_nought_on_ten_sides_is_ten() {
        assert_eq!(read(&dice(&[10, 100]), "0 00"), Ok(vec![10, 100]));
        assert_eq!(read(&dice(&[8]), "0"), Err("a d8 shows 1 to 8, not 0".into()));
    }

    #[test]
    fn what_dice_cannot_show_is_refused() {
        assert_eq!(read(&dice(&[6]), "7"), Err("a d6 shows 1 to 6, not 7".into()));
        assert_eq!(read(&dice(&[6]), "six"), Err("`six` is not a number".into()));
        assert_eq!(read(&dice(&[6, 6]), "3"), Err("type what each of these shows, in this order: d6 d6".into()));
        assert_eq!(read(&dice(&[6]), "99999999999999999999"), Err("`99999999999999999999` is not a number".into()));
    }
}
