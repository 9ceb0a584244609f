package import Circulation
package import Secrets

/// Who activates Adobe's programs for readers of these libraries, as whoever runs the gateway set it up.
package struct AdobeVendor: Sendable {
  /// A library that gives its readers tokens.
  package struct Member: Sendable {
    /// As it is registered with the vendor.
    package let shortName: String
    package let secret: Secret

    package init(shortName: String, secret: Secret) {
      (self.shortName, self.secret) = (shortName, secret)
    }
  }

  /// What Adobe calls the vendor.
  package let name: String
  /// The number that Adobe gave the vendor, six bytes; nil where another gateway is the vendor, and
  /// this one only makes tokens for it.
  package let node: [UInt8]?
  package let members: [LibraryID: Member]

  package init(name: String, node: [UInt8]?, members: [LibraryID: Member]) {
    (self.name, self.node, self.members) = (name, node, members)
  }

  /// Looked up without regard to case.
  func member(named name: String) -> (LibraryID, Member)? {
    members.first { $0.value.shortName.lowercased() == name.lowercased() }
      .map { ($0.key, $0.value) }
  }
}
