//! The content of a form of a page, as an act of a seat or an answer. `page/moves` makes these forms, with one field for each
//! form of answer: `key`, `number`, `place` (order), `amount` or `thing`.

use super::sitting::{Act, AnswerRequest, RequestRefusal};
use crate::protocol::request::Answer;
use serde_json::Value;

/// The fields of a form, in order.
pub struct Form(pub Vec<(String, String)>);

impl Form {
    /// The first value of a field.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.all_values(name).next()
    }

    fn all_values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// The seat that a form of the owner's page is about.
    pub fn seat_number(&self) -> Option<usize> {
        self.get("seat")?.parse().ok()
    }

    /// The act that the form asks of a table; `what` is the last part of the address it was posted to.
    pub fn requested_act(&self, what: &str) -> Result<Act, RequestRefusal> {
        match what {
            "answer" => self.answer_request(self.chosen_answer()?).map(Act::Answer),
            "undo" => Ok(Act::Undo),
            "again" => Ok(Act::Again),
            "consent" => match self.get("agrees") {
                Some("yes") => Ok(Act::Consent(true)),
                Some("no") => Ok(Act::Consent(false)),
                _ => Err(unreadable_form()),
            },
            "resign" if self.get("sure") == Some("yes") => Ok(Act::Resign),
            "resign" => {
                Err(RequestRefusal { reason: "You did not give up: confirm first that you are sure.".to_string(), help: None })
            }
            _ => Err(unreadable_form()),
        }
    }

    /// The answer to preview without giving it: in a list of moves, the one picked for this.
    pub fn previewed_answer(&self) -> Result<AnswerRequest, RequestRefusal> {
        let picked = self.get("look").map(|key| Answer::Key(key.to_string()));
        self.answer_request(picked.map_or_else(|| self.chosen_answer(), Ok)?)
    }

    /// The answer with the question that the page showed, so that it cannot reach another one.
    fn answer_request(&self, answer: Answer) -> Result<AnswerRequest, RequestRefusal> {
        let decision = self.get("decision").and_then(|number| number.parse().ok()).ok_or_else(unreadable_form)?;
        let step = self.get("step").map(str::parse).transpose().map_err(|_| unreadable_form())?;
        Ok(AnswerRequest { decision, step, answer })
    }

    /// The answer that the fields give. Nothing marked is the answer to choose nothing.
    fn chosen_answer(&self) -> Result<Answer, RequestRefusal> {
        if self.get("pass").is_some() {
            Ok(Answer::Options(Vec::new()))
        } else if let Some(key) = self.get("key") {
            Ok(Answer::Key(key.to_string()))
        } else if let Some(number) = self.get("number") {
            Ok(Answer::Number(number.trim().parse().map_err(|_| not_a_number_refusal(number))?))
        } else if self.get("place").is_some() {
            Ok(Answer::Options(self.chosen_order()?))
        } else if self.get("amount").is_some() {
            let amount = |amount: &str| amount.trim().parse().map_err(|_| not_a_number_refusal(amount));
            Ok(Answer::Amounts(self.all_values("amount").map(amount).collect::<Result<_, _>>()?))
        } else {
            Ok(Answer::Options(self.all_values("thing").map(|key| Value::from(key.to_string())).collect()))
        }
    }

    /// The things in the order of the places typed for them.
    fn chosen_order(&self) -> Result<Vec<Value>, RequestRefusal> {
        let place = |place: &str| place.trim().parse::<i64>().map_err(|_| not_a_number_refusal(place));
        let places = self.all_values("place").map(place).collect::<Result<Vec<i64>, _>>()?;
        let mut things: Vec<usize> = (0..places.len()).collect();
        things.sort_by_key(|thing| places[*thing]);
        if things.windows(2).any(|pair| places[pair[0]] == places[pair[1]]) {
            return Err(RequestRefusal {
                reason: "Two of them have the same number.".to_string(),
                help: Some("Give each a different one.".to_string()),
            });
        }
        Ok(things.into_iter().map(Value::from).collect())
    }
}

fn not_a_number_refusal(text: &str) -> RequestRefusal {
    let shown: String = text.chars().take(20).collect();
    RequestRefusal { reason: format!("“{shown}” is not a whole number."), help: None }
}

/// The refusal of a form that none of our pages has.
fn unreadable_form() -> RequestRefusal {
    RequestRefusal {
        reason: "This is not an answer to a question on this page.".to_string(),
        help: Some("The page shows the current state.".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answer(fields: &[(&str, &str)]) -> Result<Answer, String> {
        let fields = [("decision", "9")].iter().chain(fields).map(|(name, value)| (name.to_string(), value.to_string()));
        match Form(fields.collect()).requested_act("answer") {
            Ok(Act::Answer(AnswerRequest { decision: 9, step: None, answer })) => Ok(answer),
            Ok(other) => Err(format!("{other:?}")),
            Err(refused) => Err(refused.reason),
        }
    }

    #[test]
    fn each_form_of_a_question_has_its_fields() {
        assert_eq!(answer(&[("key", "leap(0>3)")]), Ok(Answer::Key("leap(0>3)".to_string())));
        assert_eq!(answer(&[("number", " 4 ")]), Ok(Answer::Number(4)));
        assert_eq!(answer(&[("thing", "a"), ("thing", "b")]), Ok(Answer::Options(vec![json!("a"), json!("b")])));
        assert_eq!(answer(&[("thing", "a"), ("pass", "yes")]), Ok(Answer::Options(Vec::new())));
        assert_eq!(
            answer(&[("place", "3"), ("place", "1"), ("place", "2")]),
            Ok(Answer::Options(vec![json!(1), json!(2), json!(0)]))
        );
        assert_eq!(answer(&[("amount", "30"), ("amount", "0")]), Ok(Answer::Amounts(vec![30, 0])));
        assert_eq!(answer(&[]), Ok(Answer::Options(Vec::new())));
    }

    #[test]
    fn what_is_looked_at_is_what_is_picked_or_else_filled_in() {
        let fields = |fields: &[(&str, &str)]| {
            Form(fields.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect())
                .previewed_answer()
                .map(|found| found.answer)
        };
        assert_eq!(fields(&[("decision", "9"), ("look", "leap(0>3)")]), Ok(Answer::Key("leap(0>3)".to_string())));
        assert_eq!(fields(&[("decision", "9"), ("number", "4")]), Ok(Answer::Number(4)));
        assert!(fields(&[("look", "leap(0>3)")]).is_err());
    }

    #[test]
    fn what_is_wrong_is_told() {
        assert_eq!(answer(&[("number", "four")]), Err("“four” is not a whole number.".to_string()));
        assert_eq!(answer(&[("place", "1"), ("place", "1")]), Err("Two of them have the same number.".to_string()));
        let nothing = Form(Vec::new());
        for what in ["answer", "consent", "resign", "dance"] {
            assert!(nothing.requested_act(what).is_err(), "{what}");
        }
    }
}
