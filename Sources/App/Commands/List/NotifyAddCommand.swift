import Arguments
import Items
import JSON
import Secrets
import Setup
import TextSafety

struct NotifyAddCommand: Command {
  static let channel = Argument(
    "channel", Kind.choice("CHANNEL", of: ["email", "sms", "ntfy", "push", "webhook"]),
    "What it goes out by.")
  static let name = Option(
    "name", Kind<String>.word.called("NAME"), "What to call it; else as the channel.",
    common: true)
  static let kinds = Option(
    list: "kinds", Kind.choice("KIND", of: NotifyListCommand.kinds),
    "What is told by it; without it, everything.", common: true)
  static let quiet = Option(
    "quiet-hours", ClockArgument.span,
    "When nothing is told, unless it would be too late afterwards.",
    common: true)
  static let digest = Option(
    "digest", ClockArgument.one, "Tell everything together, each day at that time.", common: true)
  static let zone = Option(
    "zone", Kind<String>.word.called("ZONE"),
    "By whose clock, as Europe/Berlin; without it, this machine's.")
  static let titles = Flag("titles", "Name titles of books, which are left out otherwise.")

  static let spec = CommandSpec(
    "notify add", "Be told when a hold is ready, a loan is due, and so on.",
    discussion: """
      Asks for where the channel leads, and keeps that sealed; carrel notify inbox has everything \
      in any case. Each thing is told once by each channel.

      What is asked for: email takes address; sms takes number; ntfy takes server, topic and, \
      where the topic is guarded, token; push takes endpoint, p256dh and auth of a browser's \
      subscription, made with the key that carrel notify ls --push-key prints; webhook takes \
      address and key. A webhook without a key gets one, shown this once: posts are signed with \
      it as Standard Webhooks has it.

      An address for mail or short messages is sent a code, and nothing else until carrel notify \
      confirm is given that code.

      Short messages and locked screens are seen by others, so titles are named only with --titles.
      """,
    examples: [
      .init("carrel notify add email", "Asks for the address."),
      .init(
        "carrel notify add ntfy --quiet-hours 22:00-07:00 --credentials-stdin",
        "Server, topic and token come as lines."),
      .init("carrel notify add email --name daily --digest 08:00", "Once a day, together."),
      .init("carrel notify add webhook", "For a program of your own."),
    ],
    exits: [2, 3, 5, 6, 8, 10, 12],
    parameters: [
      channel, name, kinds, quiet, digest, zone, titles, CredentialReading.fromInput,
      CredentialReading.fromFile,
    ])

  static let schemas = [
    ReportSchema(
      "channel-added", "The channel.",
      NotifyListCommand.properties + [
        .init("key", .nullable(.string), "A webhook's new key for signatures, shown this once.")
      ])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let medium = try input[Self.channel]
    let needs = try await app.engaged("the settings") { engine, _ throws(ErrorItem) in
      try engine.needs(ofChannel: medium)
    }
    var fields: [String: Secret] = [:]
    if case .fields(let given) = try CredentialReading.credentials(
      for: needs, input, in: app, help: "notify add")
    {
      fields = given
    }
    var order = NotifyOrder(medium: medium, name: try input[Self.name], fields: fields)
    order.kinds = try input[Self.kinds]
    order.quiet = try input[Self.quiet].map { ($0.start, $0.end) }
    order.digest = try input[Self.digest]
    order.zone = try input[Self.zone]
    order.tellsTitles = try input[Self.titles]
    let made = try await app.engaged("the database") { [order] engine, seat throws(ErrorItem) in
      try await engine.addChannel(order, at: seat)
    }
    // The one place where it is said: whoever ran the command is who it was made for.
    let key = made.key?.revealText { $0 }
    var item = made.item.json.object ?? [:]
    item["key"] = JSONValue(key)
    var report = Report(Self.schemas[0], [.object(item)]) { _ in
      let next: ShellCommand =
        made.item.isConfirmed
        ? "carrel notify test \(made.item.name)" : "carrel notify confirm \(made.item.name)"
      return "Added '\(made.item.name)', which leads to \(made.item.to).\n"
        + (key.map { "Its key, shown this once:\n  \($0)\n" } ?? "")
        + (made.item.isConfirmed || made.codeTrouble != nil
          ? "" : "A code was sent there; it is valid for 24 hours.\n")
        + (made.codeTrouble == nil ? "try: \(command: next)\n" : "")
    }
    report.partial = made.codeTrouble != nil
    try app.output.show(report)
    if let trouble = made.codeTrouble { throw NotifyConfirmCommand.unsent(made.item, trouble) }
  }
}
