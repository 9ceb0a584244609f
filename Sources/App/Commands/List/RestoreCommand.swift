import Arguments
import Items
import Setup
import TextSafety

struct RestoreCommand: Command {
  static let spec = CommandSpec(
    "admin restore", "Put a backup back: all of it, or nothing.",
    discussion: """
      The backup is proved first. Into an empty place it goes at once; where a database is, its \
      name has to be said. No gateway may be running. Whatever stops it, one finds the old state or \
      the new one. A copy that SQLite itself made, such as those that are left before an upgrade, \
      is taken as well; an older backup is brought up to date.

      The root key of the vault is not in a backup: put vault.key in its place, or have the \
      passphrase ready.
      """,
    examples: [
      .init("carrel admin restore /var/backups/carrel.tar", "Into an empty place."),
      .init(
        "carrel admin restore /var/backups/carrel.tar --confirm=carrel.sqlite",
        "In the place of what is there."),
    ],
    exits: [2, 6, 7, 11, 12, 13],
    parameters: [BackupWork.file, BackupWork.passphraseFile, BackupWork.confirm])

  static let schemas = [
    ReportSchema("restored", "What was put back.", BackupWork.properties)
  ]
  static let patience = Duration.seconds(10)

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let file = try input[BackupWork.file]
    let (engine, seat) = (try app.needed(), try app.seat())
    let waiting = Waiting(quietly: "the backup", app.output, app.surroundings)
    defer { waiting.finish() }
    do {
      let passphrase = try BackupWork.passphrase(
        for: file, try input[BackupWork.passphraseFile], app, engine)
      let place = try await engine.restorePlace(at: seat)
      if place.isOccupied {
        try app.questions.confirm(
          "Replace all that is in \(place.description)?", of: file, naming: place.name,
          given: try input[BackupWork.confirm])
      }
      let item = try await engine.restore(file, passphrase: passphrase, at: seat) {
        waiting.update("put back \($0)")
      }
      waiting.finish()
      try app.output.show(
        Report(Self.schemas[0], [item.json]) { BackupWork.text("Put back", item, $0) })
    } catch let error as ErrorItem {
      throw CommandError(error)
    }
  }
}
