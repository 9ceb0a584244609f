package import JSON

/// What a test expects of a request. Everything that is left out matches; what does not match is
/// named field by field, so that a failed test says what was different instead of "not found".
package struct Pattern: Sendable {
  package struct Difference: Sendable, Hashable {
    package let field: String
    package let expected: JSONValue
    package let found: JSONValue

    package var json: JSONValue {
      ["field": .string(field), "expected": expected, "found": found]
    }
  }

  package let json: JSONObject

  package init(_ json: JSONObject) { self.json = json }

  /// Member names that mean something; another is a slip of the pen and refused.
  package static let fields: Set<String> = [
    "provider", "operation", "method", "path", "pathPrefix", "query", "headers", "body",
    "bodyContains", "status", "fault",
  ]

  /// Those that can be said in a query.
  static let texts = fields.subtracting(["query", "headers", "body"])

  package var unknownFields: [String] { json.names.filter { !Self.fields.contains($0) } }

  package func differences(from entry: JournalEntry) -> [Difference] {
    let seen = entry.raw
    var out: [Difference] = []
    for member in json.members {
      let wanted = member.value
      switch member.name {
      case "provider", "operation":
        Self.compare(member.name, wanted, seen[member.name], &out)
      case "method", "path", "query", "body":
        Self.compare(member.name, wanted, seen["request"]?[member.name], &out)
      case "headers":
        let lowered = (wanted.object ?? [:]).members.map {
          JSONObject.Member($0.name.lowercased(), $0.value)
        }
        Self.compare("headers", .object(JSONObject(lowered)), seen["request"]?["headers"], &out)
      case "pathPrefix":
        let path = entry.request.pathText
        if !path.hasPrefix(wanted.string ?? "") {
          out.append(Difference(field: "pathPrefix", expected: wanted, found: .string(path)))
        }
      case "bodyContains":
        let body = String(decoding: entry.request.body, as: UTF8.self)
        if !body.contains(wanted.string ?? "") {
          out.append(Difference(field: "bodyContains", expected: wanted, found: .string(body)))
        }
      case "status": Self.compare("status", wanted, seen["reply"]?["status"], &out)
      case "fault":
        if !entry.faults.contains(wanted.string ?? "") {
          out.append(
            Difference(field: "fault", expected: wanted, found: seen["faults"] ?? .null))
        }
      default: break
      }
    }
    return out
  }

  /// Objects are compared member by member, and members that are not asked for do not matter.
  private static func compare(
    _ field: String, _ wanted: JSONValue, _ found: JSONValue?, _ out: inout [Difference]
  ) {
    switch (wanted, found) {
    case (.object(let members), .object(let other)?):
      for member in members.members {
        compare("\(field).\(member.name)", member.value, other[member.name], &out)
      }
    case (.array(let list), .array(let other)?) where list.count == other.count:
      for (place, element) in list.enumerated() {
        compare("\(field)[\(place)]", element, other[place], &out)
      }
    default:
      if wanted != found ?? .null {
        out.append(Difference(field: field, expected: wanted, found: found ?? .null))
      }
    }
  }
}

extension Journal {
  package func matching(_ pattern: Pattern) -> [JournalEntry] {
    entries.filter { pattern.differences(from: $0).isEmpty }
  }

  /// Those that come nearest without matching, fewest differences first; not yet fit to be shown.
  package func nearMisses(of pattern: Pattern, most: Int = 3) -> [JSONValue] {
    let judged = entries.map { ($0, pattern.differences(from: $0)) }.filter { !$0.1.isEmpty }
    return judged.sorted { ($0.1.count, -$0.0.number) < ($1.1.count, -$1.0.number) }.prefix(most)
      .map { ["request": $0.raw, "differences": .array($1.map(\.json))] }
  }
}
