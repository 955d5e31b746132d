(header_sign) @punctuation.special
(comment) @comment
