import Arguments
import Items
import Setup
import TextSafety

struct ReturnCommand: Command {
  static let title = TitleArgument.title
  static let rating = Option(
    "rating", .integer(1...5), "How you liked it, from 1 to 5.", common: true)
  static let finished = Flag("finished", "Say that you have read it to its end.", common: true)

  static let spec = CommandSpec(
    "return", "Give a title back before its time.",
    discussion: """
      The file that was downloaded goes with the loan, unless it is free for everybody; your notes, \
      bookmarks and place stay. At a terminal it asks once, which --yes answers.
      """,
    examples: [
      .init("carrel return 1", "The first title of the last list."),
      .init("carrel return city:76c1b7d0 --rating 4 --finished", "And say how it was."),
    ],
    exits: ShelfWork.exits, parameters: [title, rating, finished])

  static let schemas = [ShelfWork.schema("returned", "What became of it.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let word = try input[Self.title]
    if app.questions.mayAsk { try await ask(word, in: app) }
    let receipt = try await ShelfWork.carryOut(.giveBack, word, in: app)
    if receipt.result == .returned || receipt.result == .alreadyReturned {
      let id = "\(receipt.account):\(receipt.item)"
      if let stars = try input[Self.rating] {
        _ = try await MyBookText.carryOut(.rate(stars), id, in: app)
      }
      if try input[Self.finished] {
        _ = try await MyBookText.carryOut(.finish(nil), id, in: app)
      }
    }
    try ShelfWork.tell(receipt, Self.schemas[0], in: app)
  }

  /// Names the title, so that the wrong number of a list is seen in time.
  private func ask(_ word: String, in app: App) async throws {
    let name = try app.title(word)
    let loans = try await app.engaged("the shelf") { engine, seat throws(ErrorItem) in
      try await engine.loans(at: seat)
    }
    let folded = name.lowercased()
    let meant = loans.filter { loan in
      loan.work == name || "\(loan.account):\(loan.item)".lowercased() == folded
        || loan.title.lowercased().contains(folded)
    }
    // What is not on loan, or not clear, the command itself has words for.
    guard meant.count == 1, let loan = meant.first else { return }
    let end = Moments.ahead(loan.until).map { ", yours until \($0)" } ?? ""
    try app.questions.confirm(
      "Return '\(loan.title)' to \(loan.account)\(end)? Its file goes; notes and place stay.",
      of: word)
  }
}
