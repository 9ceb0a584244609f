import Markup
import ProviderKit
import XML

/// Feeds as they come: with entities of HTML and bare ampersands, bytes that are not text, junk after their end.
enum XMLText {
  static func root(of body: [UInt8], charset: String?, _ tolerance: Document.Tolerance)
    throws(Document.Fault) -> Element
  {
    var options = XMLOptions.strict
    (options.entities, options.encodingFaults) = (.web, .repaired)
    (options.limits, options.charset) = (limits, charset)
    do throws(XMLError) { return try XMLDocument(body, options).root } catch {
      // What follows the end of the root is nobody's loss (§14.1).
      guard let whole = upToEnd(of: body) else { throw .torn("line \(error.line): not whole") }
      if let root = try? XMLDocument(whole, options).root { return root }
      guard tolerance == .mending else { throw .torn("line \(error.line): not well-formed") }
      options.tolerance = .recovering
      do throws(XMLError) { return try XMLDocument(whole, options).root } catch {
        throw .torn("line \(error.line): not well-formed")
      }
    }
  }

  /// A page of something; feeds nest a dozen levels at most.
  private static let limits = XMLLimits(bytes: 16 << 20, depth: 64, nodes: 500_000)

  /// The document without what stands behind the last end tag of its root; nil where there is none.
  static func upToEnd(of body: [UInt8]) -> [UInt8]? {
    let (open, close) = (UInt8(ascii: "<"), UInt8(ascii: ">"))
    var at = 0
    while at + 1 < body.count, !(body[at] == open && isLetter(body[at + 1])) { at += 1 }
    guard at + 1 < body.count else { return nil }
    let name = body[(at + 1)...].prefix { isLetter($0) || $0 == UInt8(ascii: ":") }
    let end = [open, UInt8(ascii: "/")] + name
    var from = body.count - end.count
    while from > at {
      if body[from] == open, body[from..<(from + end.count)].elementsEqual(end) {
        let rest = body[(from + end.count)...]
        guard let last = rest.firstIndex(of: close) else { return nil }
        return Array(body[...last])
      }
      from -= 1
    }
    return nil
  }

  /// Whether its first tag is that of a web page, which is seldom well-formed besides.
  static func isWebPage(_ body: [UInt8]) -> Bool {
    let open = UInt8(ascii: "<")
    let start = body.prefix(2000).indices.dropLast().first { index in
      body[index] == open && isLetter(body[index + 1])
    }
    guard let start else { return false }
    let name = body[(start + 1)...].prefix { isLetter($0) || $0 == UInt8(ascii: ":") }
    return String(decoding: name, as: UTF8.self).lowercased() == "html"
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// Elements as markup again, with the few attributes that mean something: whoever shows it builds
  /// it anew by an allow-list anyway.
  static func markup(_ content: [Content], depth: Int = 0) -> String {
    guard depth < 32 else { return "" }
    return content.map { part in
      switch part {
      case .text(let text): escaped(text)
      case .element(let element):
        "<\(element.name.local)\(link(element))>\(markup(element.children, depth: depth + 1))"
          + "</\(element.name.local)>"
      }
    }.joined()
  }

  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  private static func link(_ element: Element) -> String {
    guard let href = element["href"] else { return "" }
    return " href=\"\(escaped(href).replacing("\"", with: "&quot;"))\""
  }
}
