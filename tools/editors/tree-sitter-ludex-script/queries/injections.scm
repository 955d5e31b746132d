((header_text) @injection.content
  (#set! injection.language "ludex")
  (#set! injection.combined))

((code) @injection.content
  (#set! injection.language "rhai")
  (#set! injection.combined))
