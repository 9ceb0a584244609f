import HTTP

/// What is remembered beside a part file: enough to ask the server for the rest of the same
/// version, and to notice when the part is of something else. No address is written down: it may
/// hold a token.
struct PartNote: Equatable {
  let key: String
  let validator: String
  let total: Int?

  /// A fingerprint of where the file comes from. Queries are left out, for they carry signatures
  /// that change with each asking.
  static func key(of address: Address) -> String { key(named: "\(address.origin)\(address.path)") }

  static func key(named name: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return String(hash, radix: 16)
  }

  init(key: String, validator: String, total: Int?) {
    self.key = key
    self.validator = validator
    self.total = total
  }

  var bytes: [UInt8] {
    Array("carrel-part 1\n\(key)\n\(validator)\n\(total.map { String($0) } ?? "-")\n".utf8)
  }

  init?(_ bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 5, lines[0] == "carrel-part 1", lines[4].isEmpty, !lines[2].isEmpty,
      lines[3] == "-" || Int(lines[3]) != nil
    else { return nil }
    self.init(key: String(lines[1]), validator: String(lines[2]), total: Int(lines[3]))
  }
}
