import Arguments
import Items
import Secrets
import Setup
import TextSafety

struct NotifyConfirmCommand: Command {
  static let name = Argument(
    "name", Kind<String>.word.called("NAME"), "The channel; see carrel notify ls.")
  static let code = Argument(
    optional: "code", Kind<String>.word.called("CODE"), "The six digits that were sent there.")
  static let sendAgain = Flag("send-again", "Send a new code; the one before it is void.")

  static let spec = CommandSpec(
    "notify confirm", "Confirm the address of a channel by its code.",
    discussion: """
      An address for mail or short messages gets nothing but a code until that code is typed, so \
      that no patron has notifications sent to a stranger. A code is valid for 24 hours and for five \
      attempts. The same address gets three codes a day at most.
      """,
    examples: [
      .init("carrel notify confirm email 123456", "From then on notifications are sent there."),
      .init("carrel notify confirm email --send-again", "Where the message did not arrive."),
    ],
    exits: [2, 3, 5, 6, 8, 10, 12], parameters: [name, code, sendAgain])

  static let schemas = [
    ReportSchema("channel-confirmed", "The channel.", NotifyListCommand.properties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let (name, code) = (try input[Self.name], try input[Self.code])
    if let code, try !input[Self.sendAgain] {
      let channel = try await app.engaged("the database") { engine, seat throws(ErrorItem) in
        try await engine.confirmChannel(name, code: Secret(code), at: seat)
      }
      try app.output.show(
        Report(Self.schemas[0], [channel.json]) { _ in
          "Confirmed '\(channel.name)': notifications are sent to \(channel.to).\n"
        })
      return
    }
    guard try input[Self.sendAgain], code == nil else {
      throw CommandError(
        code == nil ? .missingArgument : .conflictingFlags,
        code == nil ? "The code is missing." : "A code and --send-again exclude each other.",
        try: "carrel help notify confirm")
    }
    let sent = try await app.engaged("the database") { engine, seat throws(ErrorItem) in
      try await engine.sendChannelCode(name, at: seat)
    }
    if let trouble = sent.codeTrouble { throw Self.unsent(sent.item, trouble) }
    try app.output.show(
      Report(Self.schemas[0], [sent.item.json]) { _ in
        "Sent a new code to \(sent.item.to); it is valid for 24 hours.\n"
          + "try: \(command: "carrel notify confirm \(sent.item.name) CODE")\n"
      })
  }

  static func unsent(_ channel: ChannelItem, _ trouble: String) -> CommandError {
    CommandError(
      .partlyFailed, "The code for '\(channel.name)' could not be sent: \(trouble).",
      try: "carrel notify confirm \(channel.name) --send-again")
  }
}
