/// One entry as the archive's directory tells of it. Its name is text and never a path: nothing is
/// written anywhere.
package struct ZipEntry: Sendable, Hashable {
  /// Its place in the directory.
  package let index: Int
  package let name: String
  /// What the directory says it unpacks to.
  package let size: Int
  /// The bytes it takes in the archive.
  package let packedSize: Int
  package let isStored: Bool
  /// What the checksum of its bytes is to be.
  let checksum: UInt32

  package var isFolder: Bool { name.utf8.last == UInt8(ascii: "/") }
}

/// What was passed over in an archive that could be opened all the same.
package enum ZipWarning: Sendable, Hashable {
  /// A second entry of the same name; the first counts.
  case duplicate(String)
  /// Absolute, with a drive, leading out, with bytes no name has, or a link: left out.
  case unsafeName(String)
  /// Two names that some systems cannot tell apart.
  case colliding(String, String)
  case overlapping
  /// There is something before or behind the archive.
  case padded
}

/// How well a name fits what was asked for.
package enum ZipFit: Sendable, Hashable {
  case exact
  /// Composed in another way: é of one character or of two.
  case normalized
  /// Upper and lower case differ, or the slashes do.
  case folded
}
