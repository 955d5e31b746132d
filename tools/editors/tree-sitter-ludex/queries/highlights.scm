; The last pattern that fits counts.
(name) @variable
(property) @property
((name) @function.call . (parentheses))
(keyword) @keyword
(statement_word) @keyword
(control_word) @keyword
(builtin) @function.builtin
(titled ["game" "package" "extends" "mode" "ability"] @keyword)
(titled [(name) (slug)] @type)
(number) @number
(rule_id) @label
(text) @string
(escape) @string.escape
(hole ["{" "}"] @punctuation.special)
(operator) @operator
(separator) @punctuation.delimiter
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
(comment) @comment
((comment) @comment.documentation (#match? @comment.documentation "^##([^#]|$)"))
