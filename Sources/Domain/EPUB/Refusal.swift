package import LCP

/// Why a file is not opened as a book: one word for programs, a few for people.
package struct Refusal: Error, Sendable, Hashable {
  package enum Code: String, Sendable, Hashable, CaseIterable {
    case zipUnreadable = "zip-unreadable"
    case zipSplit = "zip-split"
    case zipEncrypted = "zip-encrypted"
    case zipCompressionMethod = "zip-compression-method"
    case containerMissing = "container-missing"
    case containerMalformed = "container-malformed"
    case containerNoRootfile = "container-no-rootfile"
    case opfMissing = "opf-missing"
    case opfMalformed = "opf-malformed"
    case spineEmpty = "spine-empty"
    case spineNothingReadable = "spine-nothing-readable"
    case drmLCP = "drm-lcp"
    case drmAdept = "drm-adept"
    case drmFairPlay = "drm-fairplay"
    case drmUnknown = "drm-unknown"
    case tooLarge = "too-large"
  }

  package let code: Code
  /// What exactly it is about: an entry, a scheme, a provider.
  package let detail: String
  /// For a license that was looked at: what kept it from opening the book, and what helps along.
  package var license: LicenseRefusal?
  package var note: LicenseNote?

  package init(_ code: Code, _ detail: String = "") { (self.code, self.detail) = (code, detail) }

  package init(_ license: LicenseRefusal, _ note: LicenseNote?) {
    let words = ([Protection.Scheme.lcp.rawValue] + (note?.words ?? [])).joined(separator: ", ")
    self.init(.drmLCP, "\(words): \(license.sentence)")
    (self.license, self.note) = (license, note)
  }
}

/// Why there is no book.
package enum OpeningError: Error, Sendable, Hashable {
  /// There is no such file, or it may not be read.
  case noFile(String)
  case refused(Refusal)
}
