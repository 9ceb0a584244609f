import JSON
import Log
import Secrets

/// Looks through a recording for anything that may be secret or personal after all. It tells where,
/// and never what.
package struct Scan: Sendable {
  package struct Finding: Sendable, Hashable, CustomStringConvertible {
    package let line: Int
    /// The way to it: `reply.body.json.access_token`.
    package let place: String
    package let what: String

    package var description: String { "line \(line), \(place): \(what)" }
  }

  private let net = Redactor()

  package init(knowing secrets: [String] = []) {
    for secret in secrets { net.learn(Secret(secret)) }
  }

  package func findings(in file: [UInt8]) -> [Finding] {
    var findings: [Finding] = []
    for (number, line) in file.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
    {
      let told: [(String, String)]
      if let value = try? JSONValue(parsing: Array(line)) {
        told = inspect(value, at: "", under: "", inForm: false)
      } else {
        told = inspect(String(decoding: line, as: UTF8.self)).map { ("text", $0) }
      }
      var seen: Set<String> = []
      for (place, what) in told where seen.insert(place + what).inserted {
        findings.append(Finding(line: number + 1, place: place, what: what))
      }
    }
    return findings
  }

  private func inspect(_ value: JSONValue, at place: String, under name: String, inForm: Bool)
    -> [(String, String)]
  {
    switch value {
    case .object(let object):
      return object.members.flatMap { member in
        let isField = member.name == "value" && object["name"]?.string != nil
        return inspect(
          member.value, at: place.isEmpty ? member.name : "\(place).\(member.name)",
          under: isField ? object["name"]?.string ?? "" : member.name, inForm: inForm || isField)
      }
    case .array(let list):
      return list.enumerated().flatMap {
        inspect($0.element, at: "\(place)[\($0.offset)]", under: name, inForm: inForm)
      }
    case .string(let text):
      if Redaction.isStandIn(text) || text.isEmpty { return [] }
      let isSecret =
        inForm
        ? SecretNames.promiseInForm(name, in: .recording)
        : SecretNames.promise(name, in: .recording)
      if isSecret { return [(place, "a value under the name \(name)")] }
      return inspect(text).map { (place, $0) }
    case .integer(let number) where number < 0: return []
    case .integer, .decimal:
      if SecretNames.promise(name, in: .recording) {
        return [(place, "a value under the name \(name)")]
      }
      return inspect(value.text()).map { (place, $0) }
    default: return []
    }
  }

  /// What a text looks like it holds.
  private func inspect(_ text: String) -> [String] {
    var found: [String] = []
    if net.redacted(text) != text { found.append("a known secret") }
    if text.contains("-----BEGIN") { found.append("a key or certificate") }
    let bytes = Array(text.utf8)
    var places = SecretPlaces(bytes, .recording)
    places.find()
    for place in places.places {
      let value = String(decoding: bytes[place], as: UTF8.self)
      if !Redaction.isStandIn(value) { found.append("a value where a secret stands") }
    }
    for word in bytes.split(whereSeparator: { !Sign.isWord($0) }) {
      if let what = Self.look(of: Array(word)) { found.append(what) }
    }
    let parts = text.split { !($0.isLetter || $0.isNumber || "@._+-".contains($0)) }
    if parts.contains(where: Self.isMail) { found.append("a mail address") }
    return found
  }

  private static func look(of word: [UInt8]) -> String? {
    let digits = word.count { (48...57).contains($0) }
    if digits == word.count {
      guard (13...19).contains(digits) else { return nil }
      // Numbers of books, and milliseconds since 1970.
      let isBook = word.starts(with: "978".utf8) || word.starts(with: "979".utf8)
      let isTime = digits == 13 && word[0] == UInt8(ascii: "1")
      return isBook || isTime ? nil : "a number as long as a card's"
    }
    let upper = word.count { (65...90).contains($0) }
    let lower = word.count { (97...122).contains($0) }
    guard word.count >= 24, digits > 1, upper > 1, lower > 1 else { return nil }
    return "a long random word"
  }

  private static func isMail(_ text: Substring) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && parts[1].dropFirst().contains(".")
  }
}
