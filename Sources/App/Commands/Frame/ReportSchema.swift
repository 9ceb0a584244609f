import JSON

/// What the items of one kind of output look like. The JSON Schema that `carrel schema` prints is
/// written from it, and the tests hold every command's output against it.
struct ReportSchema: Sendable {
  indirect enum Shape: Sendable {
    case string
    case integer
    case number
    case boolean
    case time
    case list(Shape)
    case object([Property])
    /// Null when it is not known.
    case nullable(Shape)
  }

  struct Property: Sendable {
    let name: String
    let shape: Shape
    let meaning: String
    let isRequired: Bool

    init(_ name: String, _ shape: Shape, _ meaning: String, required: Bool = true) {
      (self.name, self.shape, self.meaning) = (name, shape, meaning)
      isRequired = required
    }
  }

  let name: String
  let number: Int
  let summary: String
  let properties: [Property]
  /// What the document holds beside the usual keys.
  let members: [Property]

  init(
    _ name: String, number: Int = 1, _ summary: String, _ properties: [Property],
    members: [Property] = []
  ) {
    (self.name, self.number, self.summary, self.properties) = (name, number, summary, properties)
    self.members = members
  }

  var id: String { "carrel.\(name)/\(number)" }

  /// JSON Schema, draft 2020-12, of the whole document.
  var document: JSONValue {
    var known: JSONObject = [
      "schema": ["const": .string(id)],
      "generated_at": ["type": "string", "format": "date-time"],
      "items": ["type": "array", "items": Self.schema(.object(properties))],
      "partial": [
        "type": "boolean", "description": "Whether something that was asked for is missing.",
      ],
      "warnings": ["type": "array", "items": ["type": "string"]],
      "next": [
        "type": ["string", "null"], "description": "Asks for the next page; null at the end.",
      ],
    ]
    if case .object(let object) = Self.schema(members), let told = object["properties"]?.object {
      for member in told.members { known[member.name] = member.value }
    }
    return .object([
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": .string("urn:carrel:schema:\(name):\(number)"),
      "title": .string(id),
      "description": .string(summary),
      "type": "object",
      "required": ["schema", "generated_at", "items", "partial", "warnings", "next"],
      "properties": .object(known),
    ])
  }

  private static func schema(_ shape: Shape) -> JSONValue {
    switch shape {
    case .string: ["type": "string"]
    case .integer: ["type": "integer"]
    case .number: ["type": "number"]
    case .boolean: ["type": "boolean"]
    case .time: ["type": "string", "format": "date-time"]
    case .list(let element): ["type": "array", "items": schema(element)]
    case .object(let properties): schema(properties)
    case .nullable(let shape): orNull(schema(shape))
    }
  }

  private static func orNull(_ schema: JSONValue) -> JSONValue {
    guard case .object(var object) = schema else { return schema }
    object["type"] = object["type"].map { .array([$0, "null"]) }
    return .object(object)
  }

  private static func schema(_ properties: [Property]) -> JSONValue {
    var members = JSONObject()
    for property in properties {
      guard case .object(var object) = schema(property.shape) else { continue }
      object["description"] = .string(property.meaning)
      members[property.name] = .object(object)
    }
    let required = properties.filter(\.isRequired).map { JSONValue.string($0.name) }
    return ["type": "object", "required": .array(required), "properties": .object(members)]
  }
}
