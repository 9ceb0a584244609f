/// A block of 512 bytes in front of each member.
struct TarHeader: Sendable {
  enum Kind: Sendable {
    case file, longName, longLink, pax, globalPax, other

    /// Says something about the member that follows it.
    var isExtension: Bool {
      switch self {
      case .longName, .longLink, .pax, .globalPax: true
      case .file, .other: false
      }
    }
  }

  static let size = 512

  var name: String
  var size: Int
  let kind: Kind

  /// What it takes in the archive, which is filled up to whole blocks.
  var padded: Int { (size + Self.size - 1) / Self.size * Self.size }

  /// Nil where the checksum is not that of a header.
  init?(_ block: ArraySlice<UInt8>) {
    let start = block.startIndex
    func field(_ offset: Int, _ length: Int) -> ArraySlice<UInt8> {
      block[(start + offset)..<(start + offset + length)]
    }
    // The checksum is counted with blanks in its own place; some old programs count signed bytes.
    let checksum = field(148, 8)
    var (sum, signed) = (8 * 32, 8 * 32)
    for index in block.indices where !checksum.indices.contains(index) {
      sum += Int(block[index])
      signed += Int(Int8(bitPattern: block[index]))
    }
    guard let told = Self.number(checksum), told == sum || told == signed,
      let size = Self.number(field(124, 12)), size >= 0, size < 1 << 50
    else { return nil }
    self.size = size
    kind =
      switch block[start + 156] {
      case 0, UInt8(ascii: "0"), UInt8(ascii: "7"): .file
      case UInt8(ascii: "L"): .longName
      case UInt8(ascii: "K"): .longLink
      case UInt8(ascii: "x"): .pax
      case UInt8(ascii: "g"): .globalPax
      default: .other
      }
    let name = Self.text(field(0, 100))
    // GNU writes `ustar` and two blanks, and has other things where the prefix would be.
    let isPosix = field(257, 6).elementsEqual([0x75, 0x73, 0x74, 0x61, 0x72, 0])
    let prefix = isPosix ? Self.text(field(345, 155)) : ""
    self.name = Self.plain(prefix.isEmpty ? name : prefix + "/" + name)
    // Links and folders may tell a size that nothing follows.
    if [UInt8(ascii: "1"), UInt8(ascii: "2"), UInt8(ascii: "5")].contains(block[start + 156]) {
      self.size = 0
    }
  }

  /// Up to the first zero.
  static func text(_ field: ArraySlice<UInt8>) -> String {
    plain(String(decoding: field.prefix { $0 != 0 }, as: UTF8.self))
  }

  private static func plain(_ name: String) -> String {
    name.hasPrefix("./") ? String(name.dropFirst(2)) : name
  }

  /// Octal digits among blanks and zeros, or, with the first bit set, a binary number.
  private static func number(_ field: ArraySlice<UInt8>) -> Int? {
    if let first = field.first, first & 0x80 != 0 {
      guard first == 0x80, field.dropFirst().dropLast(7).allSatisfy({ $0 == 0 }) else { return nil }
      return field.suffix(7).reduce(0) { $0 << 8 | Int($1) }
    }
    let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0 && $0 != 0x20 }
    var value = 0
    for digit in digits {
      guard (0x30...0x37).contains(digit) else { return nil }
      value = value << 3 | Int(digit - 0x30)
    }
    return value
  }

  /// `27 path=a/b/c\n`, where the number counts the whole line.
  static func paxFields(_ content: [UInt8]) -> [String: String]? {
    var fields: [String: String] = [:]
    var rest = content[...]
    while let blank = rest.firstIndex(of: 0x20) {
      guard let length = Int(String(decoding: rest[..<blank], as: UTF8.self)),
        length > blank - rest.startIndex + 1, length <= rest.count
      else { return nil }
      let line = rest[(blank + 1)..<(rest.startIndex + length - 1)]
      rest = rest.dropFirst(length)
      guard let sign = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      fields[String(decoding: line[..<sign], as: UTF8.self)] =
        plain(String(decoding: line[(sign + 1)...], as: UTF8.self))
    }
    return rest.allSatisfy { $0 == 0 } ? fields : nil
  }
}
