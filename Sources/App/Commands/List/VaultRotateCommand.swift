import Arguments
import Items
import Setup
import TextSafety

struct VaultRotateCommand: Command {
  static let spec = CommandSpec(
    "vault rotate", "Seal all cards, PINs and keys of apps anew with a new key.",
    discussion: """
      Worth doing once a year, or after a backup fell into wrong hands. It may be stopped at any \
      time: what is not sealed anew yet opens with the old key, and the next run goes on. Apps that \
      readers take their codes from go on as they are; only how their keys are kept changes. Where \
      notices go, slips and keys to licences are sealed with the vault's seed, which stays.
      """,
    examples: [
      .init("carrel vault rotate", "A new key for everything."),
      .init("carrel vault rotate --json", "The same for programs."),
    ],
    exits: [3, 7, 10, 12])

  static let schemas = [VaultRekeyCommand.schema("vault-rotated", "What was sealed anew.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let result = try await app.engaged("the vault") { engine, seat throws(ErrorItem) in
      try await engine.rotateKeys(at: seat)
    }
    var report = Report(Self.schemas[0], [result.json]) { _ in
      "Sealed \(result.resealed) secrets anew with key \(result.activeKey).\n"
    }
    report.partial = result.unreadable > 0
    try app.output.show(report)
    guard result.unreadable > 0 else { return }
    throw CommandError(
      .partlyFailed, "\(result.unreadable) secrets do not open; their old key is kept",
      try: "carrel account check")
  }
}
