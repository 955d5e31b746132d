//! What the pages of the server ask, and how a form is sent.

pub fn borrowed(fields: &[(String, String)]) -> Vec<(&str, &str)> {
    fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

/// The fields of an answer to the question of a page.
pub fn answer(page: &str, pick: &mut dyn FnMut(usize) -> usize) -> Option<Vec<(String, String)>> {
    let form = between(page, "<form class=\"question\"", "</form>")?;
    let mut fields: Vec<(String, String)> =
        tags(form, "input").filter(|tag| tag.contains("type=\"hidden\"")).map(named).collect();
    let buttons: Vec<&str> =
        tags(form, "button").filter(|tag| tag.contains("name=\"key\"") && !tag.contains("value=\"back\"")).collect();
    let others: Vec<&str> = tags(form, "input").filter(|tag| !tag.contains("type=\"hidden\"")).collect();
    if !buttons.is_empty() {
        fields.push(named(buttons[pick(buttons.len())]));
    } else if others.iter().any(|tag| tag.contains("type=\"checkbox\"")) {
        let legend = between(form, "<legend>", "</legend>").unwrap();
        let least: usize = legend.split(|c: char| !c.is_ascii_digit()).find_map(|word| word.parse().ok()).unwrap();
        fields.extend(others.iter().take(least).map(|tag| named(tag)));
    } else if form.contains("name=\"amount\"") {
        let legend = between(form, "<legend>", "</legend>").unwrap();
        let total = legend.split(|c: char| !c.is_ascii_digit()).find(|word| !word.is_empty()).unwrap();
        let amount = |place: usize| if place == 0 { total.to_string() } else { "0".to_string() };
        fields.extend((0..others.len()).map(|place| ("amount".to_string(), amount(place))));
    } else {
        fields.extend(others.iter().map(|tag| named(tag)));
    }
    Some(fields)
}

fn tags<'t>(text: &'t str, name: &str) -> impl Iterator<Item = &'t str> {
    let begin = format!("<{name} ");
    let starts: Vec<usize> = text.match_indices(&begin).map(|(place, _)| place).collect();
    starts.into_iter().map(|start| &text[start..=start + text[start..].find('>').unwrap()])
}

/// The name and value of a field.
fn named(tag: &str) -> (String, String) {
    let of = |name: &str| between(tag, &format!(" {name}=\""), "\"").unwrap_or_default();
    (of("name").to_string(), unescaped(of("value")))
}

pub fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

pub fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    let rest = &text[text.find(start)? + start.len()..];
    Some(&rest[..rest.find(end)?])
}

pub fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}
