extension Rebuilding {
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  /// Nothing but white space.
  static func isBlank(_ node: Node) -> Bool {
    if case .text(let text) = node { text.utf8.allSatisfy(isSpace) } else { false }
  }

  /// Stands on lines of its own.
  static func isBlock(_ name: String) -> Bool {
    guard let role = Nesting.roles[name] else { return name == "br" || name == "body" }
    return role.contains(.endsParagraph) || !role.isDisjoint(with: .tableParts)
  }

  /// Text as it will read back: no characters that XML forbids, no carriage returns, no byte order
  /// marks.
  static func cleaned(_ text: String) -> String {
    let isClean = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0xEF || $0 == 0x0A || $0 == 0x09 }
    if isClean { return text }
    var cleaned = String.UnicodeScalarView()
    var followsReturn = false
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0D: cleaned.append("\n")
      case 0x0A: if !followsReturn { cleaned.append(scalar) }
      case 0..<0x20 where scalar.value != 0x09: break
      case 0xFFFE, 0xFFFF, 0xFEFF: break
      default: cleaned.append(scalar)
      }
      followsReturn = scalar.value == 0x0D
    }
    return String(cleaned)
  }

  /// The beginning of a text, cut between characters.
  static func clipped(_ text: String, to bytes: Int) -> String {
    guard text.utf8.count > bytes else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: max(0, bytes))
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
      end = text.utf8.index(before: end)
    }
    return String(text[..<end])
  }
}

extension AllowList.Realm {
  /// Nil for namespaces that are not for showing.
  init?(_ name: QualifiedName) {
    switch name.namespace {
    case nil, Namespaces.xhtml, Namespaces.dtbook: self = .html
    case Namespaces.svg: self = .svg
    case Namespaces.mathML: self = .math
    default: return nil
    }
  }

  /// The element that leads into it from HTML.
  var root: String {
    switch self {
    case .html: "html"
    case .svg: "svg"
    case .math: "math"
    }
  }
}
