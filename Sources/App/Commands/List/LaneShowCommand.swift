import Arguments
import Items
import JSON
import Setup
import Shelving

struct LaneShowCommand: Command {
  static let name = Argument(
    "lane", Kind<String>.word.called("LANE").completed(by: .dynamic("lanes")), "The name of a lane."
  )
  static let sort = Option(
    "sort", Kind<LaneOrder>.choice("ORDER"), "In this order instead of the lane's own.",
    common: true)
  static let facets = Option(
    list: "facet",
    Kind("NAME=VALUE", "availability=now, format=epub, language=de or collection=NAME") {
      FacetChoice($0)
    },
    "Only books that meet it; may be given several times.", common: true)
  static let limit = Option(
    "limit", .integer(1...500), default: 50, "How many books to a page.", common: true)
  static let page = Option("page", .integer(1...100_000), default: 1, "Which page.", common: true)

  static let spec = CommandSpec(
    "lane show", "Show the books of a lane, a page at a time.",
    discussion: """
      Below the books stands what each facet would leave. The numbers in front of the books can be \
      given to other commands: carrel borrow 2.
      """,
    examples: [
      .init("carrel lane show new", "What your libraries got last."),
      .init(
        "carrel lane show mystery --sort title --facet availability=now",
        "Mysteries that can be had now, by title."),
    ],
    exits: [5, 10], parameters: [name, sort, facets, limit, page])

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
        .init("facets", .list(.object(facet)), "Ways to narrow it, with what each leaves."),
      ])
  ]

  private static let facet: [ReportSchema.Property] = [
    .init("name", .string, "availability, format, language or collection."),
    .init(
      "choices",
      .list(
        .object([
          .init("value", .string, "What --facet NAME= takes."),
          .init("works", .integer, "Books it leaves."),
          .init("chosen", .boolean, "Whether it was asked for."),
        ])), "The commonest first."),
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    var order = LaneShowOrder(name: try input[Self.name])
    order.sort = try input[Self.sort]
    order.facets = try input[Self.facets]
    order.limit = try input[Self.limit]
    order.page = try input[Self.page]
    let wish = order
    let answer = try await app.engaged("the catalogue") { engine, seat throws(ErrorItem) in
      try await engine.lane(wish, at: seat)
    }
    app.remember(answer.entries.map(\.work.id))
    let next = Self.next(wish, answer)
    var report = Report(Self.schemas[0], answer.entries.map(Self.json)) { layout in
      Self.text(answer, wish, next, layout)
    }
    report.members = [
      .init("lane", answer.lane.json), .init("total", .integer(answer.total)),
      .init("page", .integer(wish.page)), .init("sort", .string(answer.sort.rawValue)),
      .init("facets", .array(answer.facets.map(\.json))), .init("next", JSONValue(next)),
    ]
    try app.output.show(report)
  }

  private static func json(_ entry: LaneAnswer.Entry) -> JSONValue {
    guard case .object(var object) = entry.work.json else { return entry.work.json }
    object["why"] = JSONValue(entry.why)
    return .object(object)
  }

  /// The command that shows the next page; nil at the end.
  private static func next(_ order: LaneShowOrder, _ answer: LaneAnswer) -> String? {
    guard order.page * order.limit < answer.total else { return nil }
    var words = ["carrel", "lane", "show", order.name]
    if let sort = order.sort { words += ["--sort", sort.rawValue] }
    for facet in order.facets { words += ["--facet", "\(facet.name)=\(facet.value)"] }
    if order.limit != 50 { words += ["--limit", "\(order.limit)"] }
    return (words + ["--page", "\(order.page + 1)"]).map(CommandError.quoted)
      .joined(separator: " ")
  }

  private static func text(
    _ answer: LaneAnswer, _ order: LaneShowOrder, _ next: String?, _ layout: TextLayout
  ) -> String {
    var text = layout.heading(answer.lane.title) + ": " + extent(answer, order) + "\n"
    if !answer.entries.isEmpty {
      text += "\n" + Grid(rows: rows(answer.entries), yielding: 1).text(layout)
    }
    let facets = answer.facets.filter { !$0.choices.isEmpty }.map { facet in
      (term: facet.name, meaning: facet.choices.prefix(8).map(words).joined(separator: ", "))
    }
    if !facets.isEmpty { text += "\n" + layout.table(facets, indent: 0) + "\n" }
    if let next { text += "\nnext: \(next)\n" }
    return text
  }

  /// `51-100 of 240 books, by title`
  private static func extent(_ answer: LaneAnswer, _ order: LaneShowOrder) -> String {
    let by =
      answer.sort == .liking ? "" : ", by \(answer.sort == .added ? "day" : answer.sort.rawValue)"
    guard !answer.entries.isEmpty else {
      return answer.total == 0 ? "no books" : "no page \(order.page)"
    }
    let first = (order.page - 1) * order.limit + 1
    let last = first + answer.entries.count - 1
    let all = Counted.text(answer.total, "book")
    return (last - first + 1 == answer.total ? all : "\(first)-\(last) of \(all)") + by
  }

  private static func rows(_ entries: [LaneAnswer.Entry]) -> [[String]] {
    let hasReasons = entries.contains { $0.why != nil }
    return zip(SearchCommand.rows(entries.map(\.work)), entries).map { row, entry in
      hasReasons ? [row[0], row[1], entry.why ?? "", row[3]] : row
    }
  }

  private static func words(_ choice: FacetItem.Choice) -> String {
    (choice.isChosen ? "*" : "") + "\(choice.value) \(choice.works)"
  }
}
