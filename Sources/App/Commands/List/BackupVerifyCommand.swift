import Arguments
import Items
import Setup
import TextSafety

struct BackupVerifyCommand: Command {
  static let spec = CommandSpec(
    "admin verify", "Prove that a backup is whole.",
    discussion: """
      Reads the file to its end and holds every part against its digest; what was changed or is \
      missing is named. Nothing is written.
      """,
    examples: [
      .init("carrel admin verify /var/backups/carrel.tar", "Says what is in it."),
      .init(
        "carrel admin verify carrel.sealed --passphrase-file backup.pass",
        "One that is sealed."),
    ],
    exits: [2, 6, 12, 13], parameters: [BackupWork.file, BackupWork.passphraseFile])

  static let schemas = [
    ReportSchema("backup-verified", "What is in the backup.", BackupWork.properties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let file = try input[BackupWork.file]
    let passphrase = try BackupWork.passphrase(
      for: file, try input[BackupWork.passphraseFile], app, try app.needed())
    let item = try await app.engaged("the backup") { engine, seat throws(ErrorItem) in
      try await engine.verifyBackup(file, passphrase: passphrase, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [item.json]) { BackupWork.text("Whole:", item, $0) })
  }
}
