import Markup

extension String {
  /// As metadata is meant: white space collapsed, and without controls, which no title has and a
  /// terminal would obey.
  func cleaned(upTo limit: Int = Limits.metadata) -> String {
    var text = ""
    var isGap = false
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0A, 0x0C, 0x0D, 0x20: isGap = !text.isEmpty
      case ..<0x20, 0x7F...0x9F: continue
      default:
        if isGap { text.append(" ") }
        isGap = false
        text.unicodeScalars.append(scalar)
      }
      if text.utf8.count >= limit { break }
    }
    return text
  }

  /// The tokens of an attribute.
  var tokens: [String] {
    utf8.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0C || $0 == 0x0D }
      .map { String(Substring($0)) }
  }
}

extension Element {
  /// An attribute whatever its namespace: prefixes are what books get wrong most.
  func any(_ local: String) -> String? {
    self[local] ?? attributes.first { $0.name.local == local }?.value
      ?? attributes.first { $0.name.local.hasSuffix(":" + local) }?.value
  }

  /// An identifier, trimmed; nil where it is empty.
  func trimmed(_ local: String) -> String? {
    any(local).map { $0.cleaned() }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The local name without a prefix that was never declared.
  var kind: String {
    guard let colon = name.local.lastIndex(of: ":") else { return name.local }
    return String(name.local[name.local.index(after: colon)...])
  }

  func all(_ kind: String) -> [Element] { elements.filter { $0.kind == kind } }

  func first(_ kind: String) -> Element? {
    for case .element(let element) in children where element.kind == kind { return element }
    return nil
  }

  func below(_ kind: String) -> [Element] {
    descendants { $0.local == kind || $0.local.hasSuffix(":" + kind) }
  }
}
