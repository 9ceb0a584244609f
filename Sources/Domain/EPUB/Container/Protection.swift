import Markup
import XML
import Zip

/// What of a book is veiled or locked, and by whom, from `META-INF/encryption.xml` and the files
/// each scheme leaves beside it. Locks are told apart and named; none is opened here.
package struct Protection: Sendable, Hashable {
  package enum Scheme: String, Sendable, Hashable {
    case lcp = "Readium LCP"
    case adept = "Adobe ADEPT"
    case barnesAndNoble = "Barnes & Noble"
    case fairPlay = "Apple FairPlay"
    case kobo = "Kobo"
  }

  package private(set) var scheme: Scheme?
  /// Fonts that can be shown.
  package private(set) var obfuscated: [String: Obfuscation] = [:]
  /// Entries that are read with a key or not at all.
  package private(set) var locked: [String: Lock] = [:]
  package private(set) var license: LicenseNote?
  /// As it stands in the book.
  package private(set) var licenseDocument: [UInt8]?

  /// How one entry is locked.
  package struct Lock: Sendable, Hashable {
    package let algorithm: String
    /// Whether the key of the license opens it.
    package var isLCP = false
    /// Whether it was packed before it was locked, and what it comes to.
    package var isPacked = false
    package var length: Int?
  }

  init(_ archive: ZipArchive, _ faults: inout Faults) {
    var contentKey = false
    var adeptKey = false
    if let root = Self.root("META-INF/encryption.xml", in: archive, &faults) {
      for entry in root.below("EncryptedData") {
        take(entry)
        contentKey = contentKey || Self.isLCP(entry)
        adeptKey =
          adeptKey
          || !entry.descendants(where: { $0.local == "resource" && $0.namespace == Self.adept })
            .isEmpty
      }
    }
    let rights = Self.root("META-INF/rights.xml", in: archive, &faults)
    if let (entry, _) = archive.entry(named: "META-INF/license.lcpl") {
      scheme = .lcp
      licenseDocument = try? archive.read(entry, upTo: Limits.small)
      license = licenseDocument.flatMap(LicenseNote.init)
    } else if contentKey {
      scheme = .lcp
    } else if archive.entry(named: "META-INF/sinf.xml") != nil {
      scheme = .fairPlay
    } else if !locked.isEmpty, let rights {
      // Rights without anything locked are only words.
      scheme = Self.scheme(rights)
    } else if !locked.isEmpty, adeptKey {
      scheme = .adept
    }
  }

  private mutating func take(_ data: Element) {
    let algorithm = data.first("EncryptionMethod")?.trimmed("Algorithm") ?? ""
    for cipher in data.below("CipherReference") {
      // What a book is known by is never locked, whatever is said of it.
      guard let written = cipher.any("URI"), let path = Reference(written, from: "").path,
        path != "mimetype", !path.hasPrefix("META-INF/")
      else { continue }
      if let known = Obfuscation(rawValue: algorithm) {
        // Listed twice it is still veiled once.
        obfuscated[path] = obfuscated[path] ?? known
      } else {
        locked[path] = Lock(data, algorithm)
      }
    }
  }

  private static let adept = "http://ns.adobe.com/adept"

  fileprivate static func isLCP(_ data: Element) -> Bool {
    data.below("RetrievalMethod").contains { method in
      method.trimmed("URI")?.contains("license.lcpl#/encryption/content_key") == true
        || method.trimmed("Type") == "http://readium.org/2014/01/lcp#EncryptedContentKey"
    }
  }

  private static func scheme(_ rights: Element) -> Scheme? {
    if rights.kind == "kdrm" || !rights.below("kdrm").isEmpty { return .kobo }
    let isAdept =
      rights.name.namespace == adept
      || !rights.descendants(where: { $0.namespace == adept }).isEmpty
    guard isAdept else { return nil }
    // Theirs is Adobe's, opened with a hash of a passphrase instead of a device's key.
    let text = rights.text.lowercased()
    let isPassphrase =
      text.contains("passhash") || text.contains("barnesandnoble")
      || !rights.below("keyId").filter { $0.text.contains("passhash") }.isEmpty
    return isPassphrase ? .barnesAndNoble : .adept
  }

  private static func root(_ name: String, in archive: ZipArchive, _ faults: inout Faults)
    -> Element?
  {
    guard let (entry, _) = archive.entry(named: name) else { return nil }
    do {
      let document = try BookXML(try archive.read(entry, upTo: Limits.small))
      if document.fault != nil { faults.note(.encryptionMalformed, name) }
      return document.root
    } catch {
      faults.note(.encryptionMalformed, name)
      return nil
    }
  }

  /// Why the whole book cannot be opened, if it cannot.
  var refusal: Refusal? {
    switch scheme {
    case .lcp:
      Refusal(.drmLCP, ([Scheme.lcp.rawValue] + (license?.words ?? [])).joined(separator: ", "))
    case .adept, .barnesAndNoble: Refusal(.drmAdept, scheme?.rawValue ?? "")
    case .fairPlay: Refusal(.drmFairPlay, Scheme.fairPlay.rawValue)
    case .kobo: Refusal(.drmUnknown, Scheme.kobo.rawValue)
    case nil: nil
    }
  }
}

extension Protection.Lock {
  private static let sealing = "http://www.w3.org/2001/04/xmlenc#aes256-cbc"

  fileprivate init(_ data: Element, _ algorithm: String) {
    self.init(algorithm: algorithm)
    isLCP = algorithm == Self.sealing && Protection.isLCP(data)
    guard let compression = data.below("Compression").first else { return }
    isPacked = compression.any("Method") == "8"
    length = compression.any("OriginalLength").flatMap { Int($0) }
  }
}
