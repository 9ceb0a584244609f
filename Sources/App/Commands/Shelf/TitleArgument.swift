import Arguments
import Items
import JSON
import Setup
import TextSafety

enum TitleArgument {
  static let title = Argument(
    "title", Kind<String>.word.called("TITLE"),
    "A number of the last list, a work id, ACCOUNT:ITEM, or words of the title.")
}

/// A command that changes something about one title: carried out, then told in a sentence.
enum ShelfWork {
  static let exits = [3, 4, 5, 6, 7, 8, 9, 10, 12]

  static func carryOut(_ verb: ShelfOrder.Verb, _ word: String, in app: App) async throws
    -> ReceiptItem
  {
    let order = ShelfOrder(verb, try app.title(word))
    return try await app.engaged("the library") { engine, seat throws(ErrorItem) in
      try await engine.circulate(order, at: seat)
    }
  }

  /// Shows the receipt. What is in doubt was neither done nor refused, and says so by its exit code.
  static func tell(_ receipt: ReceiptItem, _ schema: ReportSchema, in app: App) throws {
    try app.output.show(Report(schema, [receipt.json]) { _ in ReceiptText.sentence(receipt) })
    if receipt.result == .inDoubt {
      var error = CommandError(
        .inDoubt,
        "No answer for card '\(receipt.account)': what became of '\(receipt.title)' is not known yet.",
        try: "carrel sync")
      error.fields = [.init("card", .string(receipt.account))]
      throw error
    }
  }

  static func schema(_ name: String, _ summary: String) -> ReportSchema {
    ReportSchema(name, summary, Schemas.receipt.properties)
  }
}
