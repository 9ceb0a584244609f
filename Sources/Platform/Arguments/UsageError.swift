/// What is wrong with a command line, in words for the person who typed it.
package struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Problem: String, Sendable, CaseIterable {
    case unknownCommand = "unknown_command"
    case missingCommand = "missing_command"
    case unknownFlag = "unknown_flag"
    case missingArgument = "missing_argument"
    case tooManyArguments = "too_many_arguments"
    case missingValue = "missing_value"
    case unwantedValue = "unwanted_value"
    case badValue = "bad_value"
    case givenTwice = "given_twice"
  }

  package let problem: Problem
  package let message: String
  /// What may have been meant; never run, only shown.
  package let suggestions: [String]
  /// The command it happened in, as far as it was known: `["config", "show"]`.
  package internal(set) var command: [String] = []
  /// How the command wants to be called, where that helps.
  package internal(set) var usage: String?

  package init(_ problem: Problem, _ message: String, suggestions: [String] = []) {
    (self.problem, self.message, self.suggestions) = (problem, message, suggestions)
  }

  package var description: String { message }
}
