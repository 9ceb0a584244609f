import Circulation
import JSON
import Machine
import Phrasebook
import Text

/// One or several facts as they go out together, in the tongue of the moment, which is their reader's.
struct Message: Sendable {
  /// The same for each try, so that who gets it twice can drop it.
  let id: String
  let facts: [KeptFact]
  let site: String?
  /// Whether titles may be named.
  let tellsTitles: Bool
  let east: Clockwork

  /// One line without any title: it is seen on locked screens and in lists.
  var title: String {
    guard facts.count == 1, let only = facts.first else {
      return counted(
        facts.count, one: "\(facts.count) notice", many: "\(facts.count) notices")
    }
    return wording(of: only, tellsTitles: false).title
  }

  var body: String {
    let lines = facts.map { wording(of: $0, tellsTitles: tellsTitles).body }
    return lines.count == 1 ? lines[0] : lines.map { "- \($0)" }.joined(separator: "\n")
  }

  private func wording(of kept: KeptFact, tellsTitles: Bool) -> Wording {
    Wording(kept.fact, tellsTitles: tellsTitles, east)
  }

  /// Below the text of a letter.
  static var footing: String {
    said(
      """
      You asked Carrel for this. carrel notify ls shows the channels, carrel notify rm ends one.
      """)
  }

  /// Where something can be done about it.
  var address: String? { site }

  /// The time by which all of it would be too late.
  var until: Int64? {
    let ends = facts.compactMap(\.fact.until)
    return ends.count == facts.count ? ends.max() : nil
  }

  var isPressing: Bool {
    facts.contains { [.holdReady, .holdExpiring, .wishAvailable].contains($0.fact.kind) }
  }

  /// One part of a short message: 160 signs that every telephone knows.
  var shortText: String {
    for candidate in [body, title] {
      let text = Self.plain("Carrel: " + candidate.replacing("\n", with: " "))
      if text.utf8.count <= 160 { return text }
    }
    return String(Self.plain("Carrel: " + title).prefix(160))
  }

  static func plain(_ text: String) -> String {
    var folding = Folding(keeping: .letterCase)
    let extended = Array("^{}[]~|\\`".utf8)
    let bytes = folding.query(text).map { byte in
      byte >= 0x80 || byte < 0x20 || extended.contains(byte) ? UInt8(ascii: "?") : byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// For programs.
  var json: JSONValue {
    .object(
      JSONObject([
        .init("id", .string(id)),
        .init("type", .string(facts.count == 1 ? facts[0].fact.kind.event : "digest")),
        .init("created", .string(Self.moment(facts.map(\.toldAt).min() ?? 0))),
        .init(
          "data",
          ["notices": .array(facts.map(json(of:)))]),
      ]))
  }

  private func json(of kept: KeptFact) -> JSONValue {
    let (fact, matter) = (kept.fact, kept.fact.matter)
    return [
      "kind": .string(fact.kind.rawValue),
      "text": .string(wording(of: kept, tellsTitles: tellsTitles).body),
      "title": JSONValue(tellsTitles ? matter.title : nil),
      "library": JSONValue(matter.library), "card": JSONValue(matter.card),
      "format": JSONValue(matter.format), "pickup": JSONValue(matter.pickup),
      "deed": JSONValue(matter.deed),
      "until": JSONValue(fact.until.map(Self.moment)),
      "told_at": .string(Self.moment(kept.toldAt)),
    ]
  }

  private static func moment(_ milliseconds: Int64) -> String {
    Timestamp(millisecondsSinceEpoch: milliseconds).rfc3339()
  }
}
