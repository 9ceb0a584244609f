import Circulation
import HTTP
import JSON
import Markup
import ProviderKit
import XML

/// One answer in either of its languages, with the verdict that stands in it (§4). The verdict counts
/// for more than the status of HTTP.
struct WireAnswer: Sendable {
  enum Content: Sendable {
    case xml(WireXML)
    case json(JSONValue)
  }

  let content: Content
  /// As written: digits, if all is well. Nil where there is none.
  let code: String?
  let message: String?
  let retryAfter: Duration?
  let status: Int

  /// Nil for what is neither.
  init?(status: Int, body: [UInt8], charset: String?, retryAfter: Duration?) {
    guard let content = Content(body, charset) else { return nil }
    (self.content, self.status, self.retryAfter) = (content, status, retryAfter)
    switch content {
    case .xml(let root):
      let verdict = Self.verdict(in: root)
      (code, message) = (verdict?.words("code"), verdict?.words("statusMessage"))
    case .json(let json):
      let verdict = json.any("Status")
      let complaints = (json.any("Messages")?.elements ?? []).compactMap(\.words)
      code =
        (verdict?.any("Code") ?? json.any("ReturnCode"))
        .flatMap { $0.words ?? $0.integer.map(String.init) }
      message =
        verdict?.any("Message")?.words
        ?? (complaints.isEmpty ? nil : complaints.joined(separator: " "))
    }
  }

  var xml: WireXML? { if case .xml(let root) = content { root } else { nil } }
  var json: JSONValue? { if case .json(let json) = content { json } else { nil } }

  /// Nil for a code that is no number.
  var number: Int? { code.flatMap { Int($0) } }

  /// The verdict of the document or of its result. A title may hold a `status` of its own that has
  /// no code, so the first one anywhere would be the wrong one (§12.33).
  private static func verdict(in root: WireXML) -> WireXML? {
    if let own = root.all("status").first(where: { $0["code"] != nil }) { return own }
    for result in root.children where !result.isNamed("title") {
      if let found = result.all("status").first(where: { $0["code"] != nil }) { return found }
    }
    return nil
  }
}

extension WireAnswer.Content {
  init?(_ body: [UInt8], _ charset: String?) {
    let first = body.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    switch first {
    case UInt8(ascii: "{"):
      guard let json = try? JSONValue(parsing: body, by: .tolerant), json.object != nil else {
        return nil
      }
      self = .json(json)
    case nil: return nil
    default:
      guard let xml = Self.xml(body, charset) else { return nil }
      self = .xml(xml)
    }
  }

  /// Stray bytes and bare ampersands occur in blurbs and are mended (§4), but only in a document that
  /// is there to its end: half a shelf must not pass for a whole one.
  private static func xml(_ body: [UInt8], _ charset: String?) -> WireXML? {
    do throws(XMLError) { return try WireXML(parsing: body, charset: charset) } catch {
      guard isWhole(body) else { return nil }
    }
    return try? WireXML(parsing: body, .recovering, charset: charset)
  }

  /// Whether it ends with the end of what it began with.
  private static func isWhole(_ body: [UInt8]) -> Bool {
    let text = String(decoding: body.suffix(200), as: UTF8.self)
    guard let end = text.ranges(of: "</").last else { return false }
    let name = text[end.upperBound...].prefix { $0 != ">" }
    guard text[end.upperBound...].dropFirst(name.count).allSatisfy({ $0 == ">" || $0.isWhitespace })
    else { return false }
    let head = String(decoding: body.prefix(400), as: UTF8.self)
    return !name.isEmpty && head.contains("<\(name)")
  }
}

extension JSONValue {
  /// Names come in two spellings: `Status` and `status` (§4).
  func any(_ name: String) -> JSONValue? {
    self[name] ?? object?.members.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
