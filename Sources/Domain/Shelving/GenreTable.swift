import BuiltIn
import Synchronization

/// `genres.txt` as it is looked up, read once when it is first needed. The head of that file tells
/// what its lines mean.
struct GenreTable: Sendable {
  private(set) var genres: [Genre] = []
  private(set) var numbers: [String: Int] = [:]
  private(set) var parents: [Int: Int] = [:]
  private(set) var codes: [String: [Int]] = [:]
  private(set) var classes: [String: [Int]] = [:]
  private(set) var ranges: [String: [Range]] = [:]
  private(set) var decimals: [String: [Int]] = [:]
  private(set) var names: [String: [Int]] = [:]
  private(set) var endings: [String: [Int]] = [:]
  private(set) var subdivisions: [String: [Int]] = [:]
  private(set) var words: [String: [Int]] = [:]

  struct Range: Sendable {
    let numbers: ClosedRange<Int>
    let genre: Int
  }

  static let standard = GenreTable(BuiltIn.genres)

  init(_ text: String) {
    for line in text.split(separator: "\n") {
      if line.hasPrefix("#") { continue }
      if line.hasPrefix("  ") { describe(line) } else { begin(line) }
    }
  }

  /// `history-ancient < history | Ancient history | nonfiction`
  private mutating func begin(_ line: Substring) {
    let fields = line.split(separator: "|").map(Self.trimmed)
    guard fields.count == 3 else { return }
    let ids = fields[0].split(separator: "<").map(Self.trimmed)
    let parent = ids.count > 1 ? ids[1] : nil
    numbers[ids[0]] = genres.count
    if let parent, let number = numbers[parent] { parents[genres.count] = number }
    genres.append(
      Genre(id: ids[0], title: fields[1], parent: parent, kind: Genre.Kind(rawValue: fields[2])))
  }

  private mutating func describe(_ line: Substring) {
    guard let genre = genres.indices.last else { return }
    let text = line.drop { $0 == " " }
    for value in text.dropFirst().split(separator: ";").map(Self.trimmed) {
      switch text.first {
      case "b": codes[value, default: []].append(genre)
      case "l": addClass(value, genre)
      case "d": decimals[value, default: []].append(genre)
      case "w": names[value, default: []].append(genre)
      case "e": endings[value, default: []].append(genre)
      case "s": subdivisions[value, default: []].append(genre)
      case "t": words[value, default: []].append(genre)
      default: break
      }
    }
  }

  private mutating func addClass(_ value: String, _ genre: Int) {
    let letters = String(value.prefix { $0.isLetter })
    let ends = value.dropFirst(letters.count).split(separator: "-").compactMap { Int($0) }
    guard let first = ends.first else { return classes[letters, default: []].append(genre) }
    let range = Range(numbers: first...max(first, ends.last ?? first), genre: genre)
    ranges[letters, default: []].append(range)
  }

  private static func trimmed(_ text: Substring) -> String {
    var rest = text.drop { $0 == " " }
    while rest.last == " " { rest.removeLast() }
    return String(rest)
  }
}

/// What one subject says.
struct SubjectReading: Sendable, Hashable {
  var genres: [Int] = []
  var kind: Genre.Kind?
  var readers: Readership?
}

extension GenreTable {
  /// Books share their subjects, so that nearly all are read once.
  private static let known = Mutex<[String: SubjectReading]>([:])
  private static let mostKnown = 50_000

  func reading(of subject: String) -> SubjectReading {
    if let known = Self.known.withLock({ $0[subject] }) { return known }
    let reading = SubjectReader(subject, in: self).reading()
    Self.known.withLock { known in
      if known.count >= Self.mostKnown { known = [:] }
      known[subject] = reading
    }
    return reading
  }
}
