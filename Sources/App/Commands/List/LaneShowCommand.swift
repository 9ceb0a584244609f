import Arguments
import Items
import JSON
import Setup
import Shelving
import TextSafety

struct LaneShowCommand: Command {
  static let name = Argument(
    "lane", Kind<String>.word.called("LANE").completed(by: .dynamic("lanes")), "The name of a lane."
  )
  static let limit = Option(
    "limit", .integer(1...500), default: 50, "How many books to a page.", common: true)
  static let page = Option("page", .integer(1...100_000), default: 1, "Which page.", common: true)

  static let spec = CommandSpec(
    "lane show", "Show the books of a lane, a page at a time.",
    discussion: """
      Below the books stands what each facet would leave. The numbers in front of the books can be \
      given to other commands: carrel borrow 2. What is recommended is like the books that you have \
      on loan or wait for: without any, nothing is.
      """,
    examples: [
      .init("carrel lane show new", "What your libraries got last."),
      .init(
        "carrel lane show mystery --sort title --facet availability=now",
        "Mysteries that can be had now, by title."),
    ],
    exits: [5, 10], parameters: [name, Narrowing.sort, Narrowing.facets, limit, page])

  static let schemas = [
    ReportSchema(
      "lane", "The books of a lane.",
      Schemas.work.properties + [
        .init("why", .nullable(.string), "Why it is recommended, where it is.")
      ],
      members: [
        .init("lane", .object(Schemas.laneProperties), "The lane; its works as narrowed."),
        .init("total", .integer, "Books on all pages."),
        .init("page", .integer, "The page, from 1."),
        .init("sort", .string, "The order: popular, title, author or added."),
        Narrowing.member,
      ])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    var order = LaneShowOrder(name: try input[Self.name])
    order.sort = try input[Narrowing.sort]
    order.facets = try input[Narrowing.facets]
    order.limit = try input[Self.limit]
    order.page = try input[Self.page]
    let wish = order
    let answer = try await app.engaged("the catalogue") { engine, seat throws(ErrorItem) in
      try await engine.lane(wish, at: seat)
    }
    app.remember(answer.page.works.map(\.id))
    let next = Self.next(wish, answer)
    var report = Report(Self.schemas[0], answer.page.entries.map(Self.json)) { layout in
      Self.text(answer, wish, next, layout)
    }
    report.members = [
      .init("lane", answer.lane.json), .init("total", .integer(answer.page.total)),
      .init("page", .integer(wish.page)), .init("sort", .string(answer.sort.rawValue)),
      Narrowing.json(answer.page.facets), .init("next", JSONValue(next?.description)),
    ]
    try app.output.show(report)
  }

  private static func json(_ entry: BookPage.Entry) -> JSONValue {
    guard case .object(var object) = entry.work.json else { return entry.work.json }
    object["why"] = JSONValue(entry.why)
    return .object(object)
  }

  /// The command that shows the next page; nil at the end.
  private static func next(_ order: LaneShowOrder, _ answer: LaneAnswer) -> ShellCommand? {
    guard order.page * order.limit < answer.page.total else { return nil }
    var next: ShellCommand = "carrel lane show \(order.name)"
    if let sort = order.sort { next = next.adding("--sort \(value: sort.rawValue)") }
    for facet in order.facets {
      next = next.adding("--facet \(value: "\(facet.name)=\(facet.value)")")
    }
    if order.limit != 50 { next = next.adding("--limit \(value: "\(order.limit)")") }
    return next.adding("--page \(value: "\(order.page + 1)")")
  }

  private static func text(
    _ answer: LaneAnswer, _ order: LaneShowOrder, _ next: ShellCommand?, _ layout: TextLayout
  ) -> TerminalText {
    var text = layout.heading("\(answer.lane.title)") + ": \(extent(answer, order))\n"
    if answer.isWithoutTaste { text += Self.untaught }
    if !answer.page.entries.isEmpty {
      text += "\n" + Grid(rows: rows(answer.page.entries), yielding: 1).text(layout)
    }
    text += Narrowing.text(answer.page.facets, layout)
    if let next { text += "\nnext: \(command: next)\n" }
    return text
  }

  private static let untaught: TerminalText = """

    It shows books like those you have on loan or wait for, and you have none yet.
    try: carrel lane show popular, or carrel sync for what you have at your libraries

    """

  /// `51-100 of 240 books, by title`
  private static func extent(_ answer: LaneAnswer, _ order: LaneShowOrder) -> String {
    let by =
      answer.sort == .liking ? "" : ", by \(answer.sort == .added ? "day" : answer.sort.rawValue)"
    let page = answer.page
    guard !page.entries.isEmpty else {
      return page.total == 0 ? "no books" : "no page \(order.page)"
    }
    let first = (order.page - 1) * order.limit + 1
    let last = first + page.entries.count - 1
    let all = Counted.text(page.total, "book")
    return (page.entries.count == page.total ? all : "\(first)-\(last) of \(all)") + by
  }

  private static func rows(_ entries: [BookPage.Entry]) -> [[String]] {
    let hasReasons = entries.contains { $0.why != nil }
    return zip(SearchCommand.rows(entries.map(\.work)), entries).map { row, entry in
      hasReasons ? [row[0], row[1], entry.why ?? "", row[3]] : row
    }
  }
}
