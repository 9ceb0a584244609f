import Arguments
import Console
import Items
import JSON
import Machine
import Setup
import TextSafety

struct DecodeCommand: Command {
  static let provider = Argument(
    "provider", Kind<String>.word.called("PROVIDER"), "Whose answer it is.")
  static let kind = Argument(
    "kind", Kind<String>.word.called("KIND"), "What it answers: edition, shelf, error and so on.")
  static let file = Argument(
    optional: "file", .file, "The recorded body; - or nothing is the standard input.")
  static let status = Option(
    "status", .integer(100...599), default: 200, "The HTTP status it came with.", common: true)
  static let during = Option(
    "during", Kind<String>.word.called("OPERATION"), "The operation it answered.", common: true)

  static let spec = CommandSpec(
    "decode", "Turn one recorded answer of a service into our words.",
    discussion: """
      For support and for authors of adapters: shows what Carrel makes of a body that was \
      recorded. Kinds: edition, editions, availability, loan, loans, holds, shelf, fulfilment, \
      token, account, list, error.
      """,
    examples: [
      .init("carrel decode overdrive shelf answer.json", "What is on that shelf."),
      .init(
        "carrel decode overdrive error --status 400 --during check_out answer.json",
        "Which reason that error has."),
    ],
    exits: [2, 5, 7, 13], parameters: [provider, kind, file, status, during])

  static let schemas = [
    ReportSchema("decoded", "The values in the answer; their keys depend on the kind.", [])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  /// More than any service sends at once.
  private static let limit = 64 << 20

  func run(_ input: Input, in app: App) async throws {
    let order = DecodeOrder(
      provider: try input[Self.provider], kind: try input[Self.kind],
      status: try input[Self.status], during: try input[Self.during],
      body: try Self.bytes(try input[Self.file]))
    let value = try await app.engaged("the decoder") { engine, seat throws(ErrorItem) in
      try await engine.decode(order, at: seat)
    }
    var report = Report(Self.schemas[0], value.items) { _ in "" }
    report.members = value.members
    report.text = { [report] _ in TerminalText(json: report.envelope().text(.indented) + "\n") }
    try app.output.show(report)
  }

  private static func bytes(_ path: String?) throws(CommandError) -> [UInt8] {
    let source = path.flatMap { $0 == "-" ? nil : $0 } ?? "/dev/stdin"
    do throws(FileError) { return try WholeFile.read(source, upTo: limit) } catch {
      throw CommandError(.unreadable, "\(error)", try: "carrel help decode")
    }
  }
}
