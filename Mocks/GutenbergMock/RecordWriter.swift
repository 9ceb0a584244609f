import Markup
import MockKit

/// One record as the site writes it; odd ones as it once did, or does now and then.
struct RecordWriter {
  enum Make: CaseIterable {
    case plain, lineBreak, marked, untitled, ancient, twoRoles, twoLanguages, copyrighted, noFiles
    case flat

    static func ofNumber(_ number: Int) -> Make { allCases[number % allCases.count] }
  }

  private let title: Title
  private let number: Int
  private let make: Make

  init(_ title: Title, _ number: Int, _ make: Make) {
    (self.title, self.number, self.make) = (title, number, make)
  }

  /// `Marit Ostrander` is filed as `Ostrander, Marit`.
  static func inverted(_ name: String) -> String {
    guard let gap = name.lastIndex(of: " ") else { return name }
    return "\(name[name.index(after: gap)...]), \(name[..<gap])"
  }

  var text: String {
    let roles = make == .flat ? "relators" : "relators/"
    var lines = [
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>",
      "<rdf:RDF xml:base=\"http://www.gutenberg.org/\"",
      "  xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"",
      "  xmlns:marcrel=\"http://id.loc.gov/vocabulary/\(roles)\"",
      "  xmlns:dcterms=\"http://purl.org/dc/terms/\"",
      "  xmlns:dcam=\"http://purl.org/dc/dcam/\"",
      "  xmlns:pgterms=\"http://www.gutenberg.org/2009/pgterms/\"",
      "  xmlns:cc=\"http://web.resource.org/cc/\">",
      "<pgterms:ebook rdf:about=\"ebooks/\(number)\">",
    ]
    lines += book
    lines.append("</pgterms:ebook>")
    if make == .flat { lines += agents + files }
    lines += [
      "<cc:Work rdf:about=\"\"><cc:license "
        + "rdf:resource=\"https://creativecommons.org/publicdomain/zero/1.0/\"/></cc:Work>",
      "</rdf:RDF>", "",
    ]
    return lines.joined(separator: "\n")
  }

  private var book: [String] {
    var lines = [
      "<dcterms:publisher>Project Gutenberg</dcterms:publisher>",
      "<dcterms:license rdf:resource=\"license\"/>",
      "<dcterms:issued rdf:datatype=\"http://www.w3.org/2001/XMLSchema#date\">"
        + "\(title.added.date)</dcterms:issued>",
      "<dcterms:rights>" + rights + "</dcterms:rights>",
      "<pgterms:downloads>\(title.popularity)</pgterms:downloads>",
    ]
    if make != .untitled { lines.append("<dcterms:title>\(escaped(name))</dcterms:title>") }
    lines += hands
    let languages = make == .twoLanguages ? [title.language, "la"] : [title.language]
    lines += languages.map { described("dcterms:language", nil, $0) }
    lines += title.subjects.map {
      described("dcterms:subject", "http://purl.org/dc/terms/LCSH", $0)
    }
    lines.append(described("dcterms:subject", "http://purl.org/dc/terms/LCC", "PR"))
    lines.append(described("pgterms:bookshelf", "2009/pgterms/Bookshelf", "Category: Novels"))
    lines.append(described("dcterms:type", "http://purl.org/dc/terms/DCMIType", type))
    if !title.isbn.isEmpty { lines.append("<pgterms:marc020>\(title.isbn)</pgterms:marc020>") }
    if !title.summary.isEmpty {
      lines.append("<pgterms:marc520>\(escaped(title.summary))</pgterms:marc520>")
    }
    if make == .flat {
      lines += addresses.map { "<dcterms:hasFormat rdf:resource=\"\($0.0)\"/>" }
    } else {
      lines += files.map { "<dcterms:hasFormat>\($0)</dcterms:hasFormat>" }
    }
    return lines
  }

  private var name: String {
    guard let subtitle = title.subtitle else { return title.name }
    switch make {
    case .lineBreak: return "\(title.name)\r\n\(subtitle)"
    case .marked: return "\(title.name) : $b \(subtitle)"
    default: return "\(title.name)\n\(subtitle)"
    }
  }

  private var rights: String {
    make == .copyrighted
      ? "Copyrighted. Read the copyright notice inside this book for details."
      : "Public domain in the USA."
  }

  private var type: String { title.medium == "audiobook" ? "Sound" : "Text" }

  // MARK: - People

  private var hands: [String] {
    let people = title.authors.indices.map { index in
      make == .flat
        ? "<dcterms:creator rdf:resource=\"2009/agents/\(number * 10 + index)\"/>"
        : "<dcterms:creator>\(agents[index])</dcterms:creator>"
    }
    guard make == .twoRoles else { return people }
    // The second time by reference alone, and before the first.
    return ["<marcrel:trl rdf:resource=\"2009/agents/\(number * 10)\"/>"] + people
  }

  private var agents: [String] {
    title.authors.enumerated().map { index, name in
      let years =
        make == .ancient
        ? "<pgterms:birthdate>-99</pgterms:birthdate><pgterms:deathdate>-43</pgterms:deathdate>"
        : "<pgterms:birthdate>1832</pgterms:birthdate>"
      return "<pgterms:agent rdf:about=\"2009/agents/\(number * 10 + index)\">"
        + "<pgterms:name>\(escaped(Self.inverted(name)))</pgterms:name>\(years)</pgterms:agent>"
    }
  }

  // MARK: - Files

  private var addresses: [(String, String)] {
    guard make != .noFiles else { return [] }
    let site = "https://www.gutenberg.org"
    var all = [
      ("\(site)/ebooks/\(number).rdf", "application/rdf+xml"),
      ("\(site)/cache/epub/\(number)/pg\(number).cover.medium.jpg", "image/jpeg"),
      ("\(site)/cache/epub/\(number)/pg\(number)-h.zip", "application/zip"),
    ]
    guard type != "Sound" else {
      return all + [("\(site)/files/\(number)/\(number)-m.mp3", "application/octet-stream")]
    }
    let formats = title.formats.isEmpty ? ["txt"] : title.formats
    if formats.contains("epub") {
      all += ["epub3.images", "epub.images", "epub.noimages"].map {
        ("\(site)/ebooks/\(number).\($0)", "application/epub+zip")
      }
    }
    return all + [("\(site)/ebooks/\(number).txt.utf-8", "text/plain; charset=utf-8")]
  }

  private var files: [String] {
    addresses.map { address, type in
      let types = type == "application/zip" ? ["application/octet-stream", type] : [type]
      return "<pgterms:file rdf:about=\"\(address)\">"
        + "<dcterms:isFormatOf rdf:resource=\"ebooks/\(number)\"/>"
        + "<dcterms:extent>\(1000 + number)</dcterms:extent>"
        + "<dcterms:modified>\(title.changed.text.dropLast())</dcterms:modified>"
        + types.map { described("dcterms:format", "http://purl.org/dc/terms/IMT", $0) }.joined()
        + "</pgterms:file>"
    }
  }

  private func described(_ name: String, _ scheme: String?, _ value: String) -> String {
    if make == .flat, name == "dcterms:language" {
      return "<\(name) rdf:datatype=\"http://purl.org/dc/terms/RFC4646\">\(value)</\(name)>"
    }
    let member = scheme.map { "<dcam:memberOf rdf:resource=\"\($0)\"/>" } ?? ""
    return "<\(name)><rdf:Description>\(member)<rdf:value>\(escaped(value))</rdf:value>"
      + "</rdf:Description></\(name)>"
  }

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\r", with: "&#13;")
  }
}
