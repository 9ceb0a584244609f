/// How the texts of line protocols are written as bytes. In code page 850 and Latin-1 every byte is
/// some letter, so that a wrong setting shows as wrong letters and never as an error; in the others
/// bytes may mean nothing.
package enum Charset: String, Sendable, Hashable, CaseIterable {
  case ascii, utf8
  case latin1 = "iso-8859-1"
  case codePage850 = "cp850"

  /// Under the names that people write.
  package init?(named name: String) {
    switch name.lowercased().filter({ $0 != "-" && $0 != "_" && $0 != " " }) {
    case "ascii", "usascii": self = .ascii
    case "utf8": self = .utf8
    case "latin1", "iso88591": self = .latin1
    case "cp850", "codepage850", "850", "ibm850": self = .codePage850
    default: return nil
    }
  }

  /// The text, and whether every byte of it meant something. What meant nothing is U+FFFD in it.
  package func text(of bytes: some Collection<UInt8>) -> (text: String, isWhole: Bool) {
    if bytes.allSatisfy({ $0 < 0x80 }) { return (String(decoding: bytes, as: UTF8.self), true) }
    switch self {
    case .ascii:
      let text = String(
        String.UnicodeScalarView(bytes.map { $0 < 0x80 ? Unicode.Scalar($0) : "\u{FFFD}" }))
      return (text, false)
    case .utf8:
      let text = String(decoding: bytes, as: UTF8.self)
      return (text, text.utf8.elementsEqual(bytes))
    case .latin1:
      return (String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })), true)
    case .codePage850:
      let scalars = bytes.map { $0 < 0x80 ? Unicode.Scalar($0) : Self.upper850[Int($0) - 0x80] }
      return (String(String.UnicodeScalarView(scalars)), true)
    }
  }

  /// Nil where the text has a letter that cannot be written. A letter and its accent apart count as
  /// the one letter that they make.
  package func bytes(of text: String) -> [UInt8]? {
    if self == .utf8 || text.utf8.allSatisfy({ $0 < 0x80 }) { return Array(text.utf8) }
    guard let table = upperHalf else { return nil }
    var bytes: [UInt8] = []
    for letter in text {
      if letter.utf8.allSatisfy({ $0 < 0x80 }) {
        bytes += letter.utf8
      } else {
        guard let byte = table[letter] else { return nil }
        bytes.append(byte)
      }
    }
    return bytes
  }

  // By `Character`, which takes a letter with its accent behind it for the same as both in one.
  private var upperHalf: [Character: UInt8]? {
    switch self {
    case .latin1: Self.latin
    case .codePage850: Self.bytes850
    case .ascii, .utf8: nil
    }
  }

  private static let latin = table((0x80...0xFF).map { Unicode.Scalar(UInt8($0)) })
  private static let bytes850 = table(upper850)

  private static func table(_ letters: [Unicode.Scalar]) -> [Character: UInt8] {
    [Character: UInt8](
      uniqueKeysWithValues: letters.enumerated().map { (Character($1), UInt8($0 + 0x80)) })
  }

  private static let upper850: [Unicode.Scalar] = Array(
    ("ÇüéâäàåçêëèïîìÄÅ"
      + "ÉæÆôöòûùÿÖÜø£Ø×ƒ"
      + "áíóúñÑªº¿®¬½¼¡«»"
      + "░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐"
      + "└┴┬├─┼ãÃ╚╔╩╦╠═╬¤"
      + "ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀"
      + "ÓßÔÒõÕµþÞÚÛÙýÝ¯´"
      + "\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}").unicodeScalars)
}
