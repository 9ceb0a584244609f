import CHyphen
import Glibc

/// Where the words of a language may be parted, as a dictionary of libhyphen has it.
///
/// `@unchecked Sendable` because a pointer is not: the rules stay as they were read, and the library
/// keeps nothing between two questions.
@safe package final class HyphenRules: @unchecked Sendable {
  private let rules: UnsafeMutablePointer<HyphenDict>

  /// No word that a reader could want parted is longer.
  private static let longestWord = 100

  /// From the bytes of a dictionary; nil where they are none. What is in an encoding of old days is
  /// read as UTF-8, so that places in words need no translation.
  package init?(_ dictionary: [UInt8]) {
    guard let text = DictionaryText.utf8(dictionary) else { return nil }
    let rules = unsafe text.withUnsafeBytes { bytes -> UnsafeMutablePointer<HyphenDict>? in
      // The library only reads from it, though the C function would take what can be written to.
      let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
      guard let file = unsafe fmemopen(start, bytes.count, "r") else { return nil }
      defer { unsafe fclose(file) }
      return unsafe hnj_hyphen_load_file(file)
    }
    guard let rules = unsafe rules else { return nil }
    unsafe self.rules = rules
  }

  deinit { unsafe hnj_hyphen_free(rules) }

  /// The places where a hyphen and the end of a line may come between two letters of the word, in
  /// their order. Where the word would be spelled differently then, it is left whole.
  package func places(in bytes: [UInt8], _ word: Range<Int>) -> [Int] {
    var (lower, starts) = ([CChar](), [Int]())
    var index = word.lowerBound
    while index < word.upperBound {
      guard starts.count < Self.longestWord, let scalar = Self.scalar(bytes, index, word.upperBound)
      else { return [] }
      starts.append(index)
      lower += UTF8.encode(Self.lowercased(scalar)).map { $0.map(CChar.init(bitPattern:)) } ?? []
      index += UTF8.width(scalar)
    }
    guard starts.count > 3 else { return [] }
    return open(lower, starts.count).map { starts[$0] }
  }

  /// Numbers of the characters that a part may begin with.
  private func open(_ word: [CChar], _ count: Int) -> [Int] {
    // The library writes a few bytes more than the word has, and reads a few.
    var marks = [CChar](repeating: 0, count: word.count + 8)
    var spellings: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    var (positions, cuts): (UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?)
    unsafe (positions, cuts) = (nil, nil)
    let failure = unsafe hnj_hyphen_hyphenate2(
      rules, word + [0, 0, 0, 0], Int32(word.count), &marks, nil, &spellings, &positions, &cuts)
    defer {
      unsafe free(positions)
      unsafe free(cuts)
    }
    var respelled: Set<Int> = []
    if let spellings = unsafe spellings {
      for place in 0..<word.count {
        guard let spelling = unsafe spellings[place] else { continue }
        respelled.insert(place)
        unsafe free(spelling)
      }
      unsafe free(spellings)
    }
    guard failure == 0 else { return [] }
    return (1..<count).filter { marks[$0 - 1] & 1 == 1 && !respelled.contains($0 - 1) }
  }

  private static func scalar(_ bytes: [UInt8], _ index: Int, _ end: Int) -> Unicode.Scalar? {
    var decoder = UTF8()
    var input = bytes[index..<end].makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&input) else { return nil }
    return scalar
  }

  /// Only where that is one character again: places are counted in characters.
  private static func lowercased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let lower = scalar.properties.lowercaseMapping.unicodeScalars
    return lower.count == 1 ? lower.first ?? scalar : scalar
  }
}
