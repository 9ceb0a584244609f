/// How much is taken from an archive that somebody else made. All are always on.
package struct ZipLimits: Sendable, Hashable {
  /// Bytes of the archive.
  package var archive = 2 << 30
  package var entries = 200_000
  /// Bytes of its directory.
  package var directory = 64 << 20
  /// An entry may unpack to this many times its size, or to `anyway`.
  package var ratio = 1000
  package var anyway = 16 << 20
  /// How far an entry may go beyond the size it states, which is a hint and no promise.
  package var slack = 64 << 10

  package init() {}

  package static let standard = ZipLimits()
}
