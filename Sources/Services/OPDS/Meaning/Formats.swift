package import Circulation
package import HTTP

/// What a way through an acquisition comes to (§2.3): its last step says what is read, those before
/// it how it is guarded.
package enum Formats {
  /// The name is the way itself, type by type, so that it can be found again on a loan. `at` makes
  /// it lead somewhere where nothing else does.
  package static func format(_ path: [MediaType], at address: String? = nil) -> Format? {
    let steps = path.filter { !$0.isEntry && !$0.isCatalog }
    guard let last = steps.last else { return nil }
    let protection = protection(of: steps)
    let words = steps.map(\.essence) + [address].compactMap { $0 }
    return Format(
      id: words.joined(separator: " "), content: content(last), protection: protection,
      locksLoan: protection == .adobe || protection == .lcp)
  }

  package static func all(of acquisitions: [Acquisition], areNamedByAddress: Bool = false)
    -> [Format]
  {
    var formats: [Format] = []
    for acquisition in acquisitions {
      let address = areNamedByAddress ? acquisition.link.href : nil
      for format in acquisition.paths.compactMap({ format($0, at: address) })
      where !formats.contains(where: { $0.id == format.id }) {
        formats.append(format)
      }
    }
    return formats
  }

  /// What can be read here, then what another program of the reader's opens, then the rest.
  package static func rank(_ format: Format) -> Int {
    if format.isReadableHere { return format.content == .epub ? 0 : 1 }
    switch format.protection {
    case .none: return 2
    case .lcp: return 3
    case .adobe: return 4
    case .streaming: return 5
    case .vendorApp: return 6
    case .unknown: return 7
    }
  }

  private static func protection(of steps: [MediaType]) -> Format.Protection {
    let names = steps.map(\.essence)
    // Palace's first feeds wrote this one the wrong way round.
    if names.contains(Types.adobe.essence) || names.contains("vnd.adobe/adept+xml") {
      return .adobe
    }
    if names.contains(Types.licence.essence) || names.contains(where: { $0.hasSuffix("+lcp") }) {
      return .lcp
    }
    guard let last = steps.last else { return .unknown }
    if Types.isStreaming(last) { return .streaming }
    if content(last) == .other { return .unknown }
    return names.contains(where: Types.isVendors) ? .vendorApp : .none
  }

  private static func content(_ type: MediaType) -> Format.Content {
    switch type.essence {
    case MediaType.epub.essence, "application/epub", "application/kepub+zip": return .epub
    case "application/pdf", "application/pdf+lcp": return .pdf
    case "application/audiobook+json", "application/audiobook+zip", "application/audiobook+lcp":
      return .audiobook
    case "application/x-mobipocket-ebook": return .mobi
    case "application/vnd.amazon.ebook", "application/x-mobi8-ebook",
      "application/vnd.amazon.mobi8-ebook":
      return .kindle
    case "application/vnd.comicbook+zip", "application/vnd.comicbook-rar", "application/x-cbz",
      "application/x-cbr", "application/divina+zip", "application/divina+json":
      return .comic
    case "text/html", "application/xhtml+xml", "application/webpub+json", "application/webpub+zip":
      return .html
    case "text/plain": return .text
    default:
      if type.type == "audio" || type["profile"] == "audiobook" { return .audiobook }
      if type.subtype.contains("findaway") { return .audiobook }
      if type.subtype.contains("ebook") { return .kindle }
      return type.type == "video" ? .video : .other
    }
  }
}

package enum Types {
  package static let adobe = MediaType("application", "vnd.adobe.adept+xml")
  package static let licence = MediaType("application", "vnd.readium.lcp.license.v1.0+json")
  package static let bearer = "application/vnd.librarysimplified.bearer-token+json"
  package static let manifests: Set<String> = [
    "application/audiobook+json", "application/webpub+json",
  ]

  /// A page where the book is read, whatever it is made of.
  static func isStreaming(_ type: MediaType) -> Bool {
    type["profile"]?.contains("streaming") == true
  }

  /// Documents that only the app of one vendor makes something of.
  static func isVendors(_ name: String) -> Bool {
    name.hasPrefix("application/vnd.librarysimplified.") && name != bearer
      || name.hasSuffix(".circulation.api+json") || name.hasPrefix("application/vnd.amazon")
  }
}
