import Arguments
import Items
import Setup
import TextSafety

struct WishReviewCommand: Command {
  static let wish = Argument(
    optional: "wish", Kind<String>.word.called("WISH"),
    "A number of the last list, the wish's id, or words of its title.")
  static let work = Option(
    "is", Kind<String>.word.called("TITLE"),
    "It is this one: a number of the last list, a work id, or words of the title.", common: true)
  static let none = Flag("none", "It is none of them.")

  static let spec = CommandSpec(
    "wish review", "Say which book a wish is, where that is not sure.",
    discussion: """
      What you say stands: the wish is not asked about again unless the book on the list becomes \
      another one.
      """,
    examples: [
      .init("carrel wish review", "All wishes that are not sure."),
      .init("carrel wish review emma", "What this one may be, by number."),
      .init("carrel wish review emma --is 1", "The first of them."),
      .init("carrel wish review emma --none", "None of them."),
    ],
    exits: WishText.exits, parameters: [wish, work, none])

  static let schemas = [WishText.schema("wishes-reviewed", "Wishes, with what they may be.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let (work, isNone) = (try input[Self.work], try input[Self.none])
    guard let word = try input[Self.wish] else {
      guard work == nil, !isNone else {
        throw CommandError(.missingValue, "which wish is that?", try: "carrel wish review")
      }
      return try show(try await WishText.find(.unsure, in: app), in: app)
    }
    guard work != nil || isNone else {
      return try show(try await WishText.find(.one(try app.title(word)), in: app), in: app)
    }
    guard work == nil || !isNone else {
      throw CommandError(.badValue, "--is and --none cannot both be so")
    }
    // The last list is the choices of the wish, which is named by its words then.
    let order = WishOrder.decide(word, is: try work.map { try app.title($0) })
    let wishes = try await WishText.order(order, in: app)
    try app.output.show(
      Report(Self.schemas[0], wishes.map(\.json)) { _ in
        wishes.map { "'\($0.title)': \(WishText.state($0)).\n" }.joined()
      })
  }

  private func show(_ wishes: [WishItem], in app: App) throws {
    let isOne = wishes.count == 1
    app.remember(isOne ? wishes[0].choices.map(\.work) : wishes.map(\.id))
    try app.output.show(
      Report(Self.schemas[0], wishes.map(\.json)) { layout in
        if wishes.isEmpty { return "Every wish is sure, or no library has it.\n" }
        guard isOne else { return WishText.grid(wishes, layout) }
        let wish = wishes[0]
        let head: TerminalText = "'\(wish.title)': \(WishText.state(wish)).\n"
        guard !wish.choices.isEmpty else { return head }
        return head
          + Grid(
            rows: wish.choices.enumerated().map { index, choice in
              [
                "\(index + 1)", choice.title, choice.authors.prefix(2).joined(separator: ", "),
                WorkText.score(choice.score), choice.why,
              ]
            }, yielding: 4
          ).text(layout)
      })
  }
}
