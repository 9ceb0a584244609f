import Arguments
package import JSON
import TestSupport
import Testing

@testable import Commands

/// How one call of the program ended.
package struct Ending: Sendable {
  package let words: [String]
  package let code: Int32
  package let output: String
  package let error: String

  package var document: JSONValue { (try? JSONValue(parsing: output)) ?? .null }
  package var items: [JSONValue] { document["items"]?.array ?? [] }
  package var item: JSONValue { items.first ?? .null }
  /// The error of `--json`.
  package var failure: JSONValue { (try? JSONValue(parsing: error))?["error"] ?? .null }

  /// The command that people are told to try.
  package var attempt: String? {
    error.split(separator: "\n").last { $0.hasPrefix("try: ") }.map { String($0.dropFirst(5)) }
  }

  /// What does not keep the promises of `--json`.
  package var faults: [String] {
    var faults: [String] = []
    if !output.isEmpty {
      let id = document["schema"]?.string ?? ""
      if let schema = SchemaCommand.all.first(where: { $0.id == id }) {
        faults += Check.faults(document, schema.document)
      } else {
        faults.append("no schema '\(id)' is shipped")
      }
      if output.split(separator: "\n", omittingEmptySubsequences: false).count != 2 {
        faults.append("the document is not one line")
      }
    }
    if code == 0, !error.isEmpty { faults.append("all went well, and yet it says \(error)") }
    if code != 0 {
      if failure["code"]?.string == nil { faults.append("no error in \(error)") }
      if error.split(separator: "\n", omittingEmptySubsequences: false).count != 2 {
        faults.append("the error is not one line")
      }
    }
    return faults
  }

  /// Whether a shell, given the line, would call a command that there is.
  package static func canBePasted(_ line: String) -> Bool {
    let words = shellWords(line)
    guard words.first == "carrel" else { return false }
    do throws(UsageError) {
      if case .run = try Program.carrel.read(Array(words.dropFirst())) { return true }
    } catch { return false }
    return false
  }

  /// As a shell splits them, single quotes included.
  package static func shellWords(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    var isEscaped = false
    for sign in line {
      if isEscaped {
        word = (word ?? "") + String(sign)
        isEscaped = false
      } else if sign == "'" {
        isQuoted.toggle()
        word = word ?? ""
      } else if sign == "\\", !isQuoted {
        isEscaped = true
      } else if sign == " ", !isQuoted {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(sign)
      }
    }
    return words + [word].compactMap(\.self)
  }
}
