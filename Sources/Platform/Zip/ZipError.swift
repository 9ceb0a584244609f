/// Why an archive, or one entry of it, is not read.
package enum ZipError: Error, Sendable, Hashable {
  /// There is no such file, or it may not be read.
  case noFile(String)
  /// No archive, or one cut short.
  case unreadable(String)
  /// One part of several.
  case split
  case encrypted(entry: String)
  case unknownMethod(entry: String, Int)
  case tooLarge(Measure, limit: Int)
  /// Entries lie over one another, as only bombs do.
  case overlapping
  /// One entry is damaged: it does not unpack, or not to what its checksum says.
  case damaged(entry: String)

  package enum Measure: String, Sendable, Hashable {
    case archive, entries, directory
    /// What one entry unpacks to.
    case inflated
    /// How many times larger than itself an entry unpacks.
    case ratio
    /// How far it unpacks beyond what it says.
    case declared
  }
}
