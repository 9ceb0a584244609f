import Arguments
import Items
import Setup
import TextSafety

struct BackupCommand: Command {
  static let noBooks = Flag(
    "no-books", "Leave the files of books out: they can be downloaded again while loans last.")

  static let spec = CommandSpec(
    "admin backup", "Copy everything into one file, while the gateway goes on.",
    discussion: """
      The copy is of one moment, whoever writes meanwhile, and fills a database of either kind. It \
      holds all tables, the files of books, and the vault's keys, locked as they are. The root key \
      that opens them, vault.key or your passphrase, is never in it: keep it elsewhere, or readers \
      have to link their cards again.

      With --passphrase-file the whole file is sealed. Without, it shows what people read: keep \
      it as you would keep the database.
      """,
    examples: [
      .init("carrel admin backup /var/backups/carrel.tar", "Everything."),
      .init(
        "carrel admin backup carrel.sealed --passphrase-file backup.pass",
        "Sealed, from a timer."),
    ],
    exits: [3, 7, 10, 11, 13],
    parameters: [BackupWork.file, BackupWork.passphraseFile, noBooks])

  static let schemas = [ReportSchema("backup", "What was copied.", BackupWork.properties)]
  static let patience = Duration.seconds(10)

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let order = BackupCommandOrder(
      path: try input[BackupWork.file],
      passphrase: try BackupWork.passphrase(try input[BackupWork.passphraseFile]),
      withBooks: !input.has(Self.noBooks))
    let (engine, seat) = (try app.needed(), try app.seat())
    let waiting = Waiting(quietly: "the database", app.output, app.surroundings)
    defer { waiting.finish() }
    let item: BackupItem
    do throws(ErrorItem) {
      item = try await engine.backUp(order, at: seat) { waiting.update("copied \($0)") }
    } catch {
      throw CommandError(error)
    }
    waiting.finish()
    var report = Report(Self.schemas[0], [item.json]) { BackupWork.text("Copied to", item, $0) }
    report.partial = item.missingBooks > 0
    try app.output.show(report)
    guard item.missingBooks > 0 else { return }
    throw CommandError(
      .partlyFailed, "\(item.missingBooks) files of books went away before they were copied",
      try: "carrel admin backup \(order.path)")
  }
}
