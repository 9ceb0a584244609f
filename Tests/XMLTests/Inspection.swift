import Markup
import XML

/// Looks at written markup the way an attacker's browser would, without asking the code that
/// wrote it: a list of everything that should not be there.
enum Inspection {
  static func complaints(about html: [UInt8], under list: AllowList) -> [String] {
    guard let document = try? HTMLDocument(html) else { return ["does not parse"] }
    return spelling(html)
      + document.root.descendants { _ in true }.flatMap { element in
        complaints(about: element, under: list)
      }
  }

  private static func complaints(about element: Element, under list: AllowList) -> [String] {
    var complaints: [String] = []
    let local = element.name.local
    let written = Set(
      list.elements.values.flatMap(\.values).map { $0.name.description.lowercased() })
    if !written.contains(local) { complaints.append("element \(local)") }
    if never.contains(local) { complaints.append("dangerous element \(local)") }
    for attribute in element.attributes {
      let name = attribute.name.local
      if name.hasPrefix("on")
        || ["style", "srcdoc", "srcset", "action", "formaction"].contains(name)
      {
        complaints.append("attribute \(name)")
      }
      if ["href", "src"].contains(name), !isHarmless(attribute.value, list) {
        complaints.append("address \(attribute.value)")
      }
    }
    return complaints
  }

  private static func isHarmless(_ address: String, _ list: AllowList) -> Bool {
    let bare = String(address.unicodeScalars.filter { $0.value > 0x20 && $0.value != 0xAD })
      .lowercased()
    guard let colon = bare.firstIndex(of: ":"),
      !bare[..<colon].contains(where: { "/?#".contains($0) })
    else { return list.allowsRelative }
    return ["http", "https", "mailto"].contains(bare[..<colon])
      || bare.hasPrefix("data:image/png;") || bare.hasPrefix("data:image/jpeg;")
  }

  /// What must not be in the bytes, however they are parsed: a `<` that is no tag of an element,
  /// a quote left open, a byte no document may hold.
  private static func spelling(_ html: [UInt8]) -> [String] {
    var complaints: [String] = []
    var (inTag, inValue) = (false, false)
    for (index, byte) in html.enumerated() {
      switch byte {
      case UInt8(ascii: "<"):
        let next = index + 1 < html.count ? html[index + 1] : 0
        let isTag = (0x61...0x7A).contains(next) || next == UInt8(ascii: "/")
        if inTag || !isTag { complaints.append("stray < at \(index)") }
        inTag = true
      case UInt8(ascii: ">"):
        if !inTag || inValue { complaints.append("stray > at \(index)") }
        inTag = false
      case UInt8(ascii: "\"") where inTag: inValue.toggle()
      case 0..<0x20 where byte != 0x0A && byte != 0x09: complaints.append("control \(byte)")
      default: continue
      }
    }
    if inTag || inValue { complaints.append("open at the end") }
    return complaints
  }

  private static let never: Set<String> = [
    "script", "style", "iframe", "object", "embed", "template", "noscript", "form", "input",
    "link", "meta", "base", "foreignobject", "animate", "set", "use",
  ]
}
