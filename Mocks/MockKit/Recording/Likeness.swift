import HTTP
import JSON

/// How far a request is from a recorded one. A stand-in in the recording is like any value, since
/// what stood there is not known any more.
struct Likeness {
  private(set) var differences: [Pattern.Difference] = []
  /// Stand-ins that had to be taken for something else.
  private var guesses = 0

  /// The fewer the better; a difference outweighs any number of guesses.
  var distance: Int { differences.count * 1000 + min(guesses, 999) }

  func fits(_ match: Replay.Match) -> Bool {
    switch match {
    case .strict: differences.isEmpty
    case .loose: !differences.contains { $0.field == "method" || $0.field == "path" }
    }
  }

  init(of request: MockRequest, to recorded: RecordedExchange) {
    compare("method", recorded.method, request.method.rawValue)
    compare("path", recorded.path, request.pathText)
    compare("query", Self.object(recorded.query), Self.object(request.query))
    let (before, now) = (Self.body(recorded.requestBody), Self.body(request.body))
    if before != now { compare("body", before, now) }
  }

  private mutating func compare(_ field: String, _ recorded: JSONValue, _ asked: JSONValue?) {
    switch (recorded, asked) {
    case (.object(let one), .object(let other)?):
      for member in one.members {
        compare("\(field).\(member.name)", member.value, other[member.name])
      }
      for member in other.members where one[member.name] == nil {
        differences.append(
          .init(field: "\(field).\(member.name)", expected: .null, found: member.value))
      }
    case (.array(let one), .array(let other)?) where one.count == other.count:
      for (place, element) in one.enumerated() {
        compare("\(field)[\(place)]", element, other[place])
      }
    case (.string(let one), .string(let other)?): compare(field, one, other)
    case (.integer(let one), .integer?) where one < 0 && recorded != asked: guesses += 1
    case (.string(let one), .integer?) where Redaction.isStandIn(one): guesses += 1
    default:
      if recorded != asked ?? .null {
        differences.append(.init(field: field, expected: recorded, found: asked ?? .null))
      }
    }
  }

  private mutating func compare(_ field: String, _ recorded: String, _ asked: String) {
    if recorded == asked { return }
    if Self.like(recorded, asked) {
      guesses += 1
    } else {
      differences.append(
        .init(field: field, expected: .string(recorded), found: .string(asked)))
    }
  }

  /// Whether the text around the stand-ins is there, in its order.
  static func like(_ recorded: String, _ asked: String) -> Bool {
    let pieces = recorded.split(
      separator: /redacted-[0-9]+|•••/, omittingEmptySubsequences: false)
    guard pieces.count > 1, let first = pieces.first, let last = pieces.last,
      asked.hasPrefix(first), asked.hasSuffix(last), asked.count >= first.count + last.count
    else { return false }
    var rest = asked.dropFirst(first.count).dropLast(last.count)
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let found = rest.firstRange(of: piece) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }

  /// Repeated names are kept apart by their place.
  private static func object(_ fields: FormFields) -> JSONValue {
    var object: JSONObject = [:]
    for field in fields.fields {
      let name = object[field.name] == nil ? field.name : "\(field.name)#\(object.count)"
      object[name] = .string(field.value)
    }
    return .object(object)
  }

  private static func body(_ bytes: [UInt8]) -> JSONValue {
    let shown = JournalEntry.shown(bytes)
    guard case .string(let text) = shown, text.contains("="), !text.contains("<"),
      !text.contains(where: \.isWhitespace)
    else { return shown }
    return object(FormFields(parsing: text))
  }
}
