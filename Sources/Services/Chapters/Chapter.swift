import Markup
import Text

/// A page of a book as a browser is shown it: rebuilt from what its author wrote, never passed on, and
/// able to say for each character that is shown which of the author's it is.
package struct Chapter: Sendable {
  /// As XHTML.
  package let bytes: [UInt8]
  /// Of what is shown, in units of UTF-16, as browsers count.
  package let length: Int
  /// The page that its author laid out, where he did.
  package let box: FixedBox?
  private let pieces: [Transcript.Piece]

  init(bytes: [UInt8], length: Int = 0, box: FixedBox? = nil, pieces: [Transcript.Piece] = []) {
    (self.bytes, self.length, self.box, self.pieces) = (bytes, length, box, pieces)
  }

  // MARK: - Places

  /// Where in the author's text a place of what is shown stands.
  func source(of shown: Int, in text: [UInt8]) -> Int {
    guard let piece = last(where: { $0.written <= shown }) else { return 0 }
    let end = min(text.count, piece.source + piece.length)
    return Scalars.index(
      afterUTF16: shown - piece.written, in: text, min(piece.source, end)..<end)
  }

  /// Where it is shown, or what comes next where it is not.
  func shown(ofSource source: Int, in text: [UInt8]) -> Int {
    guard let piece = last(where: { $0.source <= source }) else { return 0 }
    let end = min(text.count, min(source, piece.source + piece.length))
    return piece.written + Scalars.utf16Length(text, min(piece.source, end)..<end)
  }

  private func last(where holds: (Transcript.Piece) -> Bool) -> Transcript.Piece? {
    var (low, high) = (0, pieces.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(pieces[middle]) { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? pieces[low - 1] : nil
  }
}

/// In pixels of the author's.
package struct FixedBox: Sendable, Hashable {
  package let width: Int
  package let height: Int

  package init?(_ width: Double, _ height: Double) {
    guard (1...20_000).contains(width), (1...20_000).contains(height) else { return nil }
    (self.width, self.height) = (Int(width.rounded()), Int(height.rounded()))
  }
}

/// Where on this site the parts of one book are.
package struct BookAddresses: Sendable {
  /// An entry: a picture, a sheet, a recording.
  package var resource: @Sendable (String) -> String
  /// An item of the spine, and a part of it.
  package var section: @Sendable (Int, String?) -> String
  /// What asks before it leads out of the book.
  package var outside: @Sendable (String) -> String
  /// Sheets of ours: before the book's own, and behind them.
  package var sheets: (before: String, taste: String, behind: String)
  /// Tells apart what was made with other addresses.
  package let name: String

  package init(
    name: String, resource: @escaping @Sendable (String) -> String,
    section: @escaping @Sendable (Int, String?) -> String,
    outside: @escaping @Sendable (String) -> String,
    sheets: (before: String, taste: String, behind: String)
  ) {
    (self.name, self.resource, self.section) = (name, resource, section)
    (self.outside, self.sheets) = (outside, sheets)
  }
}
