import Arguments
import Items
import Setup
import TextSafety

struct FeedbackCommand: Command {
  static let spec = CommandSpec(
    "admin feedback", "List what readers wrote to you on the feedback page.",
    discussion: """
      Where mail is set up, each also went to mail.from when it was written. An answer can go only to \
      the address that its reader left.
      """,
    examples: [
      .init("carrel admin feedback", "The newest first."),
      .init("carrel admin feedback --json", "The same for programs."),
    ],
    exits: [10])

  static let properties: [ReportSchema.Property] = [
    .init("reader", .string, "Who wrote it."),
    .init("at", .time, "When."),
    .init("text", .string, "What."),
    .init("answer_to", .nullable(.string), "The mail address for an answer, if one is wished for."),
    .init("mailed", .boolean, "Whether it went out by mail as well."),
  ]

  static let schemas = [ReportSchema("feedback", "What readers wrote.", properties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let letters = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.feedback(at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], letters.map(\.json)) { layout in
        guard !letters.isEmpty else { return "Nobody has written yet.\n" }
        return letters.map { Self.text($0) }.joined(separator: "\n")
      })
  }

  private static func text(_ letter: FeedbackItem) -> TerminalText {
    let answer = letter.answerTo.map { ", answer to \($0)" } ?? ""
    return
      "\(letter.reader), \(Moments.day(letter.at) ?? letter.at)\(answer)\n\(TerminalText(lines: letter.text))\n"
  }
}
