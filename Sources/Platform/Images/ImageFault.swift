/// Why there is no picture.
package enum ImageFault: Error, Sendable, Hashable {
  /// Neither JPEG, PNG, GIF nor WebP.
  case unknownFormat
  /// One of those, and broken.
  case damaged
  /// More bytes, pixels or passes than are taken.
  case tooLarge
  case outOfMemory
  /// No font where fonts were looked for, or one that cannot be read.
  case noFont
}

/// What is taken, decided before anything is decoded: a few bytes can ask for gigabytes.
package struct ImageLimits: Sendable, Hashable {
  package var bytes: Int
  /// Four bytes of memory each.
  package var pixels: Int
  /// Of a progressive JPEG, each of which costs as much time as a whole picture.
  package var passes: Int

  package init(bytes: Int = 10 << 20, pixels: Int = 24_000_000, passes: Int = 40) {
    (self.bytes, self.pixels, self.passes) = (bytes, pixels, passes)
  }
}
