import Text

/// What came over the line, taken apart as the paper says.
struct LineQuestion {
  enum Fault: Error { case unread }

  let code: String
  private let fixed: [UInt8]
  private let fields: [(code: String, value: [UInt8])]
  /// The digit that the answer has to repeat.
  let number: UInt8?
  let isSummed: Bool

  /// Refuses what has a wrong sum, an unknown code, or too few signs.
  init(_ line: [UInt8]) throws(Fault) {
    var bytes = line[...]
    while let first = bytes.first, first <= 0x20 { bytes = bytes.dropFirst() }
    guard bytes.count >= 2 else { throw .unread }
    (isSummed, number) = Self.trailer(of: bytes)
    if isSummed {
      let said = UInt16(String(decoding: bytes.suffix(4), as: UTF8.self), radix: 16)
      guard let said, said &+ Self.sum(bytes.dropLast(4)) == 0 else { throw .unread }
    }
    code = String(decoding: bytes.prefix(2), as: UTF8.self)
    guard let length = Self.lengths[code] else { throw .unread }
    var body = bytes.dropFirst(2)
    if isSummed { body = body.dropLast(number == nil ? 6 : 9) }
    guard body.count >= length else { throw .unread }
    fixed = Array(body.prefix(length))
    fields = body.dropFirst(length).split(separator: UInt8(ascii: "|")).compactMap { piece in
      guard piece.count >= 2 else { return nil }
      return (String(decoding: piece.prefix(2), as: UTF8.self), Array(piece.dropFirst(2)))
    }
  }

  /// Signs of fixed place behind the code of each message that we answer.
  private static let lengths = [
    "93": 2, "99": 8, "63": 31, "23": 21, "17": 18, "15": 19, "29": 38, "35": 18, "97": 0,
  ]

  private static func trailer(of bytes: ArraySlice<UInt8>) -> (isSummed: Bool, UInt8?) {
    guard bytes.count >= 8, bytes.dropLast(4).suffix(2).elementsEqual("AZ".utf8) else {
      return (false, nil)
    }
    let before = bytes.dropLast(6).suffix(3)
    guard before.starts(with: "AY".utf8), let digit = before.last else { return (true, nil) }
    return (true, digit)
  }

  static func sum(_ bytes: some Sequence<UInt8>) -> UInt16 {
    bytes.reduce(UInt16(0)) { $0 &+ UInt16($1) }
  }

  subscript(code: String) -> [UInt8]? { fields.first { $0.code == code }?.value }

  func text(_ code: String, in charset: Charset) -> String? {
    self[code].map { charset.text(of: $0).text }
  }

  func fixed(_ range: Range<Int>) -> String { String(decoding: fixed[range], as: UTF8.self) }

  /// Without the passwords of readers and machines.
  var veiled: String {
    let secrets: Set = ["AC", "AD", "CN", "CO"]
    let told = fields.map { field in
      let value = String(decoding: field.value, as: UTF8.self)
      return field.code + (secrets.contains(field.code) && !value.isEmpty ? "•••" : value)
    }
    return code + String(decoding: fixed, as: UTF8.self) + told.map { $0 + "|" }.joined()
  }

  /// What a journal may call it.
  var name: String { Self.name(of: code, fixed) }

  static func name(of code: String, _ fixed: [UInt8]) -> String {
    switch code {
    case "93": "login"
    case "99": "status"
    case "63": "patron"
    case "23": "patron_status"
    case "17": "item"
    case "15":
      switch fixed.first {
      case UInt8(ascii: "+"): "hold"
      case UInt8(ascii: "-"): "cancel_hold"
      default: "move_hold"
      }
    case "29": "renew"
    case "35": "end"
    case "97": "again"
    default: "unknown"
    }
  }
}
