package import HTTPServer
import Markup
import XML

/// The same for answers in XML. They are written anew, with other prefixes and the same names.
extension Spoiling {
  /// The root has another's name.
  static func reshaped(_ root: Element) -> Element {
    Element(
      QualifiedName("Envelope", in: root.name.namespace), attributes: root.attributes,
      children: root.children)
  }

  /// Words where numbers are due, in texts and attributes.
  static func respelled(_ element: Element) -> Element {
    Element(
      element.name,
      attributes: element.attributes.map { attribute in
        isNumber(attribute.value) ? .init(attribute.name, word) : attribute
      },
      children: element.children.map { child in
        switch child {
        case .element(let inner): .element(respelled(inner))
        case .text(let text): .text(isNumber(text) ? word : text)
        }
      })
  }

  private static let word = "a good many"

  private static func isNumber(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
  }

  /// Records that stand side by side in another order: those of one name, below the root or below one
  /// of its children. What is no record keeps its place, as an author does.
  static func reordered(
    _ element: Element, _ random: inout SeededRandom, depth: Int = 0
  ) -> Element {
    var element = element
    var places: [QualifiedName: [Int]] = [:]
    for (index, child) in element.children.enumerated() {
      guard case .element(let inner) = child else { continue }
      if isRecord(inner) { places[inner.name, default: []].append(index) }
      if depth == 0 { element.children[index] = .element(reordered(inner, &random, depth: 1)) }
    }
    for indices in places.values.sorted(by: { $0[0] < $1[0] }) where indices.count > 1 {
      let old = indices.map { element.children[$0] }
      var new = old.shuffled(using: &random)
      if new == old { new.reverse() }
      for (index, child) in zip(indices, new) { element.children[index] = child }
    }
    return element
  }

  private static func isRecord(_ element: Element) -> Bool {
    element.children.count { if case .element = $0 { true } else { false } } > 1
  }

  /// A byte order mark in front, a long comment, and blanks at the end.
  static func padded(_ document: XMLBody, by count: Int) -> [UInt8] {
    let (comment, blanks) = (count / 2, count - count / 2)
    let filling = [UInt8](repeating: UInt8(ascii: "a"), count: comment)
    return [0xEF, 0xBB, 0xBF] + Array(XMLBody.declaration.utf8) + Array("<!--".utf8) + filling
      + Array("-->".utf8) + document.bytes.dropFirst(XMLBody.declaration.utf8.count)
      + [UInt8](repeating: UInt8(ascii: " "), count: blanks)
  }
}

/// The body of an answer that is XML, and no page.
struct XMLBody {
  static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
  private(set) var root: Element

  init?(_ response: Response) {
    let bytes = response.wholeBody
    guard let first = bytes.first(where: { $0 > 0x20 }), [0x3C, 0xEF].contains(first),
      let document = try? XMLDocument(bytes), document.root.name.local.lowercased() != "html"
    else { return nil }
    root = document.root
  }

  func with(_ change: (Element) -> Element) -> XMLBody {
    var body = self
    body.root = change(root)
    return body
  }

  var bytes: [UInt8] {
    var out = Self.declaration
    Self.write(root, inside: nil, to: &out)
    return Array(out.utf8)
  }

  private static func write(_ element: Element, inside namespace: String?, to out: inout String) {
    out += "<\(element.name.local)"
    if element.name.namespace != namespace {
      out += " xmlns=\"\(escaped(element.name.namespace ?? ""))\""
    }
    for (index, attribute) in element.attributes.enumerated() {
      let name = attribute.name.local
      switch attribute.name.namespace {
      case nil: out += " \(name)"
      case Namespaces.xml?: out += " xml:\(name)"
      case let other?: out += " xmlns:n\(index)=\"\(escaped(other))\" n\(index):\(name)"
      }
      out += "=\"\(escaped(attribute.value))\""
    }
    guard !element.children.isEmpty else {
      out += "/>"
      return
    }
    out += ">"
    for child in element.children {
      switch child {
      case .text(let text): out += escaped(text)
      case .element(let inner): write(inner, inside: element.name.namespace, to: &out)
      }
    }
    out += "</\(element.name.local)>"
  }

  private static func escaped(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "\t", "\n", "\r": out += "&#\(scalar.value);"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}
