/// Why there is no picture. By name, since it is told from one process to another.
package enum ImageFault: String, Error, Sendable, Hashable {
  /// Neither JPEG, PNG, GIF nor WebP.
  case unknownFormat
  /// One of those, and broken.
  case damaged
  /// More bytes, pixels or passes than are taken.
  case tooLarge
  case outOfMemory
  /// No font where fonts were looked for, or one that cannot be read.
  case noFont
  /// Nothing here reads bars.
  case noReader
  /// Too many pictures wait already.
  case busy
  /// The process that worked on it took too much of time or memory, crashed, or answered nonsense.
  case stopped
  /// That process cannot be started.
  case noProgram
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

  /// What a photograph out of a telephone may be.
  package static let photograph = ImageLimits(bytes: 12 << 20, pixels: 50_000_000)

  /// What the bytes say of themselves, where that is taken.
  @discardableResult
  package func check(_ bytes: [UInt8]) throws(ImageFault) -> ImageHeader {
    guard bytes.count <= min(self.bytes, Int(Int32.max)) else { throw .tooLarge }
    let header = try ImageHeader(reading: bytes)
    try header.check(self)
    return header
  }
}
