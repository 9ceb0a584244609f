import Arguments
import Items
import Machine
import Setup

struct HoldAddCommand: Command {
  static let title = TitleArgument.title
  static let email = Option(
    "email", Kind<String>.word.called("ADDRESS"), "Where the library writes when it is ready.")

  static let notBefore = Option(
    "not-before", .day, "Let it rest, so that it does not come before this day.", common: true)

  static let branch = Option(
    "at", Kind<String>.word.called("BRANCH"), "Where a copy on paper shall wait for you.",
    common: true)

  static let spec = CommandSpec(
    "hold add", "Wait for a title.",
    discussion: """
      Joins the queue. Where a copy is in, there is nothing to wait for, and it says so.

      With a day the hold keeps its place and rests until then, unless the wait is longer anyway; \
      a running gateway, or carrel sync --due, wakes it. A library that cannot let a hold rest \
      refuses that.

      A copy on paper waits at a branch, named as carrel show names it. Where a library has one only, \
      it need not be named.
      """,
    examples: [
      .init("carrel hold add 2", "The second title of the last list."),
      .init(
        "carrel hold add city:76c1b7d0 --email me@example.org",
        "The library writes when it is ready."),
      .init("carrel hold add 2 --not-before 2027-07-01", "For the holidays."),
      .init("carrel hold add town:title-17 --at MTH", "On paper, at that branch."),
    ],
    exits: ShelfWork.exits, parameters: [title, email, notBefore, branch])

  static let schemas = [ShelfWork.schema("hold-added", "What became of it.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let receipt = try await ShelfWork.carryOut(
      .placeHold(
        email: try input[Self.email], notBefore: try input[Self.notBefore]?.daysSinceEpoch,
        branch: try input[Self.branch]),
      try input[Self.title], in: app)
    try ShelfWork.tell(receipt, Self.schemas[0], in: app)
  }
}
