import Arguments

/// What a script can tell from how we ended. The numbers never change their meaning.
enum ExitCode: Int32, CaseIterable {
  case done = 0
  case unexpected = 1
  case usage = 2
  case partly = 3
  case signIn = 4
  case notFound = 5
  case refused = 6
  case unreachable = 7
  case wait = 8
  case ambiguous = 9
  case configuration = 10
  case inUse = 11
  case locked = 12
  case file = 13
  case interrupted = 130

  var meaning: String {
    switch self {
    case .done: "Done; also when there was nothing to do."
    case .unexpected: "A fault of the program itself; the message says how to report it."
    case .usage: "Wrong usage, or an answer was needed and asking was not allowed."
    case .partly: "Partly done: some cards or items failed."
    case .signIn: "A sign-in is needed, or was refused."
    case .notFound: "Not found."
    case .refused: "Refused by a rule: a limit, a blocked card, not renewable."
    case .unreachable: "A library, a service or the network cannot be reached."
    case .wait: "Asked to wait; the message names the time."
    case .ambiguous: "Several things match: choose one of the list."
    case .configuration: "The configuration is invalid."
    case .inUse: "The data folder or an address is in use by another process."
    case .locked: "The vault is locked, or the passphrase is wrong."
    case .file: "A file or stream could not be read or written."
    case .interrupted: "Interrupted."
    }
  }

  var note: Program.Note { Program.Note("\(rawValue)", meaning) }
}
