import Arguments
import JSON
import Machine
import TextSafety

/// The result of a command before anyone has decided how it is printed.
struct Report {
  let schema: ReportSchema
  var items: [JSONValue]
  /// Whether some of what was asked for is missing.
  var partial = false
  var warnings: [String] = []
  /// What the document holds beside the usual keys.
  var members: [JSONObject.Member] = []
  /// How people read it; without it the items are printed as a table.
  var text: ((TextLayout) -> TerminalText)?

  init(_ schema: ReportSchema, _ items: [JSONValue], text: ((TextLayout) -> TerminalText)? = nil) {
    (self.schema, self.items, self.text) = (schema, items, text)
  }

  /// `{"schema":"carrel.version/1", …}`
  func envelope(at time: String = Time.system.now().rfc3339()) -> JSONValue {
    var document: JSONObject = [
      "schema": .string(schema.id), "generated_at": .string(time), "items": .array(items),
      "partial": .bool(partial), "warnings": .array(warnings.map(JSONValue.string)),
      "next": .null,
    ]
    for member in members { document[member.name] = member.value }
    return .object(document)
  }

  /// One line for each item, its values in the order of the schema, tabs between them.
  var plain: TerminalText {
    items.map { item in
      schema.properties.map { Self.plain(item[$0.name]) }.joined(separator: "\t") + "\n"
    }.joined()
  }

  private static func plain(_ value: JSONValue?) -> TerminalText {
    switch value {
    case nil, .null: ""
    case .string(let text): "\(text)"
    case .array(let elements): elements.map(plain).joined(separator: ",")
    case let other?: TerminalText(json: other.text())
    }
  }

  /// Columns as wide as they need to be; the last one is free.
  var table: TerminalText {
    let rows = items.map { item in schema.properties.map { Self.plain(item[$0.name]) } }
    let widths = schema.properties.indices.map { column in
      rows.map { cells($0[column].text) }.max() ?? 0
    }
    return rows.map { row in
      zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ").trimmed + "\n"
    }.joined()
  }
}
