package import Machine

/// A licence of Readium LCP: who lends what to whom, until when, and the book's key, sealed.
package struct License: Sendable, Hashable {
  package struct User: Sendable, Hashable {
    package var id: String?
    package var name: String?
    package var email: String?
    /// Members whose values are sealed with the reader's key.
    package var encrypted: Set<String> = []
  }

  /// What is missing has no limit.
  package struct Rights: Sendable, Hashable {
    /// Pages, and characters.
    package var print: Int?
    package var copy: Int?
    package var start: Timestamp?
    package var end: Timestamp?
  }

  package struct Signature: Sendable, Hashable {
    package let algorithm: String
    /// In DER.
    package let certificate: [UInt8]
    package let value: [UInt8]
  }

  /// The public profile, for tests of all who build reading systems. The others hold a step that is
  /// nobody's to tell.
  package static let basicProfile = "http://readium.org/lcp/basic-profile"
  package static let mediaType = "application/vnd.readium.lcp.license.v1.0+json"
  /// Where it stands in a book.
  package static let entry = "META-INF/license.lcpl"

  package let id: String
  package let provider: String
  package let issued: Timestamp
  package let updated: Timestamp?
  package let profile: String
  package let hint: String
  package let links: [LicenseLink]
  package let rights: Rights
  package let user: User
  package let signature: Signature
  /// As they came: each an initialisation vector and what it seals.
  let keyCheck: [UInt8]
  let contentKey: [UInt8]
  /// What is signed.
  let signed: [UInt8]
  /// The document as it came, to be put into the book and handed on.
  package let document: [UInt8]

  /// When it was last changed.
  package var latest: Timestamp { max(issued, updated ?? issued) }

  package func link(_ relation: String) -> LicenseLink? { links.first(relation) }
}

/// A link of a licence or of its status. Both write one relation or type, or a list of them.
package struct LicenseLink: Sendable, Hashable {
  package let relations: [String]
  package let href: String
  package let types: [String]
  package let title: String?
  package let length: Int?
  /// SHA-256 of what it leads to.
  package let hash: [UInt8]?
  package let isTemplated: Bool

  package var isPage: Bool { types.contains { $0.hasPrefix("text/html") } }
}

extension [LicenseLink] {
  package func first(_ relation: String) -> LicenseLink? {
    first { $0.relations.contains(relation) }
  }
}
