import Arguments
import Items
import Setup
import TextSafety

struct LinkCommand: Command {
  static let provider = Argument(
    "provider", Kind<String>.word.called("PROVIDER"), "The service; see carrel provider list.")
  static let library = Option(
    "library", Kind<String>.word.called("LIBRARY"),
    "The library, where the settings name several; of a catalogue also its address.",
    common: true)
  static let name = Option(
    "name", Kind<String>.word.called("NAME"), "What to call the card; else as the library.",
    common: true)

  static let spec = CommandSpec(
    "link", "Link a library card or an account at a service.",
    discussion: """
      Asks for the card number and the PIN, signs in with them, and keeps them sealed. Where one \
      signs in at the service's own page, an address is printed to open in a browser, and the \
      answer is caught on this machine.

      Cards and PINs are never given as flags, since anyone on the machine could read them there.
      """,
    examples: [
      .init("carrel link overdrive", "Asks for card and PIN."),
      .init(
        "carrel link overdrive --library city --name city --credentials-stdin",
        "Card and PIN come as two lines."),
      .init(
        "carrel link opdslibrary --library https://books.example/opds",
        "Any OPDS catalogue by its address; leave the card empty where there is no sign-in."),
    ],
    exits: [2, 4, 5, 6, 7, 8, 9, 10, 12],
    parameters: [provider, library, name, CredentialReading.fromInput, CredentialReading.fromFile])

  static let schemas = [ReportSchema("linked", "The linked card.", Schemas.accountProperties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let provider = try input[Self.provider]
    let library = try input[Self.library]
    let name = try input[Self.name]
    let needs = try await app.engaged("the settings") { engine, seat throws(ErrorItem) in
      try await engine.needs(of: provider, library: library, at: seat)
    }
    let credentials = try CredentialReading.credentials(for: needs, input, in: app)
    let order = LinkOrder(
      provider: provider, library: needs.library, name: name, credentials: credentials)
    let account = try await app.engaged("\(needs.libraryName)") { engine, seat throws(ErrorItem) in
      try await engine.link(order, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [account.json]) { _ in
        "Linked \(account.libraryName) as '\(account.name)'"
          + (account.card.map { ", card \($0)" } ?? "") + ".\n"
          + "Undo with: \(command: "carrel unlink \(account.name)")\n"
      })
  }
}
