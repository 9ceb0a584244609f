import Arguments
import Console
import Items
import Secrets
import Setup
import TextSafety

struct NotifyConfirmCommand: Command {
  static let name = Argument(
    "name", Kind<String>.word.called("NAME"), "The channel; see carrel notify ls.")
  static let code = Argument(
    optional: "code", Kind<String>.word.called("CODE"),
    "The six digits that were sent there; asked for if absent.")
  static let sendAgain = Flag("send-again", "Send a new code; the one before it is void.")

  static let spec = CommandSpec(
    "notify confirm", "Confirm the address of a channel by its code.",
    discussion: """
      An address for mail or short messages gets nothing but a code until that code is typed, so \
      that no patron has notifications sent to a stranger. A code is valid for 24 hours and for five \
      attempts. The same address gets three codes a day at most. Without CODE it is asked for, or read \
      from standard input where that is no terminal: other users of the machine see the words of a \
      command.
      """,
    examples: [
      .init("carrel notify confirm email", "Asks for the code; then notifications are sent there."),
      .init("carrel notify confirm email --send-again", "Where the message did not arrive."),
    ],
    exits: [2, 3, 5, 6, 8, 10, 12], parameters: [name, code, sendAgain])

  static let schemas = [
    ReportSchema("channel-confirmed", "The channel.", NotifyListCommand.properties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let (name, given) = (try input[Self.name], try input[Self.code])
    if try !input[Self.sendAgain] {
      let code = try given ?? Self.typed(app)
      let channel = try await app.engaged("the database") { engine, seat throws(ErrorItem) in
        try await engine.confirmChannel(name, code: Secret(code), at: seat)
      }
      try app.output.show(
        Report(Self.schemas[0], [channel.json]) { _ in
          "Confirmed '\(channel.name)': notifications are sent to \(channel.to).\n"
        })
      return
    }
    guard given == nil else {
      throw CommandError(
        .conflictingFlags, "A code and --send-again exclude each other.",
        try: "carrel help notify confirm")
    }
    let sent = try await app.engaged("the database") { engine, seat throws(ErrorItem) in
      try await engine.sendChannelCode(name, at: seat)
    }
    if let trouble = sent.codeTrouble { throw Self.unsent(sent.item, trouble) }
    try app.output.show(
      Report(Self.schemas[0], [sent.item.json]) { _ in
        "Sent a new code to \(sent.item.to); it is valid for 24 hours.\n"
          + "try: \(command: "carrel notify confirm \(sent.item.name)")\n"
      })
  }

  private static func typed(_ app: App) throws(CommandError) -> String {
    if app.surroundings.inputIsTerminal {
      return try app.questions.ask("Code", flag: "CODE")
    }
    guard let line = Keyboard.line(atMost: 100), !line.isEmpty else {
      throw CommandError(
        .missingArgument, "The code is missing.", try: "carrel help notify confirm")
    }
    return line
  }

  static func unsent(_ channel: ChannelItem, _ trouble: String) -> CommandError {
    CommandError(
      .partlyFailed, "The code for '\(channel.name)' could not be sent: \(trouble).",
      try: "carrel notify confirm \(channel.name) --send-again")
  }
}
