import HTTP
import HTTPServer
import Markup
import MockKit

/// The feed of MARC records: numbered from 1, at most 50, and an empty body where there are none.
extension Visit {
  func marc(_ library: MockLibrary) throws(Failure) -> Response {
    guard let start = Self.moment(request.query["startdate"]) else { throw .malformed }
    let end = Self.moment(request.query["enddate"]) ?? now
    let offset = request.query["offset"].flatMap { Int($0) } ?? 1
    let limit = min(request.query["limit"].flatMap { Int($0) } ?? 50, 50)
    guard offset > 0, limit > 0 else { throw .malformed }
    let bought = library.lending.order.compactMap { library.lending.titles[$0] }
      .filter { $0.added >= start && $0.added <= end }
    return Self.collection(bought.dropFirst(offset - 1).prefix(limit).map { record($0) })
  }

  func marcRecord(_ id: String, _ library: MockLibrary) throws(Failure) -> Response {
    guard let title = library.lending.titles[id] else { throw .notFound }
    return Self.collection([record(title)])
  }

  /// With or without a time; never with a zone.
  static func moment(_ text: String?) -> Moment? {
    guard let text else { return nil }
    return Moment(text) ?? Moment(text + "Z")
  }

  private static func collection(_ records: [Node]) -> Response {
    guard !records.isEmpty else { return .nothing }
    var writer = XMLWriter()
    writer.begin(
      "marc:collection", Attribute("xmlns:marc", "http://www.loc.gov/MARC21/slim"))
    for record in records {
      writer.write(record)
      // A stray character between records, as it comes.
      if record == records[0] { writer.write(.text(">")) }
    }
    return .cirrus(writer.finish())
  }

  private func record(_ title: Title) -> Node {
    let added = title.added.text.filter(\.isNumber)
    let language = Self.languages[title.language] ?? "eng"
    var nodes = [
      tag("marc:leader") { [.text("01034nam a22002413a 4500")] }, control("001", title.id),
      control("003", "MnSpTMCL"), control("005", "\(added.prefix(14)).0"),
      control(
        "008",
        "\(added.prefix(8).suffix(6))s\(title.published.prefix(4))||||||||||||o|||||||||||\(language)|d"
      ),
      field("020", [("a", title.isbn)]),
      // It names another title than 001 does.
      field("037", [("a", "other\(title.id.prefix(2))9"), ("b", "cloudLibrary")]),
    ]
    for subject in title.subjects {
      nodes.append(field("650", [("a", "\(subject.uppercased())|General|"), ("2", "bisacsh")]))
    }
    for (index, author) in title.authors.enumerated() {
      let name = Self.inverted(author) + "."
      nodes.append(field(index == 0 ? "100" : "700", [("a", name), ("4", "aut")]))
    }
    nodes.append(
      field("245", [("a", title.name + " :"), ("b", (title.subtitle ?? "A Novel") + "/")]))
    nodes.append(
      field("260", [("b", title.publisher + ","), ("c", title.published.prefix(4) + ".")]))
    if let series = title.series { nodes.append(field("490", [("a", series)])) }
    nodes += [
      field("520", [("a", "A story told before.")]),
      field("538", [("a", "Format: Adobe \(title.formats.first ?? "EPUB")")]),
      field("655", [("a", "Electronic books.")]), field("710", [("a", "Cloud")]),
      field("856", [("3", "Cover Image"), ("u", cover(title)), ("x", libraryID)]),
    ]
    return tag("marc:record", attributes: [], children: nodes)
  }

  private func control(_ number: String, _ text: String) -> Node {
    tag("marc:controlfield", Attribute("tag", number)) { [.text(text)] }
  }

  private func field(_ number: String, _ subfields: [(String, String)]) -> Node {
    tag(
      "marc:datafield",
      attributes: [Attribute("tag", number), Attribute("ind1", " "), Attribute("ind2", " ")],
      children: subfields.map { code, text in
        tag("marc:subfield", Attribute("code", code)) { [.text(text)] }
      })
  }

  private static let languages = ["en": "eng", "fr": "fre", "de": "ger", "es": "spa", "zh": "chi"]
}
