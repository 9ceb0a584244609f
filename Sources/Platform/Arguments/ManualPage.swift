/// One page of the manual: as roff for `man`, and as a part of the reference in Markdown.
package struct ManualPage: Sendable {
  let title: String
  let section: Int
  let release: String
  let manual: String
  let summary: String
  let sections: [(title: String, body: Body)]
  let seeAlso: [String]

  package init(
    title: String, section: Int, release: String, manual: String, summary: String,
    sections: [(title: String, body: Body)], seeAlso: [String]
  ) {
    (self.title, self.section, self.release) = (title, section, release)
    (self.manual, self.summary) = (manual, summary)
    self.sections = sections.filter { !$0.body.isEmpty }
    self.seeAlso = seeAlso
  }

  /// `carrel-config.1`
  package var fileName: String { "\(title).\(section)" }

  package var text: String {
    var roff = Roff(title: title.uppercased(), section: section, release: release, manual: manual)
    roff.section("NAME")
    roff.paragraphs("\(title) - \(summary)")
    for (title, body) in sections {
      roff.section(title.uppercased())
      body.write(to: &roff)
    }
    if !seeAlso.isEmpty {
      roff.section("SEE ALSO")
      roff.paragraphs(seeAlso.joined(separator: ", "))
    }
    return roff.text
  }

  /// What a section is made of.
  package indirect enum Body: Sendable {
    case text(String)
    case notes([Program.Note])
    case subsection(String, [Body])
    case example(CommandSpec.Example)
    case flags([Parameter])
    case usage(String)
    case all([Body])

    var isEmpty: Bool {
      switch self {
      case .text(let text): text.isEmpty
      case .notes(let notes): notes.isEmpty
      case .flags(let flags): flags.isEmpty
      case .all(let bodies), .subsection(_, let bodies): bodies.allSatisfy(\.isEmpty)
      case .example, .usage: false
      }
    }

    func write(to roff: inout Roff) {
      guard !isEmpty else { return }
      switch self {
      case .text(let text): roff.paragraphs(text)
      case .notes(let notes): for note in notes { roff.entry(Roff.bold(note.term), note.meaning) }
      case .example(let example): roff.example(example.line, example.meaning)
      case .flags(let flags): for flag in flags { roff.entry(flag.manualTerm, flag.fullHelp) }
      case .usage(let line): roff.paragraphs(line)
      case .all(let bodies): for body in bodies { body.write(to: &roff) }
      case .subsection(let title, let bodies):
        roff.subsection(title)
        for body in bodies { body.write(to: &roff) }
      }
    }
  }
}

extension Parameter {
  fileprivate var manualTerm: String {
    guard role != .argument else { return Roff.italic(placeholder) }
    let start = short.map { Roff.bold("-\($0)") + ", " } ?? ""
    return start + Roff.bold("--" + name) + (takesValue ? " " + Roff.italic(placeholder) : "")
  }
}
