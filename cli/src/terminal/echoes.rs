//! Removes lines that only repeat the line before: a choice and its effect, a throw and its result. Used for every story of a
//! game; the lines come from `event_text`.

/// A line of the story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The start of a part of play.
    Title(String),
    Plain(String),
}

/// The kind of event that a line comes from, as far as other lines may repeat it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineOrigin {
    Choice,
    Throw,
    Otherwise,
}

/// Number of lines after a choice that are compared with it.
const FAR: usize = 3;

/// The lines without those that repeat an earlier choice or throw, and without choices and throws that the next line repeats.
pub fn without_echoes(lines: Vec<(Line, LineOrigin)>) -> Vec<Line> {
    let mut dropped = vec![false; lines.len()];
    for (place, (line, made)) in lines.iter().enumerate() {
        let Line::Plain(first) = line else { continue };
        let reach = match made {
            LineOrigin::Choice => FAR,
            LineOrigin::Throw => 1,
            LineOrigin::Otherwise => continue,
        };
        // A choice is `Ann: take the stone of Ann`; the lines after it need not repeat her name.
        let (who, own) = match made {
            LineOrigin::Choice => first.split_once(": ").unwrap_or(("", first)),
            _ => ("", first.as_str()),
        };
        let own = if who.is_empty() { own.to_string() } else { own.replace(&format!(" of {who}"), "") };
        let own = line_words(&own, "");
        let after = lines.iter().enumerate().skip(place + 1).take(reach);
        for (later, (line, made)) in
            after.take_while(|(_, (line, made))| matches!(line, Line::Plain(_)) && *made != LineOrigin::Choice)
        {
            let Line::Plain(text) = line else { continue };
            let said = line_words(text, who);
            if !said.is_empty() && contains_all_words(&own, &said) {
                dropped[later] = true;
            } else if later == place + 1 && *made == LineOrigin::Otherwise && contains_all_words(&said, &own) {
                dropped[place] = true;
            }
        }
    }
    let kept = lines.into_iter().zip(dropped).filter(|(_, dropped)| !dropped);
    kept.map(|((line, _), _)| line).collect()
}

/// The words of a line, without those of a name at its start.
fn line_words(text: &str, name: &str) -> Vec<String> {
    let text = text.strip_prefix(name).unwrap_or(text).to_lowercase();
    let trimmed = text.split_whitespace().map(|word| word.trim_matches(|sign: char| !sign.is_alphanumeric() && sign != '%'));
    trimmed.filter(|word| !word.is_empty()).map(str::to_string).collect()
}

/// Whether each word of `short` is in `long`.
fn contains_all_words(long: &[String], short: &[String]) -> bool {
    short.iter().all(|word| long.iter().any(|other| is_one_word(word, other)))
}

/// Whether two words are the same up to a plural or verb ending: `capture` and `captures`, `pass` and `passes`.
fn is_one_word(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let is_number = short.ends_with(|sign: char| sign.is_ascii_digit());
    short == long || !is_number && matches!(long.strip_prefix(short), Some("s" | "es"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts_without_echoes(lines: &[(&str, LineOrigin)]) -> Vec<String> {
        let lines = lines.iter().map(|(text, made)| (Line::Plain(text.to_string()), *made)).collect();
        let kept = without_echoes(lines);
        kept.into_iter().map(|line| if let Line::Plain(text) = line { text } else { String::new() }).collect()
    }

    #[test]
    fn what_a_choice_has_said_is_not_said_again() {
        let lines =
            [("Ann: d4:3 and d8:1 together capture d20:4", LineOrigin::Choice), ("Ann captures d20:4", LineOrigin::Otherwise)];
        assert_eq!(texts_without_echoes(&lines), ["Ann: d4:3 and d8:1 together capture d20:4"]);
        let lines = [
            ("Ann: take another turn", LineOrigin::Choice),
            ("Ann uses Wings", LineOrigin::Otherwise),
            ("Ann takes another turn", LineOrigin::Otherwise),
        ];
        assert_eq!(texts_without_echoes(&lines), ["Ann: take another turn", "Ann uses Wings"]);
    }

    #[test]
    fn a_choice_that_says_less_than_what_follows_goes() {
        assert_eq!(
            texts_without_echoes(&[("Ann: d4:2 of Ann", LineOrigin::Choice), ("Ann drafts d4:2", LineOrigin::Otherwise)]),
            ["Ann drafts d4:2"]
        );
        assert_eq!(
            texts_without_echoes(&[("Ann: pass", LineOrigin::Choice), ("Ann cannot hop and passes", LineOrigin::Otherwise)]),
            ["Ann cannot hop and passes"]
        );
    }

    #[test]
    fn what_happens_twice_is_said_twice() {
        let lines = [("Bob takes 5 damage", LineOrigin::Otherwise), ("Bob takes 5 damage", LineOrigin::Otherwise)];
        assert_eq!(texts_without_echoes(&lines).len(), 2);
        let other = [("Ann: d8:6 captures d8:5", LineOrigin::Choice), ("Ann captures d8:4", LineOrigin::Otherwise)];
        assert_eq!(texts_without_echoes(&other).len(), 2);
        let bids = [("Ann: bid 3", LineOrigin::Choice), ("Bob: bid 3", LineOrigin::Choice)];
        assert_eq!(texts_without_echoes(&bids).len(), 2);
    }

    #[test]
    fn the_result_of_a_throw_is_said_once() {
        let lines = [("1d20 shows 6 (initiative of Ann)", LineOrigin::Throw), ("initiative of Ann: 6", LineOrigin::Otherwise)];
        assert_eq!(texts_without_echoes(&lines), ["1d20 shows 6 (initiative of Ann)"]);
    }
}
