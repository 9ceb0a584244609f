import BarcodeReading
import Barcodes
import Images
package import Pictures

/// What is done with pixels: for covers, photographs and placeholders.
package struct PictureWork: Sendable {
  private let art: PlaceholderArt?

  /// Opens what it will need from files, which may be out of reach afterwards.
  package init(with means: PictureOrder.Means) {
    art = means == .fonts ? try? PlaceholderArt() : nil
    if means == .reader { Barcode.openReader() }
  }

  package func make(_ order: PictureOrder) throws(ImageFault) -> [[UInt8]] {
    switch order {
    case .fitting(let boxes, let bytes):
      // A point of one color is how some services say that they have none.
      let picture = try Picture(decoding: bytes, order.limits)
      guard picture.width > 9, picture.height > 9 else { throw .damaged }
      return try Self.fitting(boxes[...], picture)
    case .square(let side, let bytes):
      return [try Picture(decoding: bytes, order.limits).square(side).jpeg()]
    case .plain(let box, let bytes):
      return [
        try Picture(decoding: bytes, order.limits).scaled(toFit: box.width, box.height).onWhite()
          .png()
      ]
    case .cardNumber(let bytes): return try Self.cardNumber(bytes, order.limits)
    case .placeholder(let cover):
      guard let art else { throw .noFont }
      return [try art.draw(cover).png()]
    }
  }

  /// Each out of the one before: the list is looked at before the book, and small of small is quicker.
  private static func fitting(
    _ boxes: ArraySlice<PictureBox>, _ picture: borrowing Picture
  ) throws(ImageFault) -> [[UInt8]] {
    guard let box = boxes.first else { return [] }
    let scaled = try picture.scaled(toFit: box.width, box.height).onWhite()
    return [try scaled.jpeg()] + (try fitting(boxes.dropFirst(), scaled))
  }

  /// Bars stay readable at this size, and what is larger takes longer for nothing.
  private static let side = 1800

  private static func cardNumber(
    _ bytes: [UInt8], _ limits: ImageLimits
  ) throws(ImageFault) -> [[UInt8]] {
    let picture = try Picture(decoding: bytes, limits).scaled(toFit: side, side)
    let found: [Barcode.Found]
    do throws(Barcode.ReadFault) { found = try Barcode.read(picture) } catch {
      throw error == .noReader ? .noReader : .outOfMemory
    }
    // Of several, the longest: a price tag beside the card is shorter.
    guard let number = found.map(\.number).max(by: { $0.count < $1.count }) else { return [] }
    return [Array(number.utf8)]
  }
}

extension PictureMaker {
  /// Without a process of its own, for tests and measurements of what lies around it.
  package static let withinThisProcess = PictureMaker { order throws(ImageFault) in
    try PictureWork(with: order.means).make(order)
  }
}
