package import JSON
package import TextSafety

/// One thing that the doctor looked at.
package struct CheckupItem: Sendable, Hashable {
  package enum State: String, Sendable, Hashable, CaseIterable { case ok, warn, fail }

  /// What kind of thing: config, vault, disk, library and so on.
  package let check: String
  /// Which of several; nil where there is one.
  package var subject: String?
  package let state: State
  package let message: String
  /// A command that helps when pasted.
  package var attempt: ShellCommand?

  package init(
    _ check: String, _ subject: String?, _ state: State, _ message: String,
    try attempt: ShellCommand? = nil
  ) {
    (self.check, self.subject, self.state) = (check, subject, state)
    (self.message, self.attempt) = (message, attempt)
  }

  package init(
    _ check: String, _ state: State, _ message: String, try attempt: ShellCommand? = nil
  ) {
    self.init(check, nil, state, message, try: attempt)
  }

  package var json: JSONValue {
    [
      "check": .string(check), "subject": subject.map(JSONValue.string) ?? .null,
      "state": .string(state.rawValue), "message": .string(message),
      "try": attempt.map { .string($0.description) } ?? .null,
    ]
  }
}
