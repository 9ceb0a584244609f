import Arguments
import Items
import Secrets
import Setup
import TextSafety

struct VaultRekeyCommand: Command {
  static let spec = CommandSpec(
    "vault rekey", "Change the key or passphrase that locks the vault.",
    discussion: """
      With a key file a new key takes its place; keep the old file until you have seen that all is \
      well, if you keep backups. With a passphrase the old and the new one are asked for.
      """,
    examples: [
      .init("carrel vault rekey", "A new key, or a new passphrase."),
      .init("carrel vault rekey --json", "The same for programs."),
    ],
    exits: [2, 7, 10, 12])

  static let schemas = [schema("vault-rekeyed", "The vault after the change.")]

  static func schema(_ name: String, _ summary: String) -> ReportSchema {
    ReportSchema(
      name, summary,
      [
        .init("resealed", .integer, "Secrets that were sealed anew."),
        .init("unreadable", .integer, "Secrets that do not open."),
        .init("retired", .integer, "Keys that nothing needs any more."),
        .init("active_key", .integer, "The number of the key that seals now."),
      ])
  }

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let new = try passphrase(in: app)
    let result = try await app.engaged("the vault") { engine, seat throws(ErrorItem) in
      try await engine.changeRoot(to: new, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [result.json]) { _ in "The vault is locked with a new key.\n" })
  }

  private func passphrase(in app: App) throws -> Secret? {
    guard try app.configuration().vault.source == .passphrase else { return nil }
    let flag = "a terminal; vault.passphrase_file holds the old one"
    let new = try app.questions.askHidden("New passphrase of the vault", flag: flag)
    guard try app.questions.askHidden("Once more", flag: flag) == new else {
      throw CommandError(.badValue, "the two passphrases differ", try: "carrel vault rekey")
    }
    return Secret(new)
  }
}
