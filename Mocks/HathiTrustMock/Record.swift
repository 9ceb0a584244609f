import JSON
import MockKit

/// One catalogue record with its volumes, made of a title.
struct Record {
  let title: Title
  let number: String

  init(_ title: Title) { (self.title, number) = (title, title.id) }

  /// Numbers of its own that other services know the book by; fixed by the record's.
  var oclc: String {
    var random = SeededRandom(seed: 0, for: "oclc \(number)")
    return "4" + random.digits(7)
  }

  var lccn: String {
    var random = SeededRandom(seed: 0, for: "lccn \(number)")
    return "6" + random.digits(7)
  }

  struct Volume {
    let id: String
    let part: String?
    let rights: String
  }

  var volumes: [Volume] {
    let told: [String]
    switch title.copies {
    case .counted(0): told = ["ic"]
    default: told = title.formats.isEmpty ? ["pd"] : title.formats
    }
    return told.enumerated().map { place, text in
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      return Volume(
        id: "mdp.39015\(number)\(place)", part: parts.count == 2 ? parts[0] : nil,
        rights: parts.last ?? "und")
    }
  }

  // MARK: - As it is told

  func json(_ detail: String, _ base: String) -> JSONValue {
    let words = [title.name, title.subtitle].compactMap(\.self).joined(separator: " : ")
    let by = title.authors.isEmpty ? "" : " / by \(title.authors.joined(separator: " and "))"
    var object: JSONObject = [
      "recordURL": .string("\(base)/Record/\(number)"),
      "titles": [.string(words + by + ".")],
      "isbns": title.isbn.isEmpty ? [] : [.string(title.isbn)], "issns": [],
      "oclcs": [.string(oclc)], "lccns": [.string(lccn)],
      "publishDates": [.string(String(title.published.prefix(4)))],
    ]
    if detail == "full" { object["marc-xml"] = .string(marc) }
    return .object(object)
  }

  func items(_ base: String) -> [JSONValue] {
    volumes.map { volume in
      let isOpenInUS =
        ["pd", "pdus", "ic-world", "und-world"].contains(volume.rights)
        || volume.rights.hasPrefix("cc-")
      return [
        "orig": "University of Michigan", "fromRecord": .string(number),
        "htid": .string(volume.id),
        "itemURL": .string("\(base)/cgi/pt?id=\(volume.id)"),
        "rightsCode": .string(volume.rights), "lastUpdate": "20240101",
        "enumcron": volume.part.map(JSONValue.string) ?? false,
        "usRightsString": .string(isOpenInUS ? "Full view" : "Limited (search-only)"),
      ]
    }
  }

  private var marc: String {
    let languages = ["en": "eng", "fr": "fre", "de": "ger", "es": "spa", "zh": "chi"]
    let language = languages[title.language] ?? "und"
    let year = String(title.published.prefix(4))
    var fields = [
      "<leader>00000cam a2200000 a 4500</leader>",
      "<controlfield tag=\"001\">\(number)</controlfield>",
      "<controlfield tag=\"008\">850101s\(year)    miu           000 1 \(language)  </controlfield>",
    ]
    let by = title.authors.joined(separator: " and ")
    var names = [("a", title.name + (title.subtitle == nil ? " /" : " :"))]
    if let subtitle = title.subtitle { names.append(("b", "\(subtitle) /")) }
    names.append(("c", "by \(by)."))
    fields.append(
      Self.field("245", title.name.hasPrefix("The ") ? "4" : "0", names))
    for (place, name) in title.authors.enumerated() {
      let filed = ("a", Self.filed(name) + ",")
      fields.append(
        place == 0
          ? Self.field("100", " ", [filed]) : Self.field("700", " ", [filed, ("e", "author.")]))
    }
    fields.append(Self.field("260", " ", [("b", "\(title.publisher),"), ("c", "\(year).")]))
    fields += title.subjects.map { Self.field("650", "0", [("a", "\($0).")]) }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
      + "<collection xmlns=\"http://www.loc.gov/MARC21/slim\"><record>\(fields.joined())"
      + "</record></collection>"
  }

  private static func field(_ tag: String, _ second: String, _ parts: [(String, String)]) -> String
  {
    let inner = parts.map { code, text in
      "<subfield code=\"\(code)\">\(escaped(text))</subfield>"
    }
    return "<datafield tag=\"\(tag)\" ind1=\"1\" ind2=\"\(second)\">\(inner.joined())</datafield>"
  }

  private static func filed(_ name: String) -> String {
    guard let gap = name.lastIndex(of: " ") else { return name }
    return "\(name[name.index(after: gap)...]), \(name[..<gap])"
  }

  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
