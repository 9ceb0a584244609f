import JSON
import MockKit

/// A title's record as a cataloguer wrote it, in XML and in JSON.
struct MockMARC {
  private typealias Part = (code: String, text: String)

  private let controls: [(tag: String, text: String)]
  private let fields: [(tag: String, marks: String, parts: [Part])]
  private let leader = "00000nam a2200000 a 4500"

  init(_ title: Title, copies: [PaperLibrary.Copy] = []) {
    let number = String(PaperLibrary.number(of: title.id))
    let language = ["en": "eng", "fr": "fre", "de": "ger", "es": "spa", "zh": "chi"][title.language]
    controls = [
      ("001", number),
      ("008", "200101s\(title.published.prefix(4))    xx            000 1 \(language ?? "und") d"),
    ]
    var fields: [(tag: String, marks: String, parts: [Part])] = []
    if !title.isbn.isEmpty { fields.append(("020", "  ", [("a", "\(title.isbn) (pbk.)")])) }
    if let author = title.authors.first {
      fields.append(("100", "1 ", [("a", "\(filed(author)),"), ("e", "author.")]))
    }
    var heading: [Part] = [("a", title.subtitle == nil ? "\(title.name) /" : "\(title.name) :")]
    if let subtitle = title.subtitle { heading.append(("b", "\(subtitle) /")) }
    heading.append(("c", "\(title.authors.joined(separator: ", "))."))
    let skipped = ["The ", "An ", "A "].first { title.name.hasPrefix($0) }?.count ?? 0
    fields.append(("245", "1\(skipped)", heading))
    fields.append(
      (
        "264", " 1",
        [
          ("a", "Bridgeport :"), ("b", "\(title.publisher),"),
          ("c", "\(title.published.prefix(4))."),
        ]
      ))
    fields.append(
      ("338", "  ", [("a", "volume"), ("b", title.medium == "online" ? "cr" : "nc")]))
    for author in title.authors.dropFirst() {
      fields.append(("700", "1 ", [("a", "\(filed(author)),"), ("e", "author.")]))
    }
    for subject in title.subjects { fields.append(("650", " 0", [("a", "\(subject).")])) }
    for copy in copies {
      fields.append(
        (
          "952", "  ",
          [
            ("a", copy.home.code), ("b", copy.place.code), ("o", copy.callNumber),
            ("p", copy.barcode), ("9", String(copy.number)), ("y", "BK"),
          ] + Self.marks(copy.state)
        ))
    }
    fields.append(("999", "  ", [("c", number), ("d", number)]))
    self.fields = fields
  }

  private static func marks(_ state: PaperLibrary.Copy.State) -> [Part] {
    switch state {
    case .odd(.lost): [("1", "1")]
    case .odd(.damaged): [("4", "1")]
    case .odd(.withdrawn): [("0", "1")]
    case .odd(.onOrder): [("7", "-1")]
    case .odd(.reference): [("7", "1")]
    case .out(let loan): [("q", loan.until.day)]
    case .free, .aside, .inTransit, .odd(.inTransit): []
    }
  }

  var json: JSONValue {
    var rows: [JSONValue] = controls.map { .object(JSONObject([.init($0.tag, .string($0.text))])) }
    for field in fields {
      let parts = field.parts.map { part -> JSONValue in
        .object(JSONObject([.init(part.code, .string(part.text))]))
      }
      let value: JSONValue = [
        "ind1": .string(String(field.marks.prefix(1))),
        "ind2": .string(String(field.marks.suffix(1))), "subfields": .array(parts),
      ]
      rows.append(.object(JSONObject([.init(field.tag, value)])))
    }
    return ["leader": .string(leader), "fields": .array(rows)]
  }

  var xml: String {
    var text = "<record xmlns=\"http://www.loc.gov/MARC21/slim\"><leader>\(leader)</leader>"
    for control in controls {
      text += "<controlfield tag=\"\(control.tag)\">\(Self.escaped(control.text))</controlfield>"
    }
    for field in fields {
      text +=
        "<datafield tag=\"\(field.tag)\" ind1=\"\(field.marks.prefix(1))\" ind2=\"\(field.marks.suffix(1))\">"
      for part in field.parts {
        text += "<subfield code=\"\(part.code)\">\(Self.escaped(part.text))</subfield>"
      }
      text += "</datafield>"
    }
    return text + "</record>"
  }

  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
