import Markup

extension String {
  /// As metadata is meant: white space collapsed, and without controls, which no title has and a
  /// terminal would obey.
  func cleaned(upTo limit: Int = Limits.metadata) -> String {
    if isClean(upTo: limit) { return self }
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

  /// As nearly all ids, addresses and names are: there is nothing to take out.
  private func isClean(upTo limit: Int) -> Bool {
    guard utf8.count < limit else { return false }
    var last = UInt8(ascii: " ")
    for byte in utf8 {
      guard byte > 0x20 || byte == 0x20 && last != 0x20, byte < 0x7F else { return false }
      last = byte
    }
    return last != 0x20 || isEmpty
  }

  /// The tokens of an attribute.
  var tokens: [String] {
    utf8.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0C || $0 == 0x0D }
      .map { String(Substring($0)) }
  }
}

extension String {
  /// Whether it is this name behind a prefix that was never declared.
  fileprivate func endsUndeclared(in name: String) -> Bool {
    utf8.contains(UInt8(ascii: ":")) && hasSuffix(":" + name)
  }
}

extension Element {
  /// An attribute whatever its namespace: prefixes are what books get wrong most.
  func any(_ local: String) -> String? {
    var found: String?
    for attribute in attributes where attribute.name.local == local {
      if attribute.name.namespace == nil { return attribute.value }
      found = found ?? attribute.value
    }
    return found ?? attributes.first { $0.name.local.endsUndeclared(in: local) }?.value
  }

  /// An identifier, trimmed; nil where it is empty.
  func trimmed(_ local: String) -> String? {
    any(local).map { $0.cleaned() }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The local name without a prefix that was never declared.
  var kind: String {
    guard let colon = name.local.utf8.lastIndex(of: UInt8(ascii: ":")) else { return name.local }
    return String(name.local[name.local.index(after: colon)...])
  }

  func all(_ kind: String) -> [Element] {
    children.compactMap {
      if case .element(let element) = $0, element.kind == kind { element } else { nil }
    }
  }

  func first(_ kind: String) -> Element? {
    for case .element(let element) in children where element.kind == kind { return element }
    return nil
  }

  func below(_ kind: String) -> [Element] {
    descendants { $0.local == kind || $0.local.endsUndeclared(in: kind) }
  }
}
