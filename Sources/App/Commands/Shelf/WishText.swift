import Arguments
import Items
import Setup
import TextSafety

/// What the commands about wishes have in common.
enum WishText {
  static let rules = ["tell", "hold", "borrow"]
  static let rule = Option(
    "rule", Kind.choice("RULE", of: rules),
    "What to do: tell once it can be had, borrow it then, or hold: join its queue.",
    common: true)
  static let list = Option(
    "list", Kind<String>.word.called("LIST"), "The list, by its name or its id.", common: true)
  static let exits = [2, 5, 6, 7, 9, 10, 12]

  static let properties: [ReportSchema.Property] =
    [
      .init("id", .string, "The wish."),
      .init("list", .string, "The list it stands on."),
      .init("title", .string, "The title, as it stands there."),
      .init("authors", .list(.string), "Who wrote it."),
      .init("isbns", .list(.string), "Its numbers."),
      .init("work", .nullable(.string), "The work that it is, where that is sure."),
      .init("added_at", .time, "When it came to the list."),
      .init("match", .string, "Whether a work was found for it: matched, unsure or none."),
      .init("decided", .boolean, "Whether you said so."),
      .init(
        "choices",
        .list(
          .object([
            .init("work", .string, "A work."), .init("title", .string, "Its title."),
            .init("authors", .list(.string), "Who wrote it."),
            .init("score", .number, "How likely it is, from 0 to 1."),
            .init("why", .string, "What speaks for it, or against."),
          ])), "Where it is unsure: what it may be, the likeliest first."),
      .init("rule", .string, "tell, hold or borrow."),
      .init(
        "state", .string,
        "available, waiting, unavailable, on_loan, on_hold, not_asked, not_held or unsure."),
      .init("since", .nullable(.time), "Since when it can be had, or must be waited for."),
      .init("told_at", .nullable(.time), "When you were told last."),
      .init("deed", .nullable(.string), "What was done by its rule: borrowed or held."),
      .init("offers", .list(.object(Schemas.offer)), "Ways to get it, best first."),
    ] + ListText.toldProperties

  static func schema(_ name: String, _ summary: String) -> ReportSchema {
    ReportSchema(name, summary, properties)
  }

  static func order(_ order: WishOrder, in app: App) async throws -> [WishItem] {
    try await app.engaged("the wishes") { engine, seat throws(ErrorItem) in
      try await engine.wish(order, at: seat)
    }
  }

  static func find(_ query: WishQuery, in app: App) async throws -> [WishItem] {
    try await app.engaged("the wishes") { engine, seat throws(ErrorItem) in
      try await engine.wishes(query, at: seat)
    }
  }

  static func grid(_ wishes: [WishItem], _ layout: TextLayout) -> TerminalText {
    Grid(
      rows: wishes.enumerated().map { index, wish in
        [
          "\(index + 1)", wish.title, wish.authors.prefix(2).joined(separator: ", "), state(wish),
          wish.rule == "tell" ? "" : wish.rule,
        ]
      }, yielding: 1
    ).text(layout)
  }

  /// How far it has come, in plain words.
  static func state(_ wish: WishItem) -> String {
    let best = wish.offers.first
    switch wish.state {
    case "available":
      let now = wish.offers.first { ["available", "open_access"].contains($0.availability.status) }
      guard let offer = now ?? best else { return "can be had now" }
      let format = offer.formats.first.map { " as \($0.format.uppercased())" } ?? ""
      return "can be had now from \(offer.account)\(format)"
    case "waiting":
      let queue = wish.offers.first { $0.availability.status == "queued" }
      guard let offer = queue ?? best else { return "has a queue" }
      guard let estimate = offer.estimate else { return "has a queue at \(offer.account)" }
      return "\(OfferText.roughWait(estimate)) at \(offer.account)"
    case "unavailable": return "no copy to be had now, and no queue"
    case "on_loan": return "you have it"
    case "on_hold": return "you wait for it"
    case "not_asked": return "not asked yet"
    case "unsure": return "may be one of \(wish.choices.count): carrel wish review \(wish.id)"
    default: return "no library has it"
    }
  }
}
