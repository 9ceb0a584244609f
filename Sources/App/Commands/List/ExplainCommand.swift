import Arguments
import Items
import Setup
import TextSafety

struct ExplainCommand: Command {
  static let title = TitleArgument.title

  static let spec = CommandSpec(
    "explain", "Tell why editions are one work and offers in their order.",
    discussion: """
      For every edition: which other one brought it in, how sure that is, and by what. Then what \
      readers decided, what is nearly of this work and was left out, and why each offer stands \
      where it stands. No library is asked. carrel work join and carrel work split correct what \
      is wrong.
      """,
    examples: [
      .init("carrel explain 2", "The second title of the last list."),
      .init("carrel explain emma --json", "With scores, for programs."),
    ],
    exits: [5, 7, 9, 10], parameters: [title])

  static let schemas = [
    ReportSchema(
      "explanation", "Why a work is what it is.",
      [
        .init("id", .string, "The work."),
        .init("title", .string, "Its title."),
        .init("authors", .list(.string), "Who wrote it."),
        .init("editions", .list(.object(edition)), "Its editions, and what brought each in."),
        .init("decisions", .list(.object(WorkText.decision)), "What readers decided about them."),
        .init("near", .list(.object(near)), "Editions that are nearly of it, the closest first."),
        .init("offers", .list(.object(offer)), "Ways to get it, best first, with the reasons."),
      ])
  ]

  private static let judgement: [ReportSchema.Property] = [
    .init("like", .nullable(.string), "The edition it was compared with."),
    .init("score", .nullable(.number), "How likely they are one work, from 0 to 1."),
    .init("why", .list(.string), "The reasons, the weightiest first."),
  ]

  private static let edition: [ReportSchema.Property] =
    [
      .init("id", .string, "ACCOUNT:ITEM, or LIBRARY:ITEM without a card there."),
      .init("library", .string, "The library, as the settings name it."),
      .init("title", .string, "As the library lists it."),
      .init("authors", .list(.string), "As the library lists them."),
      .init("medium", .string, "book, audiobook, comic and so on."),
      .init("languages", .list(.string), "Languages, as in BCP 47."),
      .init("because", .string, "first, same or decision."),
    ] + judgement

  private static let near: [ReportSchema.Property] =
    [
      .init("id", .string, "The edition."),
      .init("work", .string, "The work it is of."),
      .init("title", .string, "As the library lists it."),
      .init("authors", .list(.string), "As the library lists them."),
    ] + judgement + [
      .init("against", .nullable(.string), "The edition of this work that contradicts it."),
      .init("contradiction", .nullable(.string), "In what."),
    ]

  private static let offer: [ReportSchema.Property] = [
    .init("rank", .integer, "Its place, from 1."),
    .init("id", .string, "ACCOUNT:ITEM."),
    .init("status", .string, "open_access, available, queued, unavailable or unknown."),
    .init("estimate", .nullable(.object(Schemas.estimate)), "How long a wait may be."),
    .init("at_limit", .boolean, "Whether the card must give something back first."),
    .init("why", .list(.string), "The reasons, the weightiest first."),
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let title = try app.title(try input[Self.title])
    let item = try await app.engaged("the catalogue") { engine, seat throws(ErrorItem) in
      try await engine.explain(title, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [item.json]) { layout in Self.page(item, layout) })
  }

  private static func page(_ item: ExplanationItem, _ layout: TextLayout) -> TerminalText {
    var text = layout.heading("\(item.work.title) (\(item.work.id))") + "\n"
    for edition in item.editions {
      text += layout.wrap("\(edition.id)  \(name(edition)), \(edition.medium)") + "\n"
      text += layout.wrap("\(because(edition))", indent: 4) + "\n"
    }
    if !item.decisions.isEmpty {
      text += "\n" + layout.heading("Decided by a reader") + "\n"
      text += item.decisions.map { "\(WorkText.sentence($0))\n" }.joined()
    }
    if !item.near.isEmpty {
      text += "\n" + layout.heading("Near, and left out") + "\n"
      for near in item.near {
        text += layout.wrap("\(near.edition.id)  \(name(near.edition)) (\(near.work))") + "\n"
        text += layout.wrap("\(reason(near))", indent: 4) + "\n"
      }
    }
    text += "\n" + layout.heading("Offers, best first") + "\n"
    if item.work.offers.isEmpty { return text + "No library of yours offers it.\n" }
    for (place, offer) in item.work.offers.enumerated() {
      text += "\(place + 1). \(offer.id)  \(OfferText.glance(offer))\n"
      text += layout.wrap("\(offer.reasons.joined(separator: "; "))", indent: 4) + "\n"
    }
    return text
  }

  private static func name(_ edition: EditionItem) -> String {
    let by = edition.authors.isEmpty ? "" : " by " + edition.authors.joined(separator: ", ")
    return edition.title + by
  }

  private static func because(_ edition: EditionItem) -> String {
    switch edition.because {
    case "same":
      "same as \(edition.like ?? "another")\(score(edition)): "
        + edition.why.joined(separator: "; ")
    case "decision": edition.why.joined(separator: "; ")
    default: "the others are compared with this one"
    }
  }

  private static func reason(_ near: NearItem) -> String {
    let like = near.edition.like ?? "another"
    guard let against = near.against, let contradiction = near.contradiction else {
      return "perhaps the same as \(like)\(score(near.edition)): "
        + near.edition.why.joined(separator: "; ")
    }
    return "the same as \(like)\(score(near.edition)), but not as \(against): \(contradiction)"
  }

  private static func score(_ edition: EditionItem) -> String {
    edition.score.map { " (\(WorkText.score($0)))" } ?? ""
  }
}
