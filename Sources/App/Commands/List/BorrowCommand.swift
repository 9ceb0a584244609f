import Arguments
import Items
import JSON
import Setup
import TextSafety

struct BorrowCommand: Command {
  static let title = TitleArgument.title
  static let offer = Option(
    "offer", Kind<String>.word.called("OFFER"),
    "Borrow with this card, or this ACCOUNT:ITEM, not the best one.",
    common: true)
  static let format = Option(
    "format", Kind<String>.word.called("FORMAT"), "Borrow it as this, such as epub.")
  static let dryRun = Flag("dry-run", short: "n", "Only say what would happen.", common: true)

  static let spec = CommandSpec(
    "borrow", "Borrow a title.",
    discussion: """
      Looks first whether a copy is in. When all are out it says how long the queue is and joins \
      nothing by itself. Borrowing twice is no fault: the loan there is is shown.
      """,
    examples: [
      .init("carrel borrow 2", "The second title of the last list, from the best offer."),
      .init("carrel borrow emma --offer city", "From one card."),
      .init("carrel borrow city:76c1b7d0 --dry-run", "Say what would happen."),
    ],
    exits: ShelfWork.exits, parameters: [title, offer, format, dryRun])

  static let schemas = [ShelfWork.schema("borrowed", "What became of it.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let receipt = try await ShelfWork.carryOut(
      .borrow(
        offer: try input[Self.offer], format: try input[Self.format],
        dryRun: try input[Self.dryRun]), try input[Self.title], in: app)
    try ShelfWork.tell(receipt, Self.schemas[0], in: app)
    if receipt.result == .allOut {
      var error = CommandError(
        .noCopiesAvailable,
        "nothing was borrowed: all copies of '\(receipt.title)' at \(receipt.account) are out",
        try: receipt.canWait
          ? "carrel hold add \("\(receipt.account):\(receipt.item)")"
          : "carrel search \(receipt.title)")
      error.fields = [.init("card", .string(receipt.account))]
      throw error
    }
  }
}
