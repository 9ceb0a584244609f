extension ManualPage {
  /// The sections as Markdown, below a heading of that level.
  package func markdown(below level: Int, without left: String = "") -> String {
    sections.filter { $0.title != left }.map { title, body in
      String(repeating: "#", count: level + 1) + " \(title)\n\n" + body.markdown(below: level + 1)
    }.joined(separator: "\n")
  }
}

extension ManualPage.Body {
  /// Ends with a line end; parts stand a blank line apart.
  package func markdown(below level: Int) -> String {
    guard !isEmpty else { return "" }
    switch self {
    case .text(let text):
      return text.split(separator: "\n\n").map { paragraph in
        paragraph.hasPrefix(" ") ? "```\n\(paragraph)\n```\n" : "\(Markdown.escaped(paragraph))\n"
      }.joined(separator: "\n")
    case .notes(let notes):
      return Markdown.list(notes.map { ($0.term, $0.meaning) })
    case .example(let example): return Markdown.list([(example.line, example.meaning)])
    case .flags(let flags):
      return Markdown.list(
        flags.map { flag in (String(flag.helpTerm.drop { $0 == " " }), flag.fullHelp) })
    case .usage(let line): return "```\n\(line)\n```\n"
    case .all(let bodies):
      var text = ""
      for (place, body) in bodies.enumerated() where !body.isEmpty {
        // Examples in a row are one list.
        if case .example = body, place > 0, case .example = bodies[place - 1] {
        } else if !text.isEmpty {
          text += "\n"
        }
        text += body.markdown(below: level)
      }
      return text
    case .subsection(let title, let bodies):
      return String(repeating: "#", count: level + 1) + " \(title)\n\n"
        + Self.all(bodies).markdown(below: level + 1)
    }
  }
}

/// The little of Markdown that the reference needs.
package enum Markdown {
  /// In a text, nothing of it is to be taken for markup.
  package static func escaped(_ text: some StringProtocol) -> String {
    var out = ""
    for letter in text {
      if "\\`*_<>[]|".contains(letter) { out.append("\\") }
      out.append(letter)
    }
    return out
  }

  package static func code(_ text: String) -> String {
    text.contains("`") ? "`` \(text) ``" : "`\(text)`"
  }

  static func list(_ rows: [(term: String, meaning: String)]) -> String {
    rows.map { "- \(code($0.term))\($0.meaning.isEmpty ? "" : ": \(escaped($0.meaning))")\n" }
      .joined()
  }

  /// Cells are Markdown already; a bar in one of them would end it.
  package static func table(_ head: [String], _ rows: [[String]]) -> String {
    func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }
    return line(head) + line(head.map { _ in "---" }) + rows.map(line).joined()
  }
}
