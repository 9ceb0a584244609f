package import Secrets

/// A link that signs its patron in once, shown when it is made.
package struct SignInLinkItem: Sendable {
  package let patron: String
  package let address: Secret
  package let until: String

  package init(patron: String, address: Secret, until: String) {
    (self.patron, self.address, self.until) = (patron, address, until)
  }
}
