/// The encodings documents come in. Everything is turned into checked UTF-8 before a parser sees
/// it; UTF-7, EBCDIC and other encodings that hide markup from a byte-wise look have no case.
package enum TextEncoding: Sendable, Hashable {
  case utf8, utf16LittleEndian, utf16BigEndian, ascii, latin1, windows1252
  /// Converted by the C library, under this name.
  case other(String)

  package var name: String {
    switch self {
    case .utf8: "UTF-8"
    case .utf16LittleEndian: "UTF-16LE"
    case .utf16BigEndian: "UTF-16BE"
    case .ascii: "US-ASCII"
    case .latin1: "ISO-8859-1"
    case .windows1252: "windows-1252"
    case .other(let name): name
    }
  }

  /// By a label as documents and transports write it.
  package init?(label: String) {
    let label = label.lowercased().filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
    switch label {
    case "utf-8", "utf8", "unicode-1-1-utf-8": self = .utf8
    case "utf-16", "utf-16le": self = .utf16LittleEndian
    case "utf-16be": self = .utf16BigEndian
    case "us-ascii", "ascii", "ansi_x3.4-1968", "iso646-us": self = .ascii
    case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "l1": self = .latin1
    case "windows-1252", "cp1252", "x-cp1252", "cp-1252": self = .windows1252
    default:
      guard let known = TextEncoding.others[label] else { return nil }
      self = .other(known)
    }
  }

  var isUTF16: Bool { self == .utf16LittleEndian || self == .utf16BigEndian }

  /// The byte order mark at the beginning, if any.
  static func mark(of head: some Collection<UInt8>) -> (encoding: TextEncoding, length: Int)? {
    let head = Array(head.prefix(3))
    if head == [0xEF, 0xBB, 0xBF] { return (.utf8, 3) }
    if head.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
    if head.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
    return nil
  }

  private static let others: [String: String] = {
    var names: [String: String] = [:]
    for part in [2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16] {
      names["iso-8859-\(part)"] = "ISO-8859-\(part)"
      names["iso8859-\(part)"] = "ISO-8859-\(part)"
    }
    for page in [1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258] {
      names["windows-\(page)"] = "CP\(page)"
      names["cp\(page)"] = "CP\(page)"
    }
    for (label, name) in [
      ("koi8-r", "KOI8-R"), ("koi8-u", "KOI8-U"), ("shift_jis", "CP932"), ("sjis", "CP932"),
      ("windows-31j", "CP932"), ("euc-jp", "EUC-JP"), ("euc-kr", "CP949"), ("big5", "BIG5"),
      ("gb2312", "GB18030"), ("gbk", "GB18030"), ("gb18030", "GB18030"),
    ] {
      names[label] = name
    }
    return names
  }()
}
