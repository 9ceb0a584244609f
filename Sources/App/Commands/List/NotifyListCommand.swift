import Arguments
import Items
import JSON
import Setup
import TextSafety

struct NotifyListCommand: Command {
  static let kinds = ["wish_available", "hold_ready", "hold_expiring", "loan_due", "sync_broken"]

  static let log = Flag("log", "What went out by them, and what did not.", common: true)
  static let pushKey = Flag("push-key", "The key that browsers subscribe to pushed notices with.")

  static let spec = CommandSpec(
    "notify ls", "List the channels you are told by.",
    examples: [
      .init("carrel notify ls", "Each with what it tells and whether it is on."),
      .init("carrel notify ls --log", "What was sent by them lately."),
      .init("carrel notify ls --json", "The same for programs."),
    ],
    exits: [2, 10, 12], parameters: [log, pushKey])

  static let properties: [ReportSchema.Property] = [
    .init("name", .string, "The channel."),
    .init("channel", .string, "email, sms, ntfy, push or webhook."),
    .init("to", .string, "Where it leads, as far as that is shown."),
    .init("kinds", .list(.string), "What is told by it."),
    .init("quiet", .nullable(.string), "When nothing is told."),
    .init("digest", .nullable(.string), "When everything is told together."),
    .init("zone", .nullable(.string), "By whose clock; null for this machine's."),
    .init("titles", .boolean, "Whether titles are named."),
    .init("made_at", .time, "When it was added."),
    .init("state", .string, "on, off, or unconfirmed until the code that was sent is typed."),
    .init("reason", .nullable(.string), "Why it is off."),
  ]

  static let schemas = [
    ReportSchema("channels", "The channels you are told by.", properties),
    ReportSchema(
      "sendings", "What went out, and what did not.",
      [
        .init("name", .string, "The channel."),
        .init("kind", .string, "What it was about."),
        .init("state", .string, "waiting, sending, sent, failed or dropped."),
        .init("tries", .integer, "How often it was tried."),
        .init("at", .time, "When it ended, or when it is tried next."),
        .init("reason", .nullable(.string), "Why it was put off, or failed."),
      ]),
    ReportSchema(
      "push-key", "The key for subscriptions.",
      [.init("key", .string, "An application server key, in base64url.")]),
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    if try input[Self.pushKey] {
      let key = try await app.engaged("the vault") { engine, seat throws(ErrorItem) in
        try await engine.pushPoint(at: seat)
      }
      try app.output.show(Report(Self.schemas[2], [["key": .string(key)]]) { _ in "\(key)\n" })
      return
    }
    if try input[Self.log] {
      let items = try await app.engaged("the database") { engine, seat throws(ErrorItem) in
        try await engine.sendings(at: seat)
      }
      try app.output.show(
        Report(Self.schemas[1], items.map(\.json)) { layout in
          guard !items.isEmpty else { return "Nothing went out yet.\n" }
          return Grid(rows: items.map(Self.row), yielding: 4).text(layout)
        })
      return
    }
    let channels = try await app.engaged("the database") { engine, seat throws(ErrorItem) in
      try await engine.channels(at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], channels.map(\.json)) { layout in
        guard !channels.isEmpty else {
          return "You are told by no channel; the inbox has everything.\n"
            + "try: carrel notify add email\n"
        }
        return Grid(rows: channels.map(Self.row), yielding: 2).text(layout)
      })
  }

  private static func row(_ item: SendingItem) -> [String] {
    [item.channel, item.kind, item.state, Moments.day(item.at) ?? item.at, item.note ?? ""]
  }

  private static func row(_ channel: ChannelItem) -> [String] {
    let told =
      channel.kinds.count == kinds.count ? "everything" : channel.kinds.joined(separator: ", ")
    let hours = [
      channel.quiet.map { "quiet \($0)" }, channel.digest.map { "together at \($0)" },
      channel.zone,
    ].compactMap(\.self).joined(separator: ", ")
    return [
      channel.name, channel.medium, channel.to, told, hours,
      channel.offBecause.map { "off: \($0)" }
        ?? (channel.isConfirmed ? "on" : "not confirmed yet"),
    ]
  }
}
