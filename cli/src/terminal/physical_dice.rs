//! Real dice: the request to roll them and the reading of their results.

use ludex_engine::runtime::{RandomDraw, RandomKind, RandomRequest};

/// The request in words: `roll d4 d8 for Ann, then d8 for Bob`. `owner` returns ` for Ann` for the number of a piece.
pub fn request_text(request: &RandomRequest, owner: impl Fn(usize) -> Option<String>) -> String {
    if request.kind == RandomKind::Pick {
        let most = request.draws.first().map_or(1, |draw| draw.size);
        return format!("pick at random, from 1 to {most}");
    }
    let owner = |draw: &RandomDraw| draw.piece.and_then(&owner);
    let groups = request.draws.chunk_by(|one, next| owner(one) == owner(next));
    let parts: Vec<String> = groups.map(|group| draws_text(group, group.first().and_then(owner))).collect();
    format!("roll {}", parts.join(", then "))
}

fn draws_text(draws: &[RandomDraw], owner: Option<String>) -> String {
    let names: Vec<String> = draws.iter().map(RandomDraw::die_text).collect();
    format!("{}{}", names.join(" "), owner.unwrap_or_default())
}

/// Parses the results in a line, in the order requested. The error is a message for the person who typed them.
pub fn parse_results(request: &RandomRequest, line: &str) -> Result<Vec<i64>, String> {
    let parts: Vec<&str> = line.split([' ', ',', '\t']).filter(|part| !part.is_empty()).collect();
    if parts.len() != request.draws.len() {
        let dice = draws_text(&request.draws, None);
        return Err(format!("type what each of these shows, in this order: {dice}"));
    }
    parts.iter().zip(&request.draws).map(|(part, draw)| parse_result(part, draw)).collect()
}

/// Parses one result. Ten-sided dice count from 0 to 9, with 0 read as ten; 00 on a hundred-sided die is read as a hundred.
fn parse_result(part: &str, draw: &RandomDraw) -> Result<i64, String> {
    let number: i64 = part.parse().map_err(|_| format!("`{part}` is not a number"))?;
    match &draw.faces {
        _ if draw.allows_result(number) => Ok(number),
        Some(faces) => {
            value_of_noughts(part, draw).ok_or_else(|| format!("a {} shows {}, not {part}", faces.title, faces.values_text()))
        }
        None if number == 0 && (draw.size == 10 || draw.size == 100) => Ok(draw.size),
        None => Err(format!("a d{} shows 1 to {}, not {number}", draw.size, draw.size)),
    }
}

/// The value of noughts on a die with its own faces: 0 for a 10, 00 for a 100. A single 0 is ambiguous if the die has both.
fn value_of_noughts(part: &str, draw: &RandomDraw) -> Option<i64> {
    match part {
        "0" if !draw.allows_result(100) => Some(10),
        "00" => Some(100),
        _ => None,
    }
    .filter(|face| draw.allows_result(*face))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_engine::program::Faces;

    fn dice(sizes: &[i64]) -> RandomRequest {
        let draws = sizes.iter().map(|&size| RandomDraw { piece: None, size, faces: None }).collect();
        RandomRequest { id: 1, kind: RandomKind::Roll, draws, reason: "starting roll".into() }
    }

    #[test]
    fn a_throw_tells_whose_dice_they_are() {
        let mut throw = dice(&[4, 8, 8]);
        throw.draws.iter_mut().enumerate().for_each(|(piece, draw)| draw.piece = Some(piece));
        let owner = |piece| Some(if piece < 2 { " for Ann" } else { " of Ann for Bob" }.to_string());
        assert_eq!(request_text(&throw, owner), "roll d4 d8 for Ann, then d8 of Ann for Bob");
        assert_eq!(request_text(&dice(&[4, 8]), owner), "roll d4 d8");
    }

    #[test]
    fn results_are_read_in_the_order_asked_for() {
        assert_eq!(parse_results(&dice(&[4, 10, 20]), "1, 7 20"), Ok(vec![1, 7, 20]));
    }

    #[test]
    fn a_nought_on_ten_sides_is_ten() {
        assert_eq!(parse_results(&dice(&[10, 100]), "0 00"), Ok(vec![10, 100]));
        assert_eq!(parse_results(&dice(&[8]), "0"), Err("a d8 shows 1 to 8, not 0".into()));
    }

    fn with_faces(title: &str, values: impl IntoIterator<Item = i32>) -> RandomRequest {
        let values: Vec<i32> = values.into_iter().collect();
        let mut throw = dice(&[values.len() as i64]);
        throw.draws[0].faces = Some(Faces { kind: 3, title: title.to_string(), values });
        throw
    }

    #[test]
    fn dice_with_faces_of_their_own_take_what_stands_on_them() {
        let tens = with_faces("d%", (1..=10).map(|face| face * 10));
        assert_eq!(request_text(&tens, |_| None), "roll d%");
        for (typed, face) in [("40", 40), ("10", 10), ("100", 100), ("00", 100)] {
            assert_eq!(parse_results(&tens, typed), Ok(vec![face]));
        }
        let refused = "a d% shows 10, 20, 30, 40, 50, 60, 70, 80, 90 or 100, not";
        for typed in ["0", "4", "101"] {
            assert_eq!(parse_results(&tens, typed), Err(format!("{refused} {typed}")));
        }
        assert_eq!(parse_results(&with_faces("d%", 1..=10), "0"), Ok(vec![10]));
        assert_eq!(parse_results(&with_faces("dodd", [1, 3, 5]), "00"), Err("a dodd shows 1, 3 or 5, not 00".into()));
    }

    #[test]
    fn what_dice_cannot_show_is_refused() {
        assert_eq!(parse_results(&dice(&[6]), "7"), Err("a d6 shows 1 to 6, not 7".into()));
        assert_eq!(parse_results(&dice(&[6]), "six"), Err("`six` is not a number".into()));
        assert_eq!(parse_results(&dice(&[6, 6]), "3"), Err("type what each of these shows, in this order: d6 d6".into()));
        assert_eq!(parse_results(&dice(&[6]), "99999999999999999999"), Err("`99999999999999999999` is not a number".into()));
    }
}
