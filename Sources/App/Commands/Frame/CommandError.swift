import Arguments
import JSON
import Setup
import TextSafety

/// A failure in words for people: what failed and why, and a command that helps when pasted.
struct CommandError: Error {
  let code: ErrorCode
  let message: TerminalText
  let attempt: ShellCommand?
  var suggestions: [String] = []
  /// Lines below the message: each fault of a file, the usage of a command.
  var details: [TerminalText] = []
  /// What `--json` adds to code, message and try.
  var fields: [JSONObject.Member] = []

  init(_ code: ErrorCode, _ message: TerminalText, try attempt: ShellCommand? = nil) {
    (self.code, self.message, self.attempt) = (code, message, attempt)
  }

  init(_ error: UsageError) {
    self.init(
      ErrorCode(error.problem), "\(error.message)",
      try: ShellCommand(words: ["carrel", "help"] + error.command))
    suggestions = error.suggestions
    details = error.usage.map { ["usage: \($0)"] } ?? []
  }

  init(_ error: ConfigurationError) {
    let count = error.faults.count
    self.init(
      .configInvalid,
      count == 1
        ? "the configuration has a fault" : "the configuration has \(count) faults",
      try: Self.mending(error.faults))
    details = error.faults.map { "  \($0)" }
    fields = [.init("faults", .array(error.faults.map(Self.json)))]
  }

  init(_ error: ServeError) {
    if let cause = error.cause {
      self.init(cause)
      return
    }
    switch error.reason {
    case .addressInUse: self.init(.addressInUse, "\(error.message)", try: "carrel serve --port 0")
    case .addressRefused:
      self.init(.addressRefused, "\(error.message)", try: "carrel serve --port 0")
    case .databaseUnavailable:
      self.init(.databaseUnavailable, "\(error.message)", try: "carrel config show database")
    case .configInvalid:
      self.init(.configInvalid, "\(error.message)", try: "carrel config show")
    }
  }

  /// The first fault's place decides what helps: an editor, or taking a variable away.
  private static func mending(_ faults: [ConfigurationFault]) -> ShellCommand {
    switch faults.first?.place {
    case .file(let path, _, _): "carrel config edit --config \(value: path)"
    case .variable(let name): "unset \(name)"
    default: "carrel config edit"
    }
  }

  private static func json(_ fault: ConfigurationFault) -> JSONValue {
    var object = JSONObject()
    if case .file(let path, let line, let column) = fault.place {
      object["file"] = .string(path)
      object["line"] = .integer(line)
      object["column"] = .integer(column)
    } else {
      object["place"] = .string(fault.place.description)
    }
    object["key"] = fault.key.map(JSONValue.string)
    object["message"] = .string(fault.message)
    object["suggestion"] = fault.suggestion.map(JSONValue.string)
    object["library"] = fault.library.map(JSONValue.string)
    object["effect"] = .string(fault.effect.rawValue)
    return .object(object)
  }

  /// As people read it.
  var text: TerminalText {
    var lines = [message] + details
    if !suggestions.isEmpty {
      lines.append("did you mean: \(suggestions.joined(separator: ", "))")
    } else if let attempt {
      lines.append("try: \(command: attempt)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// As scripts read it: one line.
  var json: TerminalText {
    var error = JSONObject([
      .init("code", .string(code.rawValue)), .init("message", .string(message.text)),
    ])
    error["try"] = attempt.map { .string($0.description) }
    if !suggestions.isEmpty {
      error["did_you_mean"] = .array(suggestions.map(JSONValue.string))
    }
    for field in fields { error[field.name] = field.value }
    return TerminalText(json: JSONValue.object(["error": .object(error)]).text() + "\n")
  }
}
