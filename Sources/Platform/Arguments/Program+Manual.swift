extension Program {
  /// The page of the program and one for each first word of a command.
  package var manual: [ManualPage] {
    let words = words(after: []).map(\.term)
    return [overviewPage(words)] + words.map(page(of:))
  }

  /// The same as one page of Markdown, for who reads on a screen of the forge.
  package var reference: String {
    "# Commands\n\n\(overviewPage([]).markdown(below: 1))"
      + words(after: []).map { word in
        let page = page(of: word.term).markdown(below: 2, without: Self.everywhere)
        return "\n## \(name) \(word.term)\n\n\(Markdown.escaped(word.meaning))\n\n\(page)"
      }.joined()
  }

  /// All of it as one page, for a program with few commands and no settings.
  package var wholeManual: ManualPage {
    overviewPage(
      details: .all(shown.map { description(of: $0, isAlone: false) }), seeAlso: ["carrel(1)"])
  }

  private func overviewPage(_ words: [String]) -> ManualPage {
    overviewPage(
      details: .all([]),
      seeAlso: words.map { "\(name)-\($0)(1)" } + ["\(name).yaml(5)", "\(name)-api(7)"])
  }

  private func overviewPage(details: ManualPage.Body, seeAlso: [String]) -> ManualPage {
    ManualPage(
      title: name, section: 1, release: "\(name) \(release)", manual: "Manual of \(name)",
      summary: summary,
      sections: [
        ("Synopsis", .usage("\(name) COMMAND [flags]")),
        ("Description", .text(discussion)),
        ("Examples", .all(examples.map(ManualPage.Body.example))),
        ("Commands", .notes(shown.map { Note($0.name, $0.summary) })),
        ("Usage", details),
        ("Options", .flags(globals)),
        ("Exit status", .notes(exits)),
        ("Environment", .notes(environment)),
        ("Files", .notes(files)),
      ],
      seeAlso: seeAlso)
  }

  private static let everywhere = "Options of every command"

  /// Several verbs share the page of their noun.
  private func page(of word: String) -> ManualPage {
    let commands = shown.filter { $0.path.first == word }
    let summary = words(after: []).first { $0.term == word }?.meaning ?? ""
    let used = Set(commands.flatMap(\.exits).map { "\($0)" } + ["0", "2"])
    let variables = Set(commands.flatMap(\.environment))
    return ManualPage(
      title: "\(name)-\(word)", section: 1, release: "\(name) \(release)",
      manual: "Manual of \(name)", summary: summary.withoutFullStop,
      sections: [
        ("Synopsis", .all(commands.map { .usage($0.usage(of: name)) })),
        ("Description", .all(commands.map { description(of: $0, isAlone: commands.count == 1) })),
        (Self.everywhere, .flags(globals)),
        ("Exit status", .notes(exits.filter { used.contains($0.term) })),
        ("Environment", .notes(environment.filter { variables.contains($0.term) })),
      ],
      seeAlso: ["\(name)(1)", "\(name).yaml(5)"])
  }

  private func description(of command: CommandSpec, isAlone: Bool) -> ManualPage.Body {
    let others = command.aliases.map { $0.joined(separator: " ") }
    let parts: [ManualPage.Body] = [
      .text(isAlone ? "" : command.summary),
      .text(command.discussion),
      .flags(command.arguments + command.flags),
      .text(others.isEmpty ? "" : "Also called: \(others.joined(separator: ", "))."),
      .text("Examples:"),
      .all(command.examples.map(ManualPage.Body.example)),
    ]
    return isAlone ? .all(parts) : .subsection("\(name) \(command.name)", parts)
  }
}

extension String {
  /// The NAME line of a manual page is a phrase, as `apropos` shows it.
  fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
