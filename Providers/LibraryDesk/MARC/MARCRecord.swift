import JSON
import ProviderKit

/// A record of a library's catalogue, from MARC in XML or in JSON, as fields in their order.
struct MARCRecord: Sendable {
  struct Field: Sendable {
    let tag: String
    /// Of a control field, all of it.
    var text = ""
    var indicators: (String, String) = (" ", " ")
    var parts: [(code: String, text: String)] = []

    subscript(code: String) -> String? { all(code).first }

    /// What stands under the code, without what is empty.
    func all(_ code: String) -> [String] {
      parts.compactMap { part in
        guard part.code == code else { return nil }
        let text = part.text.trimmingBlanks
        return text.isEmpty ? nil : text
      }
    }
  }

  let leader: String
  let fields: [Field]

  /// More fields has no record that anybody reads; a copy is a field, and libraries have hundreds.
  static let mostFields = 5000

  /// Nil for what is no record.
  init?(_ xml: WireXML) {
    guard xml.isNamed("record") else { return nil }
    leader = xml["leader"]?.text ?? ""
    var fields: [Field] = []
    for child in xml.children.prefix(Self.mostFields) {
      guard let tag = child.attribute("tag") else { continue }
      var field = Field(tag: tag)
      if child.isNamed("controlfield") {
        field.text = child.text
      } else {
        field.indicators = (child.attribute("ind1") ?? " ", child.attribute("ind2") ?? " ")
        field.parts = child.all("subfield").map { ($0.attribute("code") ?? "", $0.text) }
      }
      fields.append(field)
    }
    guard !fields.isEmpty else { return nil }
    self.fields = fields
  }

  /// Each field is an object of one member, as is each of its parts.
  init?(_ json: JSONValue) {
    guard let list = json["fields"]?.array, !list.isEmpty else { return nil }
    leader = json["leader"]?.string ?? ""
    var fields: [Field] = []
    for entry in list.prefix(Self.mostFields) {
      guard let member = entry.object?.members.first else { return nil }
      var field = Field(tag: member.name)
      if let text = member.value.string {
        field.text = text
      } else {
        field.indicators = (
          member.value["ind1"]?.string ?? " ", member.value["ind2"]?.string ?? " "
        )
        // What is something else than texts is no record that could be held against a book.
        guard let parts = member.value["subfields"]?.array else { return nil }
        for part in parts {
          guard let member = part.object?.members.first, let text = member.value.string else {
            return nil
          }
          field.parts.append((member.name, text))
        }
      }
      fields.append(field)
    }
    self.fields = fields
  }

  func all(_ tag: String) -> [Field] { fields.filter { $0.tag == tag } }
  func first(_ tag: String) -> Field? { fields.first { $0.tag == tag } }

  /// Nothing on paper: what it is carried by is an online resource.
  var isOnline: Bool {
    all("338").contains { $0.all("b").contains("cr") }
      || first("245")?["h"]?.lowercased().holds("electronic resource") == true
  }
}
