import Arguments
import Items
import JSON
import Secrets
import Setup
import TextSafety

struct DeviceAddCommand: Command {
  static let name = Argument(
    "name", Kind<String>.word.called("NAME"), "What to call the app or the machine.")
  static let scopes = Option(
    list: "scope", Kind.choice("SCOPE", of: ["read", "lend", "lists", "sync"]),
    "What it may do; without it, everything.", common: true)

  static let manner = Option(
    "app", Kind.choice("APP", of: ["borrows", "downloads"]),
    "Whether the app borrows by itself or only downloads; without it, as it calls itself.")

  static let spec = CommandSpec(
    "admin device add", "Make a password for one reading app or machine.",
    discussion: """
      An app signs in to the gateway with the reader's name and this password, so that card and \
      PIN never go there. The password is shown once and cannot be shown again; a device that is \
      lost is shut out alone.

      The scopes: read opens catalogs and the shelf, lend borrows, renews, holds and gives back, \
      lists shows and changes reading lists, and sync keeps the place in a book.

      An app that can only open feeds and download files, as KOReader, is offered pages on which \
      borrowing is a link like any other. Most such apps are known by how they call themselves.
      """,
    examples: [
      .init("carrel admin device add kobo", "For everything."),
      .init("carrel admin device add wall --scope read", "For a display that only shows."),
      .init("carrel admin device add reader --app downloads", "For an app that cannot borrow."),
      .init("carrel admin device add kobo --as ada", "For another reader of this gateway."),
    ],
    exits: [2, 6, 10, 12], parameters: [name, scopes, manner])

  static let schemas = [
    ReportSchema(
      "device-added", "A password, shown this once.",
      [
        .init("name", .string, "The device."),
        .init("scopes", .list(.string), "What it may do: read, lend, lists, sync."),
        .init("reader", .string, "The name to sign in with."),
        .init("password", .string, "The password, shown this once."),
      ])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let order = DeviceOrder(
      name: try input[Self.name], scopes: try input[Self.scopes], manner: try input[Self.manner])
    let key = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.addDevice(order, at: seat)
    }
    // The one place where it is said: whoever ran the command is who it was made for.
    let password = key.password.revealText { $0 }
    let item: JSONValue = [
      "name": .string(key.name), "scopes": .array(key.scopes.map(JSONValue.string)),
      "reader": .string(key.reader), "password": .string(password),
    ]
    try app.output.show(
      Report(Self.schemas[0], [item]) { _ in
        """
        Name      \(key.reader)
        Password  \(password)

        It is shown this once. '\(key.name)' may \(key.scopes.joined(separator: ", ")).

        """
      })
  }
}
