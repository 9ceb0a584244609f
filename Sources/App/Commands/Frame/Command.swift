import Arguments

/// One command. It reads its input, calls one thing, and hands a report to the output; what it
/// throws becomes a message and an exit code in one place, see `Session`.
protocol Command: Sendable {
  static var spec: CommandSpec { get }
  /// The shapes that its `--json` prints.
  static var schemas: [ReportSchema] { get }
  /// How long it may take to stop when it is asked to.
  static var patience: Duration { get }
  /// Whether this call of it needs more than the small program has.
  static func needsEngine(_ input: Input) -> Bool
  /// Whether this call of it opens a book file and needs nothing else.
  static func opensBook(_ input: Input) -> Bool
  /// Whether SIGHUP asks it for something, and does not end it.
  static var takesHangups: Bool { get }
  init()
  /// True when it has answered from memory, and there is nothing to wait for.
  func answerAtOnce(_ input: Input, in app: App) throws -> Bool
  func run(_ input: Input, in app: App) async throws
}

extension Command {
  static var schemas: [ReportSchema] { [] }
  static var patience: Duration { .seconds(2) }
  static func needsEngine(_ input: Input) -> Bool { false }
  static func opensBook(_ input: Input) -> Bool { false }
  static var takesHangups: Bool { false }
  func answerAtOnce(_ input: Input, in app: App) throws -> Bool { false }
  func run(_ input: Input, in app: App) async throws {}
}
