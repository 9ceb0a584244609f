/// libyaml's complaints in words for someone who writes a settings file twice a year.
struct Complaint {
  let sentence: String
  /// Something was opened and never closed: where it was opened helps, the end of the file does not.
  let pointsAtBeginning: Bool

  init(_ problem: String) {
    (sentence, pointsAtBeginning) =
      switch problem {
      case "found unexpected end of stream": ("this quotation mark is never closed", true)
      case "found unexpected document indicator":
        ("a line of '---' or '...' stands inside a quoted text that begins here", true)
      case "found unknown escape character":
        ("unknown backslash sequence; write \\\\ for a backslash, or use single quotes", false)
      case "did not find expected hexdecimal number", "found invalid Unicode character escape code":
        ("a \\x, \\u or \\U in a text needs the number of a character after it", false)
      case "mapping values are not allowed in this context":
        ("a ':' is not possible here; check the indentation, or put the text in quotes", false)
      case "mapping keys are not allowed in this context": ("a '?' is not possible here", false)
      case "block sequence entries are not allowed in this context":
        ("a '-' is not possible here; a list begins on a line of its own", false)
      case "could not find expected ':'":
        ("a ':' and a blank are missing after this key, or the line is indented wrongly", true)
      case "found character that cannot start any token":
        ("a text cannot begin with this character (or a tab); put the text in quotes", false)
      case "found a tab character that violates indentation",
        "found a tab character where an indentation space is expected":
        ("lines are indented with blanks, never with tabs", false)
      case "did not find expected key":
        ("a key was expected here; check the indentation and the quotation marks", false)
      case "did not find expected '-' indicator":
        ("a '-' was expected here, as in the lines of the list above", false)
      case "did not find expected ',' or ']'": ("a ',' or the closing ']' is missing", false)
      case "did not find expected ',' or '}'": ("a ',' or the closing '}' is missing", false)
      case "did not find expected node content": ("a value was expected here", false)
      case "did not find expected <document start>":
        ("something stands after the end of the document", false)
      case "did not find expected comment or line break":
        ("only a comment may follow on this line", false)
      case "found undefined tag handle", "did not find expected tag URI",
        "did not find expected whitespace or line break":
        ("tags (!name) are not supported", false)
      case "did not find expected alphabetic or numeric character":
        ("anchors (&name) and aliases (*name) are not supported; quote a text of '&' or '*'", false)
      case "found incompatible YAML document": ("only YAML 1.1 and 1.2 are understood", false)
      case "found unexpected ':'": ("a ':' inside [ ] or { } needs quotation marks", false)
      case "": ("this is no valid YAML", false)
      default: ("this is no valid YAML (\(problem))", false)
      }
  }

  static func ofEncoding(_ problem: String) -> String {
    problem == "control characters are not allowed"
      ? "control characters are not allowed; write them as \\x.. in double quotes"
      : "the file is not valid UTF-8 here"
  }
}
