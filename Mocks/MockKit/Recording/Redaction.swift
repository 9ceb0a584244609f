import Crypto
package import HTTP
package import JSON
import Log
import Secrets

/// Takes secrets out: those that stand where a secret stands, and every one that is known, wherever
/// it stands. In recordings the same value gets the same stand-in everywhere, so that what belonged
/// together still does when it is replayed.
package struct Redaction: Sendable {
  package let scope: SecretNames.Scope
  /// Tokens of a mock's own making; there may be thousands.
  private let tokens: Set<String>
  private var lengths: Set<Int>
  private var standIns: [String: String] = [:]
  /// Known values that are no plain words, or long enough to be sought inside longer ones.
  private var sought: [(bytes: [UInt8], standIn: String)] = []
  /// Finds what is left in any other spelling: hexadecimal, base64, escapes.
  private let net = Redactor()

  package init(_ scope: SecretNames.Scope, tokens: Set<String> = []) {
    (self.scope, self.tokens) = (scope, tokens)
    lengths = Set(tokens.lazy.map(\.utf8.count))
  }

  package static let dots = "•••"
  /// What stands in recordings for a value: `redacted-12`.
  package static let mark = "redacted-"

  package static func isStandIn(_ text: some StringProtocol) -> Bool {
    text == dots || text.hasPrefix(mark) && text.dropFirst(mark.count).allSatisfy(\.isNumber)
  }

  private static func isNumericStandIn(_ text: String) -> Bool {
    text.hasPrefix("-") && text.dropFirst().allSatisfy(\.isNumber)
  }

  /// From now on this value is taken out wherever it stands. Shorter than four characters it is
  /// taken out where its name tells it only.
  @discardableResult package mutating func learn(_ value: String) -> String {
    if value.isEmpty || Self.isStandIn(value) || Self.isNumericStandIn(value) { return value }
    if let known = standIns[value] { return known }
    let standIn = scope == .journal ? Self.dots : Self.mark + String(standIns.count + 1)
    standIns[value] = standIn
    let bytes = Array(value.utf8)
    guard bytes.count >= 4 else { return standIn }
    net.learn(Secret(value))
    if bytes.allSatisfy(Sign.isWord) { lengths.insert(bytes.count) }
    if bytes.count >= 8 || !bytes.allSatisfy(Sign.isWord) {
      for spelling in [value, PercentCoding.encode(query: value)] {
        sought.append((Array(spelling.utf8), standIn))
      }
      sought.sort { $0.bytes.count > $1.bytes.count }
    }
    return standIn
  }

  /// The values that are looked for, in the clear.
  package var known: [String] { Array(standIns.keys) }

  // MARK: Documents

  package mutating func json(_ value: JSONValue, under name: String = "", inForm: Bool = false)
    -> JSONValue
  {
    switch value {
    case .string(let text):
      return .string(isSecret(name, inForm) ? learn(text) : self.text(text))
    case .integer, .decimal:
      let text = value.text()
      return number(isSecret(name, inForm) ? learn(text) : standIns[text]) ?? value
    case .array(let list):
      return .array(list.map { json($0, under: name, inForm: inForm) })
    case .object(let object): return .object(members(of: object, inForm))
    default: return value
    }
  }

  /// A number stays one, below nought, so that whoever reads a replay still finds its type.
  private func number(_ standIn: String?) -> JSONValue? {
    guard let standIn else { return nil }
    guard standIn.hasPrefix(Self.mark), let number = Int(standIn.dropFirst(Self.mark.count)) else {
      return Int(standIn).map(JSONValue.integer) ?? .string(standIn)
    }
    return .integer(-number)
  }

  private mutating func members(of object: JSONObject, _ inForm: Bool) -> JSONObject {
    JSONObject(
      object.members.map { member in
        switch member.name {
        // `{"name": "password", "value": "…"}`, as forms written in JSON have it.
        case "value" where object["name"]?.string != nil:
          let name = object["name"]?.string ?? ""
          return JSONObject.Member("value", json(member.value, under: name, inForm: true))
        // A difference tells in words where its values stand.
        case "expected", "found":
          let name = object["field"]?.string ?? ""
          return JSONObject.Member(member.name, json(member.value, under: name, inForm: inForm))
        default:
          let isQuery = inForm || member.name == "query"
          return JSONObject.Member(
            member.name, json(member.value, under: member.name, inForm: isQuery))
        }
      })
  }

  package mutating func fields(_ fields: FormFields) -> FormFields {
    FormFields(
      fields.fields.map { field in
        FormFields.Field(
          field.name, isSecret(field.name, true) ? learn(field.value) : text(field.value))
      })
  }

  package mutating func header(_ name: String, _ value: String) -> String {
    guard isSecret(name, false) else { return text(value) }
    learnParts(of: value)
    return learn(value)
  }

  /// Credentials are said again without their scheme, and apart from each other.
  private mutating func learnParts(of value: String) {
    let words = value.split(separator: " ", maxSplits: 1).map(String.init)
    if words.count == 2 { learn(words[1]) }
    if words.count == 2, words[0].lowercased() == "basic",
      let bytes = try? Base64.decodeTolerantly(words[1])
    {
      for part in String(decoding: bytes, as: UTF8.self).split(separator: ":", maxSplits: 1) {
        learn(String(part))
      }
    }
    for cookie in Cookies([value]).all where cookie.value.utf8.count >= 8 { learn(cookie.value) }
  }

  /// Any other text: markup, addresses, prose.
  package mutating func text(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.count >= 4 else { return standIns[text] ?? text }
    var scan = SecretPlaces(bytes, scope)
    scan.find()
    var out: [UInt8] = []
    var copied = 0
    for place in scan.places where place.lowerBound >= copied {
      out += bytes[copied..<place.lowerBound]
      let raw = String(decoding: bytes[place], as: UTF8.self)
      out += Array(learn(PercentCoding.decode(raw) ?? raw).utf8)
      copied = place.upperBound
    }
    out += bytes[copied...]
    return net.redacted(String(decoding: withoutSought(withoutWords(out)), as: UTF8.self))
  }

  /// A body of whatever kind; bytes that are no text are left alone.
  package mutating func body(_ body: [UInt8], type: String) -> [UInt8] {
    if let value = try? JSONValue(parsing: body, by: .tolerant), !body.isEmpty {
      return json(value).bytes()
    }
    if type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
      return Array(fields(FormFields(parsing: body)).encoded.utf8)
    }
    guard let text = String(validating: body, as: UTF8.self) else { return body }
    return Array(self.text(text).utf8)
  }

  private func isSecret(_ name: String, _ inForm: Bool) -> Bool {
    if name.isEmpty { return false }
    // Differences name their fields with the way to them: `request.headers.authorization`.
    let last = name.split(separator: ".").last.map(String.init) ?? name
    let isForm = inForm || name.hasPrefix("query.")
    return isForm
      ? SecretNames.promiseInForm(last, in: scope) : SecretNames.promise(last, in: scope)
  }

  // MARK: Known values

  /// Known words, as wholes: a PIN of four digits is none inside a longer number.
  private func withoutWords(_ bytes: [UInt8]) -> [UInt8] {
    guard !lengths.isEmpty else { return bytes }
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard Sign.isWord(bytes[index]) else {
        out.append(bytes[index])
        index += 1
        continue
      }
      var end = index
      while end < bytes.count, Sign.isWord(bytes[end]) { end += 1 }
      if lengths.contains(end - index) {
        let word = String(decoding: bytes[index..<end], as: UTF8.self)
        if let standIn = standIns[word] ?? (tokens.contains(word) ? Self.dots : nil) {
          out += Array(standIn.utf8)
          index = end
          continue
        }
      }
      out += bytes[index..<end]
      index = end
    }
    return out
  }

  private func withoutSought(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for (needle, standIn) in sought where needle.count <= bytes.count {
      var out: [UInt8] = []
      var (index, copied) = (0, 0)
      while index + needle.count <= bytes.count {
        if bytes[index] == needle[0], bytes[index..<index + needle.count].elementsEqual(needle) {
          out += bytes[copied..<index] + Array(standIn.utf8)
          index += needle.count
          copied = index
        } else {
          index += 1
        }
      }
      if copied > 0 { bytes = out + bytes[copied...] }
    }
    return bytes
  }
}
