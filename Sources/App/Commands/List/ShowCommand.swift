import Arguments
import Items
import Setup
import TextSafety

struct ShowCommand: Command {
  static let title = TitleArgument.title

  static let spec = CommandSpec(
    "show", "Show a title and every way to get it.",
    discussion: "Each library that has the title is asked anew how many copies are in.",
    examples: [
      .init("carrel show 2", "The second title of the last list."),
      .init("carrel show \"emma\"", "By words of its title."),
    ],
    exits: [5, 7, 9, 10], parameters: [title])

  static let schemas = [
    ReportSchema("work", "One book with every way to get it.", Schemas.work.properties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let title = try app.title(try input[Self.title])
    let work = try await app.engaged("the libraries") { engine, seat throws(ErrorItem) in
      try await engine.show(title, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [work.json]) { layout in Self.page(work, layout) })
  }

  private static func page(_ work: WorkItem, _ layout: TextLayout) -> TerminalText {
    var text = layout.heading("\(work.title)") + "\n"
    if let subtitle = work.subtitle { text += layout.wrap("\(subtitle)") + "\n" }
    if !work.authors.isEmpty { text += layout.wrap("\(Self.by(work.authors))") + "\n" }
    var facts: [(String, String)] = []
    if let series = work.series { facts.append(("series", place(series))) }
    if let published = work.published { facts.append(("published", published)) }
    if !work.languages.isEmpty {
      facts.append(("languages", work.languages.joined(separator: ", ")))
    }
    if !work.subjects.isEmpty {
      facts.append(("about", Self.distinct(work.subjects).prefix(6).joined(separator: ", ")))
    }
    if !work.isbns.isEmpty { facts.append(("isbn", work.isbns.joined(separator: ", "))) }
    if work.state != "none" {
      facts.append(("state", work.state.split(separator: "_").joined(separator: " ")))
    }
    if !facts.isEmpty { text += "\n" + layout.table(facts.map { ($0.0, $0.1) }) + "\n" }
    if let summary = work.summary {
      text += "\n" + layout.wrap(TerminalText(lines: summary), indent: 2) + "\n"
    }
    let outlooks = outlooks(work, layout)
    guard !work.offers.isEmpty else {
      return text + "\nNo library of yours offers it.\n" + outlooks
    }
    let rows = work.offers.map { offer in
      [
        OfferText.glance(offer), OfferText.copies(offer.availability),
        OfferText.formats(offer.formats), offer.id,
      ]
    }
    // What an offer is called is there to be pasted, so it is never cut.
    return text + "\n" + Grid(rows: rows, yielding: 2, leading: 1).text(layout)
      + paper(work, layout) + outlooks
  }

  /// An anthology may have hundreds.
  private static func by(_ authors: [String]) -> String {
    let rest = authors.count - 12
    return "by " + authors.prefix(12).joined(separator: ", ")
      + (rest > 0 ? " and \(Counted.text(rest, "other"))" : "")
  }

  /// Libraries that can only be looked at.
  private static func outlooks(_ work: WorkItem, _ layout: TextLayout) -> TerminalText {
    guard !work.elsewhere.isEmpty else { return "" }
    return "\n" + work.elsewhere.map { "Look for it at \($0.library): \($0.address)\n" }.joined()
  }

  /// Where copies on paper stand, and where one can be fetched.
  private static func paper(_ work: WorkItem, _ layout: TextLayout) -> TerminalText {
    var text: TerminalText = ""
    for offer in work.offers {
      let copies = offer.copies ?? []
      if !copies.isEmpty {
        text += "\n" + layout.heading("Copies at \(offer.account)") + "\n"
        text += Grid(rows: copies.map(row), yielding: 1).text(layout)
      }
      let pickups = offer.pickups ?? []
      guard offer.mine == nil, !pickups.isEmpty else { continue }
      let names = pickups.map { branch in
        branch.onShelf == 0 ? branch.name : "\(branch.name) (\(branch.onShelf) on the shelf)"
      }
      text += "\n" + layout.wrap("It can be picked up at \(Self.list(names)).") + "\n"
      let command: ShellCommand = "carrel hold add \(offer.id)"
      let example = command.adding("--at \(value: pickups[0].name)")
      text += "Have it put aside with: \(command: example)\n"
    }
    return text
  }

  private static func row(_ copy: CopyItem) -> [String] {
    let state = copy.state.split(separator: "_").joined(separator: " ")
    let due = Moments.ahead(copy.due).map { ", back \($0)" } ?? ""
    return [
      copy.branchName ?? copy.branch ?? "", copy.place ?? "", copy.callNumber ?? "", state + due,
    ]
  }

  /// Libraries write the same subject in other letters.
  private static func distinct(_ subjects: [String]) -> [String] {
    var seen: Set<String> = []
    return subjects.filter { seen.insert($0.lowercased()).inserted }
  }

  private static func list(_ names: [String]) -> String {
    guard names.count > 1, let last = names.last else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }

  private static func place(_ series: SeriesItem) -> String {
    guard let position = series.position else { return series.name }
    let number = position == position.rounded() ? "\(Int(position))" : "\(position)"
    return "\(series.name), \(number)"
  }
}
