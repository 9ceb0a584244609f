/// The words of a text as a search compares them: without case, diacritics and punctuation.
/// Folding is done here and not by the databases, so that both find the same.
struct FoldedText {
  /// `L'Étranger: a Spider-Man e-book` is `letranger`, `a`, `spider`, `man`, `e`, `book`.
  private(set) var words: [String] = []
  /// Other spellings that the text shall be found by: `l`, `etranger`, `spiderman`, `ebook`.
  private(set) var variants: [String] = []

  private var word = Part()
  /// Since the last apostrophe.
  private var piece = Part()
  private var pieces: [String] = []
  /// Since the last blank, across hyphens and full stops.
  private var compound = Part()
  private var compounded = 0

  /// Nobody looks for longer words; what is longer is compared by its beginning.
  static let longestWord = 64

  init(_ text: String, atMost limit: Int) {
    if !takePlain(text, atMost: limit) {
      (words, variants) = ([], [])
      for scalar in text.unicodeScalars {
        if words.count >= limit { break }
        take(scalar)
      }
      endCompound()
    }
    joinInitials()
    if words.count > limit { words.removeLast(words.count - limit) }
  }

  /// Most texts are of letters without marks, and without apostrophes: false for others.
  private mutating func takePlain(_ text: String, atMost limit: Int) -> Bool {
    var word: [UInt8] = []
    // Where the words begin that hyphens and full stops tie together.
    var first = 0
    func end(_ word: inout [UInt8], _ words: inout [String]) {
      guard !word.isEmpty else { return }
      words.append(String(decoding: word.prefix(Self.longestWord), as: UTF8.self))
      word.removeAll(keepingCapacity: true)
    }
    for byte in text.utf8 {
      if words.count >= limit { break }
      switch byte {
      case 0x61...0x7A, 0x30...0x39: word.append(byte)
      case 0x41...0x5A: word.append(byte + 32)
      case 0x27, 0x60, 0x80...: return false
      // `-` and `.`
      case 0x2D where !word.isEmpty, 0x2E where !word.isEmpty: end(&word, &words)
      default:
        end(&word, &words)
        tie(from: first)
        first = words.count
      }
    }
    end(&word, &words)
    tie(from: first)
    return true
  }

  private mutating func tie(from first: Int) {
    guard words.count - first > 1 else { return }
    variants.append(String(words[first...].joined().prefix(Self.longestWord)))
  }

  /// `J. R. R. Tolkien` is looked for as `jrr`, too.
  private mutating func joinInitials() {
    guard words.contains(where: { $0.utf8.count == 1 }) else { return }
    for run in words.split(whereSeparator: {
      $0.utf8.count != 1 || !$0.utf8.allSatisfy(Self.isLetter)
    })
    where run.count > 1 {
      let joined = run.joined()
      if !variants.contains(joined) { variants.append(joined) }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  private mutating func take(_ scalar: Unicode.Scalar) {
    switch LetterFolding.kind(of: scalar) {
    case .letter(let letter): append(letter)
    case .letters(let letters): for letter in letters.unicodeScalars { append(letter) }
    case .ideograph:
      // Written without blanks: each is a word, and a phrase is found by all of them.
      endCompound()
      append(scalar)
      endCompound()
    case .silent: break
    case .apostrophe:
      guard !word.isEmpty, !piece.isEmpty else { return endCompound() }
      pieces.append(piece.text)
      piece.clear()
    case .joiner:
      if word.isEmpty { endCompound() } else { endWord() }
    case .separator: endCompound()
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    word.append(scalar)
    piece.append(scalar)
    compound.append(scalar)
  }

  private mutating func endWord() {
    guard !word.isEmpty else { return }
    words.append(word.text)
    if !pieces.isEmpty {
      if !piece.isEmpty { pieces.append(piece.text) }
      if pieces.count > 1 { variants += pieces }
      pieces = []
    }
    compounded += 1
    word.clear()
    piece.clear()
  }

  private mutating func endCompound() {
    endWord()
    if compounded > 1 { variants.append(compound.text) }
    compound.clear()
    compounded = 0
  }

  /// Letters in a row, no more of them than are compared.
  private struct Part {
    private var bytes: [UInt8] = []
    private var count = 0

    var isEmpty: Bool { count == 0 }
    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func append(_ scalar: Unicode.Scalar) {
      guard count < FoldedText.longestWord else { return }
      if scalar.isASCII {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
      count += 1
    }

    mutating func clear() {
      bytes.removeAll(keepingCapacity: true)
      count = 0
    }
  }
}
