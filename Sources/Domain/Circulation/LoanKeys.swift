/// What opens a loan in a reading program without asking its reader: given by the lender with the
/// loan, for this reader alone. It is passed on to the reader's own apps, kept sealed, and left out of
/// every description.
package struct LoanKeys: Sendable, Hashable, CustomStringConvertible {
  /// What a program of Adobe's signs in with, for a short while.
  package struct Licensor: Sendable, Hashable, CustomStringConvertible {
    package var vendor: String
    package var scheme: String?
    package var clientToken: String

    package init(vendor: String, scheme: String? = nil, clientToken: String) {
      (self.vendor, self.scheme, self.clientToken) = (vendor, scheme, clientToken)
    }

    package var description: String { "\(vendor): •••" }
  }

  /// What LCP calls the hashed passphrase.
  package var passphrase: String?
  package var licensor: Licensor?

  /// Nil where there is nothing to keep.
  package init?(passphrase: String? = nil, licensor: Licensor? = nil) {
    guard passphrase != nil || licensor != nil else { return nil }
    (self.passphrase, self.licensor) = (passphrase, licensor)
  }

  package var description: String { "•••" }

  /// Only what a program needs that knows this protection.
  package func those(for protection: Format.Protection) -> LoanKeys? {
    switch protection {
    case .lcp: LoanKeys(passphrase: passphrase)
    case .adobe: LoanKeys(licensor: licensor)
    case .none, .streaming, .vendorApp, .unknown: nil
    }
  }
}
