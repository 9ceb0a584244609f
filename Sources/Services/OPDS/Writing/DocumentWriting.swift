import JSON
import Markup

extension AuthenticationDocument {
  package var document: [UInt8] {
    var object = JSONObject()
    object.add("id", id)
    object.add("title", title)
    object.add("description", description)
    object.add("links", links.map(JSONWriting.link))
    object["authentication"] = .array(flows.map(\.json))
    return JSONValue.object(object).bytes()
  }
}

extension AuthenticationDocument.Flow {
  fileprivate var json: JSONValue {
    var object = JSONObject()
    object.add("type", type.name)
    object.add("description", description)
    object.add("links", links.map(JSONWriting.link))
    var labels = JSONObject()
    labels.add("login", loginLabel)
    labels.add("password", passwordLabel)
    if !labels.isEmpty { object["labels"] = .object(labels) }
    var inputs = JSONObject()
    inputs["login"] = login?.json
    inputs["password"] = password?.json
    if !inputs.isEmpty { object["inputs"] = .object(inputs) }
    return .object(object)
  }
}

extension AuthenticationDocument.Input {
  fileprivate var json: JSONValue {
    var object = JSONObject()
    object.add("keyboard", keyboard)
    object["maximum_length"] = maximumLength.map { .integer($0) }
    object.add("barcode_format", barcodeFormat)
    return .object(object)
  }
}

extension SearchDescription {
  /// One type exactly as calibre compares it, one that names the catalogue, and no parameter besides
  /// the words: readers send others with their braces (§2.7).
  package func document(saying description: String) -> [UInt8] {
    XMLWriter.document(
      tag("OpenSearchDescription", .init("xmlns", "http://a9.com/-/spec/opensearch/1.1/")) {
        tag("ShortName") { String(name.prefix(16)) }
        tag("Description") { String(description.prefix(1024)) }
        for template in templates {
          tag(
            "Url", .init("type", template.type?.compact ?? "application/atom+xml"),
            .init("template", template.text))
        }
        tag("InputEncoding") { "UTF-8" }
        tag("OutputEncoding") { "UTF-8" }
      })
  }
}
