package import Secrets

/// What a locked book is tried with. It comes from the reader and from the settings, never from the
/// words of a command.
package struct LockKey: Sendable {
  /// As typed, or as read from a file.
  package var passphrase: Secret?
  /// Certificates, and a list of what they took back; nil where none are set.
  package var rootsFile: String?
  package var revokedFile: String?
  /// Whether the list is fetched, and may not be there yet.
  package var fetchesRevoked: Bool

  package init(_ passphrase: Secret? = nil, _ settings: Configuration.LCP) {
    self.passphrase = passphrase
    (rootsFile, revokedFile) = (settings.rootsFile, settings.revokedFile)
    fetchesRevoked = settings.revokedURL != nil
  }
}
