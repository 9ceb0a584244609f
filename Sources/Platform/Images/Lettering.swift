import CGD
package import Pictures
import Synchronization

/// A font file that words are drawn with.
package struct Typeface: Sendable, Hashable {
  package let path: String

  /// The first of these files that is a font.
  package init(firstOf paths: [String]) throws(ImageFault) {
    for path in paths where Self.drawn("x", path, 10, on: nil) != nil {
      self.path = path
      return
    }
    throw .noFont
  }

  /// How wide the words become, from the first dark pixel to the last.
  package func width(of text: String, size: Double) -> Int {
    guard let box = Self.drawn(text, path, size, on: nil) else { return 0 }
    return Int(box[2]) - Int(box[0])
  }

  /// The words with their first letter's foot at this point.
  package func draw(
    _ text: String, size: Double, x: Int, y: Int, _ color: Color, on picture: borrowing Picture
  ) {
    unsafe gdImageAlphaBlending(picture.image, 1)
    _ = unsafe Self.drawn(
      text, path, size, on: Ink(image: picture.image, x: x, y: y, color: color.number))
  }

  @safe private struct Ink {
    let image: gdImagePtr
    let x: Int
    let y: Int
    let color: Int32
  }

  /// The corners of what was drawn; without ink it is only measured. Nil where there is no font.
  private static func drawn(_ text: String, _ path: String, _ size: Double, on ink: Ink?)
    -> [Int32]?
  {
    let text = spelled(text)
    // The library keeps its fonts for all threads, and its own lock does not cover their use.
    return turn.withLock { _ in
      var box = [Int32](repeating: 0, count: 8)
      let trouble = unsafe gdImageStringFT(
        ink?.image, &box, ink?.color ?? 0, path, size, 0, Picture.fit(ink?.x ?? 0),
        Picture.fit(ink?.y ?? 0), text)
      return unsafe trouble == nil ? box : nil
    }
  }

  /// An ampersand begins a name of HTML there, and a sign of control may move the pen.
  private static func spelled(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars.prefix(2000) {
      switch scalar {
      case "&": out += "&amp;"
      case _ where scalar.value < 32 || scalar.value == 127: out += " "
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  private static let turn = Mutex(())
}
