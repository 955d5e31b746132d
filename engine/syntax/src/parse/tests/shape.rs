//! Trees in one short line, without places: `move(what: attack.target, to: active.captured)`.

use std::fmt::Debug;

/// A tree as it prints itself, less what does not tell trees apart.
pub fn shape(tree: &impl Debug) -> String {
    let printed = format!("{tree:?}");
    Reader { rest: &printed }.node().short()
}

/// One value of what `Debug` prints.
enum Node {
    Word(String),
    Quoted(String),
    Group { name: String, open: char, fields: Vec<(String, Node)> },
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn node(&mut self) -> Node {
        self.rest = self.rest.trim_start();
        if self.rest.starts_with('"') {
            return Node::Quoted(self.quoted());
        }
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '-').unwrap_or(self.rest.len());
        let name = self.rest[..end].to_string();
        self.rest = self.rest[end..].trim_start();
        match self.rest.chars().next() {
            Some(open @ ('{' | '(' | '[')) => {
                self.rest = &self.rest[1..];
                Node::Group { name, open, fields: self.fields(open) }
            }
            _ => Node::Word(name),
        }
    }

    fn quoted(&mut self) -> String {
        let (mut end, mut escaped) = (1, false);
        for sign in self.rest[1..].chars() {
            end += sign.len_utf8();
            if sign == '"' && !escaped {
                break;
            }
            escaped = sign == '\\' && !escaped;
        }
        let words = self.rest[1..end - 1].replace("\\\"", "\"");
        self.rest = &self.rest[end..];
        words
    }

    fn fields(&mut self, open: char) -> Vec<(String, Node)> {
        let mut fields = Vec::new();
        loop {
            self.rest = self.rest.trim_start_matches([' ', ',']);
            if self.rest.starts_with(['}', ')', ']']) {
                self.rest = &self.rest[1..];
                return fields;
            }
            let mut name = "";
            if open == '{' {
                let (before, after) = self.rest.split_once(':').unwrap();
                (name, self.rest) = (before, after);
            }
            fields.push((name.to_string(), self.node()));
        }
    }
}

impl Node {
    fn short(&self) -> String {
        match self {
            Node::Word(word) => word.to_lowercase(),
            Node::Quoted(words) => words.clone(),
            Node::Group { name, open: '{', fields } => struct_short(name, fields),
            Node::Group { name, open: '(', fields } => tuple_short(name, fields),
            Node::Group { fields, .. } => format!("[{}]", joined(fields)),
        }
    }

    fn is_nothing(&self) -> bool {
        match self {
            Node::Word(word) => word == "None" || word == "false",
            Node::Group { open: '[', fields, .. } => fields.is_empty(),
            Node::Group { .. } | Node::Quoted(_) => false,
        }
    }
}

/// What is left of a group: fields that say something.
fn told(fields: &[(String, Node)]) -> Vec<(&str, &Node)> {
    let told = |(name, node): &&(String, Node)| name != "span" && (name == "kind" || !node.is_nothing());
    fields.iter().filter(told).map(|(name, node)| (name.as_str(), node)).collect()
}

fn struct_short(name: &str, fields: &[(String, Node)]) -> String {
    let fields = told(fields);
    match (name, fields.as_slice()) {
        ("Span", _) => String::new(),
        ("Text", [(_, Node::Group { fields: parts, .. })]) => format!("\"{}\"", text_short(parts)),
        ("Name" | "Expr" | "TypeName" | "Block" | "Cite", [(_, value)]) => value.short(),
        ("Item" | "Member" | "Clause" | "Part" | "Statement", [("kind", kind), more @ ..]) => {
            let more: Vec<String> = more.iter().map(|(name, node)| format!(" {name} {}", node.short())).collect();
            format!("{}{}", kind.short(), more.concat())
        }
        _ => {
            let fields: Vec<String> = fields.iter().map(|(name, node)| format!("{name}: {}", node.short())).collect();
            format!("{}({})", name.to_lowercase(), fields.join(", "))
        }
    }
}

fn text_short(parts: &[(String, Node)]) -> String {
    let part = |part: &Node| match part {
        Node::Group { name, fields, .. } if name == "Hole" => format!("{{{}}}", joined(fields)),
        Node::Group { fields, .. } => joined(fields),
        other => other.short(),
    };
    parts.iter().map(|(_, node)| part(node)).collect()
}

fn tuple_short(name: &str, fields: &[(String, Node)]) -> String {
    let inner = joined(fields);
    let values: Vec<String> = fields.iter().map(|(_, node)| node.short()).collect();
    match (name, values.as_slice()) {
        ("Some" | "Text" | "Name" | "Number" | "Define" | "Hook" | "Action" | "Procedure" | "Ask" | "Option" | "Named", _) => {
            inner
        }
        ("Binary", [op, left, right]) => format!("({left} {op} {right})"),
        ("Member", [of, name]) => format!("{of}.{name}"),
        ("Call", [name, args]) => format!("{name}{args}"),
        ("Where", [set, condition]) => format!("({set} where {condition})"),
        ("If", [condition, yes, no]) => format!("(if {condition} then {yes} else {no})"),
        ("Of", [word, of]) => format!("({word} of {of})"),
        ("Range", [first, last]) => format!("({first}..{last})"),
        _ => format!("{}({inner})", name.to_lowercase()),
    }
}

fn joined(fields: &[(String, Node)]) -> String {
    let shown: Vec<String> = fields.iter().map(|(_, node)| node.short()).filter(|short| !short.is_empty()).collect();
    shown.join(", ")
}
