/// A sentence whose holes hold something else than text: an element of a page, a moment. What is put
/// in stands where the tongue wants it.
package struct Sentence<Hole: Sendable>: Sendable, ExpressibleByStringInterpolation {
  package enum Piece: Sendable {
    case words(String)
    case hole(Hole)
  }

  private let key: String
  private let written: [Piece]

  package init(stringLiteral words: String) { (key, written) = (words, [.words(words)]) }

  package init(stringInterpolation parts: StringInterpolation) {
    (key, written) = (parts.key, parts.written)
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var key = ""
    fileprivate var written: [Piece] = []
    private var count = 0

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ words: String) {
      guard !words.isEmpty else { return }
      key += words
      written.append(.words(words))
    }

    package mutating func appendInterpolation(_ hole: Hole) {
      key += "{\(count)}"
      count += 1
      written.append(.hole(hole))
    }
  }

  /// In the order of the tongue of the moment.
  package var pieces: [Piece] {
    guard let parts = Catalogue.of(.current)?.entries[key]?.first else { return written }
    let holes = written.filter { if case .hole = $0 { true } else { false } }
    return parts.compactMap { part in
      switch part {
      case .words(let words): .words(words)
      case .hole(let number): holes.indices.contains(number) ? holes[number] : nil
      }
    }
  }
}
