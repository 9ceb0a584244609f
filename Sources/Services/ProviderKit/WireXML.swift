package import Markup
package import XML

/// One element of an answer in XML, read the way its service meant it: names without namespaces and
/// in whatever case, text without the blanks around it, an empty element like a missing one.
package struct WireXML: Sendable, Hashable {
  package let element: Element

  package init(_ element: Element) { self.element = element }

  /// The root of an answer. A document that is cut off or torn is refused even when it could be
  /// mended: half a shelf would pass for a whole one. What it may do is use the entities of HTML and
  /// hold bytes that are not text, which a blurb does now and then.
  /// `.recovering` mends what is torn, for catalogs of which one bad record must not keep the rest;
  /// it also closes what is cut off, so whoever asks for it has to look at the end first.
  package init(
    parsing body: [UInt8], _ tolerance: XMLOptions.Tolerance = .strict, charset: String? = nil
  ) throws(XMLError) {
    var options = XMLOptions.strict
    (options.entities, options.encodingFaults) = (.xhtml, .repaired)
    (options.tolerance, options.limits, options.charset) = (tolerance, Self.limits, charset)
    // Some services begin with an empty line, which a declaration may not follow.
    let start = body.firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? body.endIndex
    element = try XMLDocument(Array(body[start...]), options).root
  }

  /// An answer is a page of something; the interfaces nest a dozen levels at most.
  private static let limits = XMLLimits(bytes: 16 << 20, depth: 64, nodes: 500_000)

  package var name: String { Self.local(element.name) }

  package func isNamed(_ name: String) -> Bool { Self.matches(element.name, name) }

  // MARK: - What is inside

  /// The first child of that name.
  package subscript(name: String) -> WireXML? {
    for case .element(let child) in element.children where Self.matches(child.name, name) {
      return WireXML(child)
    }
    return nil
  }

  package var children: [WireXML] { element.elements.map { WireXML($0) } }

  package func all(_ name: String) -> [WireXML] { children.filter { $0.isNamed(name) } }

  /// The children of one name within the child of another: `list("Item", in: "Holds")`.
  package func list(_ name: String, in list: String) -> [WireXML] { self[list]?.all(name) ?? [] }

  /// All below this one, however deep, in the order of the document.
  package func everywhere(_ name: String) -> [WireXML] {
    element.descendants { Self.matches($0, name) }.map { WireXML($0) }
  }

  package func attribute(_ name: String) -> String? {
    element.attributes.first { Self.matches($0.name, name) }?.value.trimmingBlanks
  }

  // MARK: - What it says

  /// Blanks and all.
  package var text: String { element.text }

  /// A text with something in it. `nil="true"` is how some services write that there is none.
  package var words: String? {
    guard attribute("nil")?.lowercased() != "true" else { return nil }
    let text = text.trimmingBlanks
    return text.isEmpty ? nil : text
  }

  package var whole: Int? { words.flatMap { Int($0.filter { $0 != "," && $0 != " " }) } }

  package var decimal: Double? { words.flatMap { Double($0) } }

  package var flag: Bool? {
    switch words?.lowercased() {
    case "true", "yes", "1", "y": true
    case "false", "no", "0", "n": false
    default: nil
    }
  }

  package func words(_ name: String) -> String? { self[name]?.words }
  package func whole(_ name: String) -> Int? { self[name]?.whole }
  package func flag(_ name: String) -> Bool? { self[name]?.flag }

  // MARK: - Names

  /// A prefix that nobody declared is still part of what the parser calls the name.
  private static func local(_ name: QualifiedName) -> String {
    guard let colon = name.local.lastIndex(of: ":") else { return name.local }
    return String(name.local[name.local.index(after: colon)...])
  }

  /// Byte by byte and without a copy: every field of every title is looked up by this. Names are
  /// ASCII in all interfaces, so their case is folded as ASCII.
  private static func matches(_ name: QualifiedName, _ wanted: String) -> Bool {
    let (own, other) = (name.local.utf8, wanted.utf8)
    let spare = own.count - other.count
    guard spare >= 0 else { return false }
    // What is more than asked for must be a prefix.
    if spare > 0, own.dropFirst(spare - 1).first != UInt8(ascii: ":") { return false }
    return zip(own.dropFirst(spare), other).allSatisfy { folded($0) == folded($1) }
  }

  private static func folded(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}
