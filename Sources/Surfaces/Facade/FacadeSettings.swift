package import Secrets

/// How the owner wants the catalogue to be.
package struct FacadeSettings: Sendable {
  /// Of the whole catalogue.
  package var title: String
  /// Whether strangers may look around.
  package var isPublic: Bool
  /// Of this gateway: names and signatures are made with it.
  package var key: Secret
  /// Bytes of pages and entries that are kept.
  package var memory: Int

  package init(title: String, isPublic: Bool, key: Secret, memory: Int = 64 << 20) {
    (self.title, self.isPublic, self.key, self.memory) = (title, isPublic, key, memory)
  }
}
