import ProviderKit
import XML

/// §4.1: a page of MARCXML. Records that cannot be used are counted all the same, for the next page
/// is asked for by number.
struct WireMARCPage: Sendable {
  let received: Int
  let records: [WireMARC]

  init(received: Int, records: [WireMARC]) {
    (self.received, self.records) = (received, records)
  }

  /// Nil for anything but a collection. It is read generously, as long as it is whole: one bad
  /// character must not keep forty-nine good records away.
  init?(_ body: [UInt8]) {
    guard Self.isWhole(body), let root = try? WireXML(parsing: body, .recovering) else {
      return nil
    }
    if root.isNamed("record") {
      self.init(received: 1, records: [WireMARC(root)].compactMap(\.self))
    } else if root.isNamed("collection") {
      let all = root.all("record")
      // Where no record at all names anything, this is no catalogue: taken for pages without books it
      // would end in a library without any.
      guard all.isEmpty || all.contains(where: WireMARC.isNamed) else { return nil }
      self.init(received: all.count, records: all.compactMap { WireMARC($0) })
    } else {
      return nil
    }
  }

  /// A generous reader closes what was cut off, so the end has to be looked at first.
  private static func isWhole(_ body: [UInt8]) -> Bool {
    let end = String(decoding: body.suffix(200), as: UTF8.self).trimmingBlanks.lowercased()
    return ["collection>", "record>", "collection/>"].contains { end.hasSuffix($0) }
  }
}

struct WireMARC: Sendable {
  let itemID: String
  private let xml: WireXML

  /// Nil without exactly one id: 037 may name another title (§4.1).
  init?(_ xml: WireXML) {
    let ids = Self.ids(xml)
    guard ids.count == 1, let id = ids[0].words else { return nil }
    (itemID, self.xml) = (id, xml)
  }

  static func isNamed(_ xml: WireXML) -> Bool { !ids(xml).isEmpty }

  private static func ids(_ xml: WireXML) -> [WireXML] {
    xml.all("controlfield").filter { $0.attribute("tag") == "001" }
  }

  func control(_ tag: String) -> String? {
    // Its blanks count: language stands at a place in it.
    xml.all("controlfield").first { $0.attribute("tag") == tag }?.text
  }

  func fields(_ tag: String) -> [Field] {
    xml.all("datafield").filter { $0.attribute("tag") == tag }.map { Field(xml: $0) }
  }

  func first(_ tag: String, _ code: String) -> String? {
    fields(tag).lazy.compactMap { $0[code] }.first
  }

  struct Field: Sendable {
    let xml: WireXML

    subscript(code: String) -> String? {
      xml.all("subfield").first { $0.attribute("code") == code }?.words
    }
  }
}
