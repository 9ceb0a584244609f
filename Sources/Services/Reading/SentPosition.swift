import Circulation
import JSON
import ProviderKit

/// Positions as apps send them.
extension Position {
  private static let longest = 64 << 10
  private static let koreader = "koreader:"

  /// What KOReader calls a document.
  package static func koreader(_ document: String) -> String { koreader + document }

  package var koreaderDocument: String? {
    // By scalars: a name that begins with a combining mark joins the colon to one character.
    let (name, prefix) = (document.unicodeScalars, Self.koreader.unicodeScalars)
    return name.starts(with: prefix) ? String(name.dropFirst(prefix.count)) : nil
  }

  /// KOReader's own JSON. It tells no time.
  package init?(koreader body: [UInt8]) {
    guard body.count <= Self.longest, let json = try? JSONValue(parsing: body, by: .tolerant),
      let document = json["document"]?.string, let percentage = json["percentage"]?.double,
      let place = json["progress"]?.string ?? json["progress"]?.double.map({ "\($0)" }),
      place.utf8.count <= PatronLimits.standard.positionOfApp
    else { return nil }
    self.init(
      document: Self.koreader(document), progress: percentage, place: place,
      device: json["device"]?.string ?? "KOReader", deviceID: json["device_id"]?.string ?? "",
      at: 0)
  }

  /// A document of OPDS Progression. The fragments of a place are kept as lines; two spellings of their
  /// key are published.
  package init?(progression body: [UInt8], in work: String) {
    guard body.count <= Self.longest, let json = try? JSONValue(parsing: body, by: .tolerant),
      let modified = json["modified"]?.string.flatMap(WireDate.instant),
      let progress = json["progression"]?.double,
      let id = json["device"]?["id"]?.string
    else { return nil }
    let references = json["references"]?.array ?? json["refs"]?.array ?? []
    let place = references.compactMap(\.string).joined(separator: "\n")
    guard place.utf8.count <= PatronLimits.standard.positionOfApp else { return nil }
    self.init(
      document: work, progress: progress, place: place,
      device: json["device"]?["name"]?.string ?? id, deviceID: id,
      title: json["title"]?.string, at: modified.milliseconds)
  }
}
