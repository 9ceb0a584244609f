import HTTP
import JSON
import MockKit

/// What a list is asked for: the JSON of `q`, and fields by their names.
struct KohaFilter {
  private var conditions: [JSONValue] = []

  init(_ request: MockRequest) throws(KohaRefusal) {
    if let text = request.query["q"] {
      guard let json = try? JSONValue(parsing: text), json.object != nil || json.array != nil else {
        throw KohaRefusal(.badRequest, "Malformed query string")
      }
      conditions.append(json)
    }
    for field in request.query.fields where !field.name.hasPrefix("_") && field.name != "q" {
      conditions.append(.object(JSONObject([.init(field.name, .string(field.value))])))
    }
  }

  func fits(_ row: JSONValue) -> Bool { conditions.allSatisfy { Self.fits(row, $0) } }

  /// An object wants all of its members, a list any of its own.
  private static func fits(_ row: JSONValue, _ condition: JSONValue) -> Bool {
    if let any = condition.array { return any.contains { fits(row, $0) } }
    return condition.object?.members.allSatisfy { member in
      switch member.name {
      case "-and": member.value.array?.allSatisfy { fits(row, $0) } ?? false
      case "-or": member.value.array?.contains { fits(row, $0) } ?? false
      default: value(row[member.name] ?? .null, fits: member.value)
      }
    } ?? false
  }

  private static func value(_ value: JSONValue, fits wanted: JSONValue) -> Bool {
    if let any = wanted.array { return any.contains { self.value(value, fits: $0) } }
    if let operators = wanted.object {
      return operators.members.allSatisfy { member in
        switch member.name {
        case "-like": like(word(value), word(member.value))
        case "=": word(value) == word(member.value)
        case "!=": word(value) != word(member.value)
        default: false
        }
      }
    }
    return word(value) == word(wanted)
  }

  private static func word(_ value: JSONValue) -> String {
    value.string ?? value.integer.map(String.init) ?? ""
  }

  /// As databases have it: `%` is anything, `_` any sign; letters of either case are alike.
  static func like(_ text: String, _ pattern: String) -> Bool {
    let (text, pattern) = (Array(text.lowercased()), Array(pattern.lowercased()))
    var reach = [Bool](repeating: false, count: text.count + 1)
    reach[0] = true
    for sign in pattern {
      var next = [Bool](repeating: false, count: text.count + 1)
      if sign == "%" {
        var isOpen = false
        for index in reach.indices {
          isOpen = isOpen || reach[index]
          next[index] = isOpen
        }
      } else {
        for index in text.indices where reach[index] && (sign == "_" || sign == text[index]) {
          next[index + 1] = true
        }
      }
      reach = next
    }
    return reach[text.count]
  }
}
