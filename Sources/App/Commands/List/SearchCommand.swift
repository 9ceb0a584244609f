import Arguments
import Items
import Setup
import TextSafety

struct SearchCommand: Command {
  static let words = Argument(
    list: "words", Kind<String>.word, "Words of title, author, series or subject; or an ISBN.")
  static let available = Flag("available", "Only what can be had now.", common: true)
  static let format = Option(
    "format", Kind<String>.word.called("FORMAT"), "Only this kind: epub, pdf, audiobook, comic.")
  static let language = Option(
    "language", Kind<String>.word.called("LANGUAGE"), "Only this language, such as en or de.")
  static let provider = Option(
    "provider", Kind<String>.word.called("PROVIDER"), "Only titles of this service.")
  static let counts = Flag(
    "counts", "Tell how many of all that was found each facet would leave.")
  static let limit = Option(
    "limit", .integer(1...1000), default: 20, "How many titles to show.", common: true)

  static let spec = CommandSpec(
    "search", "Find titles at all your libraries.",
    discussion: """
      Searches the catalogues that carrel harvest brought; a library that was never harvested is \
      asked itself. The numbers in front of the titles can be given to other commands: carrel \
      borrow 2.
      """,
    examples: [
      .init("carrel search emma austen", "Every word must be there."),
      .init("carrel search --available --language de kafka", "What can be had now, in German."),
      .init(
        "carrel search austen --facet format=epub --sort title", "As books to read, by title."),
    ],
    exits: [3, 4, 6, 7, 8, 10, 12],
    parameters: [
      words, available, format, language, provider, Narrowing.sort, Narrowing.facets, counts,
      limit,
    ])

  static let schemas = [Schemas.work]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let words = try input[Self.words]
    guard !words.isEmpty else {
      throw CommandError(
        .missingArgument, "what is to be searched for?", try: "carrel search WORDS")
    }
    var order = SearchOrder(words: words.joined(separator: " "))
    order.onlyAvailable = try input[Self.available]
    order.format = try input[Self.format]
    order.language = try input[Self.language]
    order.provider = try input[Self.provider]
    order.sort = try input[Narrowing.sort]
    order.facets = try input[Narrowing.facets]
    order.countsFacets = try input[Self.counts]
    order.limit = try input[Self.limit]
    let wish = order
    let found = try await app.engaged("the catalogue") { engine, seat throws(ErrorItem) in
      try await engine.search(wish, at: seat)
    }
    let works = found.page.works
    app.remember(works.map(\.id))
    var report = Report(Self.schemas[0], works.map(\.json)) { layout in
      works.isEmpty
        ? Self.nothing(wish)
        : Grid(rows: Self.rows(works), yielding: 1).text(layout)
          + Narrowing.text(found.page.facets, layout)
    }
    report.members = [Narrowing.json(found.page.facets)]
    report.partial = !found.troubles.isEmpty
    try app.output.show(report)
    try Partly.check(found.troubles, of: found.libraries, "libraries")
  }

  private static func nothing(_ order: SearchOrder) -> TerminalText {
    let words = order.words.split(separator: " ").map { String($0) }
    let isNarrowed =
      order.onlyAvailable || order.format != nil || order.language != nil || order.provider != nil
      || !order.facets.isEmpty
    return isNarrowed
      ? "Nothing found for '\(order.words)' that meets all of that.\n"
        + "try: \(command: "carrel search \(words: words)")\n"
      : "Nothing found for '\(order.words)'.\n"
        + "try: fewer words, or carrel harvest to refresh the catalogue\n"
  }

  static func rows(_ works: [WorkItem]) -> [[String]] {
    works.enumerated().map { index, work in
      [
        "\(index + 1)", work.title, work.authors.prefix(2).joined(separator: ", "),
        offers(work.offers),
      ]
    }
  }

  /// Where it can be had, in a glance: `now on city · 2-5 weeks at county`.
  static func offers(_ offers: [OfferItem]) -> String {
    offers.prefix(3).map(OfferText.glance).joined(separator: " · ")
  }
}
