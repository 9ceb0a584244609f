package import Images

/// Decodes and draws one picture at a time: each takes memory by its size, and strangers decide how
/// many there are.
package actor Darkroom {
  private let limits: ImageLimits
  private var placeholders: PlaceholderArt?

  package init(_ limits: ImageLimits) { self.limits = limits }

  /// In each size, for the list is looked at before the book.
  package func develop(_ bytes: [UInt8]) throws(ImageFault) -> [CoverSize: [UInt8]] {
    let picture = try Picture(decoding: bytes, limits)
    // A point of one color is how some services say that they have none.
    guard picture.width > 9, picture.height > 9 else { throw .damaged }
    let large = try picture.scaled(toFit: CoverSize.large.width, CoverSize.large.height).onWhite()
    let small = try large.scaled(
      toFit: CoverSize.thumbnail.width, CoverSize.thumbnail.height)
    return [.large: try large.jpeg(), .thumbnail: try small.jpeg()]
  }

  package func placeholder(for book: CoveredBook, _ size: CoverSize) throws(ImageFault) -> [UInt8] {
    if let placeholders { return try placeholders.draw(book, size).png() }
    let art = try PlaceholderArt()
    placeholders = art
    return try art.draw(book, size).png()
  }
}
