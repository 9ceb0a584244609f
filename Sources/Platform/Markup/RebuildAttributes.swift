extension Rebuilding {
  private static let longestValue = 16 << 10
  private static let longestDrawing = 512 << 10

  /// The attributes that stay; nil when one is missing that the element makes no sense without.
  func attributes(of element: Element, by rule: AllowList.Rule, in realm: AllowList.Realm)
    -> [Attribute]?
  {
    var kept: [Attribute] = []
    for attribute in element.attributes {
      guard let key = Rebuilding.key(of: attribute.name, in: realm),
        let allowed = rule.attributes[key] ?? list.common.attributes[key],
        !kept.contains(where: { $0.name == allowed.name })
      else { continue }
      let value = Rebuilding.cleaned(attribute.value)
      if case .link = allowed.value {
        kept += link(value, as: allowed.name)
      } else if let value = self.value(value, by: allowed.value) {
        kept.append(Attribute(allowed.name, value))
      }
    }
    if let needed = rule.needed, !kept.contains(where: { $0.name.description == needed }) {
      return nil
    }
    return kept + rule.fixed
  }

  /// The spelling under which a list knows an attribute, whether it came from XML or from HTML.
  private static func key(of name: QualifiedName, in realm: AllowList.Realm) -> String? {
    let local = name.local.lowercased()
    switch name.namespace {
    case nil: return local
    case Namespaces.xml: return "xml:" + local
    case Namespaces.xlink: return realm == .svg && local == "href" ? local : nil
    case "http://www.idpf.org/2007/ops": return "epub:" + local
    default: return nil
    }
  }

  private func link(_ raw: String, as name: Name) -> [Attribute] {
    guard let address = Address(raw)?.absolute, address.text.utf8.count <= Rebuilding.longestValue,
      isAllowed(address, schemes: list.schemes),
      let link = list.link(renamed(address)), !Address.runsScript(link.href)
    else { return [] }
    return [
      Attribute(name, link.href), Attribute("rel", link.rel), Attribute("target", link.target),
    ].filter { $0.value != .absent }
  }

  private func isAllowed(_ address: Address, schemes: Set<String>) -> Bool {
    address.scheme.map(schemes.contains) ?? list.allowsRelative
  }

  private func renamed(_ address: Address) -> Address {
    guard let fragment = address.fragment, case .prefixed = list.identifiers,
      let renamed = renamed(fragment, by: list.identifiers), let own = Address("#" + renamed)
    else { return address }
    return own
  }

  private func value(_ value: String, by rule: AllowList.ValueRule) -> String? {
    let bytes = value.utf8
    if case .drawing = rule { return Rebuilding.isDrawing(value) ? value : nil }
    if case .image = rule { return image(value) }
    if case .style = rule {
      return bytes.count <= Rebuilding.longestDrawing ? list.style(value) : nil
    }
    guard bytes.count <= Rebuilding.longestValue else { return nil }
    switch rule {
    case .text: return value
    case .identifier: return renamed(value, by: list.identifiers)
    case .references: return tokens(value, by: list.identifiers)
    case .classes: return tokens(value, by: list.classes)
    case .choice(let choices):
      return choices.contains(value)
        ? value : choices.contains(value.lowercased()) ? value.lowercased() : nil
    case .number: return Rebuilding.isNumber(bytes) ? value : nil
    case .language:
      let isTag = (1...35).contains(bytes.count) && bytes.allSatisfy { Rebuilding.isWord($0) }
      return isTag ? value : nil
    case .part:
      guard let fragment = Address(value)?.fragment else { return nil }
      return renamed(fragment, by: list.identifiers).map { "#" + $0 }
    case .link, .image, .drawing, .style: return nil  // Handled above.
    }
  }

  private func image(_ raw: String) -> String? {
    guard let address = Address(raw)?.absolute else { return nil }
    if address.scheme == "data" {
      return list.allowsDataImages && address.isDataImage ? address.text : nil
    }
    guard address.text.utf8.count <= Rebuilding.longestValue,
      isAllowed(address, schemes: list.imageSchemes),
      let source = list.image(address), !Address.runsScript(source)
    else { return nil }
    return source
  }

  private func tokens(_ value: String, by naming: AllowList.Naming) -> String? {
    let tokens = value.split { $0.isWhitespace }.compactMap { renamed(String($0), by: naming) }
    return tokens.isEmpty ? nil : tokens.joined(separator: " ")
  }

  private func renamed(_ name: String, by naming: AllowList.Naming) -> String? {
    guard (1...256).contains(name.utf8.count), !name.utf8.contains(where: Rebuilding.isSpace)
    else { return nil }
    switch naming {
    case .dropped: return nil
    case .kept: return name
    case .prefixed(let prefix): return name.hasPrefix(prefix) ? name : prefix + name
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch Name.lowered(byte) {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private static func isNumber(_ bytes: String.UTF8View) -> Bool {
    (1...16).contains(bytes.count)
      && bytes.enumerated().allSatisfy { index, byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."): true
        case UInt8(ascii: "-"): index == 0
        case UInt8(ascii: "%"): index == bytes.count - 1 && index > 0
        default: false
        }
      }
  }

  /// Words, numbers and colors. `url(` only leads to a part of the same drawing.
  private static func isDrawing(_ value: String) -> Bool {
    guard value.utf8.count <= longestDrawing else { return false }
    let isPlain = value.utf8.allSatisfy {
      isWord($0) || isSpace($0) || " ,.#%+()_;".utf8.contains($0)
    }
    guard isPlain else { return false }
    var rest = value.lowercased()[...]
    while let start = rest.firstRange(of: "url") {
      rest = rest[start.upperBound...]
      guard rest.hasPrefix("(#") else { return false }
    }
    return true
  }
}
