package import JSON

/// As much of JSON Schema as ours use.
package enum Check {
  package static func faults(_ value: JSONValue?, _ schema: JSONValue, at path: String = "$")
    -> [String]
  {
    guard let value else { return ["\(path) is missing"] }
    var faults: [String] = []
    if let constant = schema["const"], constant != value {
      faults.append("\(path) is not \(constant)")
    }
    if let type = schema["type"], !fits(value, type) {
      faults.append("\(path) is \(value.kind), not \(type.text())")
    }
    if value.isNull { return faults }
    if schema["format"] == "date-time", !isTime(value.string ?? "") {
      faults.append("\(path) is no time in UTC: \(value.text())")
    }
    for name in schema["required"]?.array ?? [] where value[name.string ?? ""] == nil {
      faults.append("\(path).\(name.string ?? "") is missing")
    }
    for property in schema["properties"]?.object?.members ?? [] {
      guard let member = value[property.name] else { continue }
      faults += Self.faults(member, property.value, at: "\(path).\(property.name)")
    }
    if let element = schema["items"] {
      for (place, item) in (value.array ?? []).enumerated() {
        faults += Self.faults(item, element, at: "\(path)[\(place)]")
      }
    }
    // A key that the schema does not know is allowed for readers, but we should have told.
    if let known = schema["properties"]?.object, let object = value.object, !known.isEmpty {
      faults += object.names.filter { known[$0] == nil }.map { "\(path).\($0) is not told" }
    }
    return faults
  }

  private static func isTime(_ text: String) -> Bool {
    text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) != nil
  }

  private static func fits(_ value: JSONValue, _ type: JSONValue) -> Bool {
    let names = type.array ?? [type]
    return names.contains { name in
      switch (name.string, value) {
      case ("string", .string), ("boolean", .bool), ("array", .array), ("object", .object),
        ("integer", .integer), ("number", .integer), ("null", .null):
        true
      case ("number", _): value.double != nil
      default: false
      }
    }
  }
}
