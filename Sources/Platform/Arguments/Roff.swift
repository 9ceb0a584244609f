/// The little of roff that manual pages need, with every text escaped on its way in.
struct Roff {
  private(set) var text: String

  init(title: String, section: Int, release: String, manual: String) {
    // The date is left empty on purpose: the same sources must give the same bytes.
    text =
      ".TH \(Self.quoted(title)) \(section) \"\" \(Self.quoted(release)) \(Self.quoted(manual))\n"
    // Commands are copied from here: no hyphenation, no stretching.
    text += ".nh\n.ad l\n"
  }

  mutating func section(_ title: String) { text += ".SH \(Self.quoted(title))\n" }
  mutating func subsection(_ title: String) { text += ".SS \(Self.quoted(title))\n" }

  mutating func paragraphs(_ body: String) {
    for paragraph in body.split(separator: "\n\n") {
      if paragraph.hasPrefix(" ") {
        text += ".PP\n.nf\n.RS 4\n\(lines(String(paragraph)))\n.RE\n.fi\n"
      } else {
        text += ".PP\n\(lines(String(paragraph)))\n"
      }
    }
  }

  /// A term, already marked up, and its meaning.
  mutating func entry(_ term: String, _ meaning: String) {
    text += ".TP\n\(term)\n\(lines(meaning.isEmpty ? " " : meaning))\n"
  }

  mutating func example(_ line: String, _ meaning: String) {
    text += ".PP\n\(lines(meaning))\n.PP\n.nf\n.RS 4\n\(Self.bold(line))\n.RE\n.fi\n"
  }

  static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }
  static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

  static func escaped(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": out += "\\e"
      case "-": out += "\\-"
      case "'": out += "\\(aq"
      case "`": out += "\\(ga"
      case "^": out += "\\(ha"
      case "~": out += "\\(ti"
      case _ where scalar.isASCII: out.unicodeScalars.append(scalar)
      default: out += "\\[u\(String(scalar.value, radix: 16, uppercase: true).leftPadded)]"
      }
    }
    return out
  }

  private static func quoted(_ text: String) -> String {
    "\"\(escaped(text).split(separator: "\"").joined(separator: "\\(dq"))\""
  }

  /// A line that begins with a dot would be an order to the formatter.
  private func lines(_ body: String) -> String {
    body.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let text = Self.escaped(String(line))
      return text.hasPrefix(".") ? "\\&" + text : text
    }.joined(separator: "\n")
  }
}

extension String {
  fileprivate var leftPadded: String { String(repeating: "0", count: max(0, 4 - count)) + self }
}
