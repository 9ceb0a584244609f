import Arguments
import Items
import Machine
import Secrets
import Setup
import TextSafety

struct MigrateStoreCommand: Command {
  static let target = Option(
    "to", Kind<String>.word.called("ADDRESS"),
    "postgresql://USER@HOST/NAME, or a file for SQLite; never with a password.")
  static let targetFile = Option(
    "to-file", .file, "A file that holds the address, password and all; yours alone.")
  static let passwordFile = Option(
    "password-file", .file, "A file with the password for the new database.")

  static let spec = CommandSpec(
    "admin migrate-store", "Carry everything into another database, either way.",
    discussion: """
      All tables go over in one transaction and are read back and compared; numbers go on where \
      they were. The old database stays as it was. No gateway may be running. Afterwards set \
      database.url, and start again; files of books stay in the data folder.

      Stopped half way, it has done nothing: run it again.
      """,
    examples: [
      .init(
        "carrel admin migrate-store --to-file /etc/carrel/new-database",
        "From a file to a server."),
      .init("carrel admin migrate-store --to carrel.sqlite", "And back into a file."),
    ],
    exits: [2, 6, 7, 11, 13],
    parameters: [target, targetFile, passwordFile, BackupWork.confirm])

  static let schemas = [
    ReportSchema("store-migrated", "What was carried over.", BackupWork.properties)
  ]
  static let patience = Duration.seconds(10)

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let order = MoveOrder(
      address: try address(input), passwordFile: try input[Self.passwordFile])
    let (engine, seat) = (try app.needed(), try app.seat())
    let waiting = Waiting(quietly: "the databases", app.output, app.surroundings)
    defer { waiting.finish() }
    do {
      let place = try await engine.movePlace(order, at: seat)
      if place.isOccupied {
        try app.questions.confirm(
          "Replace all that is in \(place.description)?", naming: place.name,
          given: try input[BackupWork.confirm])
      }
      let item = try await engine.moveStore(order, at: seat) { waiting.update("\($0)") }
      waiting.finish()
      try app.output.show(
        Report(Self.schemas[0], [item.json]) { layout in
          BackupWork.text("Carried to", item, layout)
            + "Compared row by row. Now set database.url to it: carrel config edit\n"
        })
    } catch let error as ErrorItem {
      throw CommandError(error)
    }
  }

  private func address(_ input: Input) throws -> Secret {
    switch (try input[Self.target], try input[Self.targetFile]) {
    case (let text?, nil):
      // Whoever may list processes reads it.
      guard !Self.hasPassword(text) else {
        throw CommandError(
          .badAddress, "a password in the command line can be read by everybody",
          try: "carrel help admin migrate-store")
      }
      return Secret(text)
    case (nil, let path?):
      do throws(FileError) {
        let bytes = try WholeFile.read(path, upTo: 4096, trusting: .ownerOnly)
        return Secret(bytes.filter { $0 > 0x20 })
      } catch {
        throw CommandError(.badValue, "\(error)")
      }
    case (nil, nil):
      throw CommandError(
        .inputNeeded, "where to is needed: give --to or --to-file",
        try: "carrel help admin migrate-store")
    case (_?, _?):
      throw CommandError(.conflictingFlags, "--to and --to-file contradict each other: choose one")
    }
  }

  private static func hasPassword(_ text: String) -> Bool {
    guard let start = text.firstRange(of: "://")?.upperBound else { return false }
    let authority = text[start...].prefix { $0 != "/" && $0 != "?" }
    let user = authority.lastIndex(of: "@").map { authority[..<$0] } ?? ""
    return user.contains(":") || text.lowercased().contains("password=")
  }
}
