//! The ids of a game's rules, as its README lists them.

/// What heads the first column of a table of rules.
const HEADINGS: [&str; 3] = ["id", "rule", "rule id"];

/// The first column of every Markdown table that is headed by one of [`HEADINGS`], in order.
pub fn rule_ids(readme: &str) -> Vec<String> {
    let mut ids = Vec::new();
    let mut lines = readme.lines().peekable();
    while let Some(line) = lines.next() {
        let is_head = first_cell(line).is_some_and(|cell| HEADINGS.contains(&cell.to_lowercase().as_str()));
        if !is_head || !lines.peek().is_some_and(|line| is_ruler(line)) {
            continue;
        }
        lines.next();
        while let Some(cell) = lines.peek().and_then(|line| first_cell(line)) {
            ids.extend((!cell.is_empty() && !ids.iter().any(|id| id == cell)).then(|| cell.to_string()));
            lines.next();
        }
    }
    ids
}

fn first_cell(line: &str) -> Option<&str> {
    let row = line.trim().strip_prefix('|')?;
    let cell = row.split('|').next()?;
    Some(cell.trim().trim_matches(['`', '*']))
}

/// The line under the head: `|---|:--|`.
fn is_ruler(line: &str) -> bool {
    line.trim().starts_with('|') && line.contains('-') && line.chars().all(|sign| matches!(sign, '|' | '-' | ':' | ' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tables_of_rules_count() {
        let readme = "\
# Ponds

| file | what it holds |
|---|---|
| `pond.ludex` | all of it |

| id | the rule |
|:---|---|
| PO-001 | Frogs hop. |
| `PO-002` | They stay in the pond. |

| Rule | reading |
| --- | --- |
| PO-003 | They may also swim. |
| PO-001 | Far. |
";
        assert_eq!(rule_ids(readme), ["PO-001", "PO-002", "PO-003"]);
    }

    #[test]
    fn a_text_without_tables_has_no_rules() {
        assert!(rule_ids("| id | but no table").is_empty());
        assert!(rule_ids("").is_empty());
    }
}
