package import JSON

/// An expectation about what has been asked, and whether it was kept.
package struct Verdict: Sendable {
  package let isKept: Bool
  package let json: JSONValue

  /// Reads `{match, count | atLeast | atMost}` or `{order: [match, …]}`; throws what is wrong with
  /// the expectation itself.
  package init(of expectation: JSONValue, in journal: Journal) throws(AdminRefusal) {
    guard let object = expectation.object else { throw AdminRefusal("expected an object") }
    for name in object.names where !["match", "count", "atLeast", "atMost", "order"].contains(name)
    {
      throw AdminRefusal("unknown member \"\(name)\"")
    }
    if let order = object["order"] {
      self = try Verdict(order: order, in: journal)
      return
    }
    let pattern = try Pattern(reading: object["match"] ?? [:])
    let found = journal.matching(pattern).count
    var isKept = true
    for (name, holds) in [
      ("count", { found == $0 }), ("atLeast", { found >= $0 }), ("atMost", { found <= $0 }),
    ] as [(String, (Int) -> Bool)] {
      guard let bound = object[name] else { continue }
      guard let number = bound.integer, number >= 0 else {
        throw AdminRefusal("\(name) must be a whole number")
      }
      isKept = isKept && holds(number)
    }
    if object["count"] == nil, object["atLeast"] == nil, object["atMost"] == nil {
      isKept = found > 0
    }
    self.isKept = isKept
    var json: JSONObject = [
      "verified": .bool(isKept), "expected": expectation, "found": .integer(found),
    ]
    if !isKept { json["nearMisses"] = .array(journal.nearMisses(of: pattern)) }
    self.json = .object(json)
  }

  /// Each after the one before, with anything between.
  private init(order: JSONValue, in journal: Journal) throws(AdminRefusal) {
    guard let list = order.array, !list.isEmpty else {
      throw AdminRefusal("order must be a list of matches")
    }
    var rest = journal.entries[...]
    var place = 0
    for element in list {
      let pattern = try Pattern(reading: element)
      guard let index = rest.firstIndex(where: { pattern.differences(from: $0).isEmpty }) else {
        isKept = false
        json = [
          "verified": false, "expected": ["order": order], "found": .integer(place),
          "missing": element, "nearMisses": .array(journal.nearMisses(of: pattern)),
        ]
        return
      }
      rest = rest[rest.index(after: index)...]
      place += 1
    }
    isKept = true
    json = ["verified": true, "expected": ["order": order], "found": .integer(place)]
  }
}

extension Pattern {
  package init(reading json: JSONValue) throws(AdminRefusal) {
    guard let object = json.object else { throw AdminRefusal("a match must be an object") }
    self.init(object)
    if let name = unknownFields.first {
      throw AdminRefusal(
        "unknown member \"\(name)\" in a match; there are \(Self.fields.sorted().joined(separator: ", "))"
      )
    }
  }
}

/// What is wrong with an order given to the admin interface, for the person who gave it.
package struct AdminRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
