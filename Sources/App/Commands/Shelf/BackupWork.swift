import Arguments
import Items
import Machine
import Secrets
import Setup
import TextSafety

/// What the commands about backups have in common.
enum BackupWork {
  static let file = Argument("file", .file, "The backup.")
  static let passphraseFile = Option(
    "passphrase-file", .file, "A file with the passphrase that seals the backup; yours alone.")
  static let confirm = Option(
    "confirm", Kind<String>.word.called("NAME"),
    "The name of what is replaced; --yes is not enough for this.")

  static let properties: [ReportSchema.Property] = [
    .init("place", .string, "The file, or the database that things went to."),
    .init("made_at", .string, "When the copy was made."),
    .init("made_by", .string, "By which program."),
    .init("engine", .string, "From which engine: sqlite or postgres."),
    .init("rows", .integer, "How many rows in all."),
    .init("bytes", .integer, "How large the contents are, as they are read."),
    .init("books", .integer, "How many files of books."),
    .init("missing_books", .integer, "How many of them went away before they were read."),
    .init("with_books", .boolean, "Whether files of books were wanted."),
    .init(
      "vault_keys", .boolean,
      "Whether the vault's keys are in it, locked with the root key, which never is."),
    .init("sealed", .boolean, "Whether it is sealed with a passphrase."),
    .init(
      "tables",
      .list(
        .object([
          .init("name", .string, "The table."), .init("rows", .integer, "How many rows."),
        ])), "The same table by table."),
    .init("former", .string, "Where what was there before is kept.", required: false),
  ]

  /// The passphrase of the flag's file; nil without the flag.
  static func passphrase(_ path: String?) throws(CommandError) -> Secret? {
    guard let path else { return nil }
    var bytes: [UInt8]
    do throws(FileError) {
      bytes = try WholeFile.read(path, upTo: 4096, trusting: .ownerOnly)
    } catch {
      throw CommandError(.badValue, "\(error)")
    }
    defer { wipe(&bytes) }
    while let last = bytes.last, last == 0x0a || last == 0x0d { bytes.removeLast() }
    guard !bytes.isEmpty else { throw CommandError(.badValue, "\(path) is empty") }
    return Secret(bytes)
  }

  /// The same for a backup that is there: asked for where it is sealed and nothing was given.
  static func passphrase(
    for file: String, _ given: String?, _ app: App, _ engine: any Engine
  ) throws -> Secret? {
    if let given { return try passphrase(given) }
    let isSealed: Bool
    do throws(ErrorItem) { isSealed = try engine.isSealedBackup(file) } catch {
      throw CommandError(error)
    }
    guard isSealed else { return nil }
    return Secret(
      try app.questions.askHidden("Passphrase of the backup", flag: "--passphrase-file"))
  }

  static func text(_ verb: String, _ item: BackupItem, _ layout: TextLayout) -> TerminalText {
    let largest = item.tables.filter { $0.rows > 0 }.sorted { $0.rows > $1.rows }.prefix(8)
    let books = item.hasBooks ? ", \(item.books) files of books" : ", without files of books"
    let keys: TerminalText =
      item.hasKeys
      ? "The vault's keys are in it, locked: without vault.key or its passphrase, which are kept "
        + "apart,\nnobody opens them.\n" : ""
    return "\(verb) \(item.place): \(item.rows) rows in \(item.tables.count) tables\(books).\n"
      + Grid(rows: largest.map { ["\($0.rows)", $0.name] }, yielding: 1).text(layout) + keys
      + (item.former.map { "What was there before is kept as \($0).\n" as TerminalText } ?? "")
  }
}
