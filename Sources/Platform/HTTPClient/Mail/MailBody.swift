/// One text of a message, encoded so that it survives any server on the way: short lines of ASCII.
struct MailBody {
  let type: String
  let encoding: String
  let lines: String

  init(_ text: String, type: String) {
    let bytes = MailBody.withNetworkLineEnds(text)
    let foreign = bytes.count { $0 >= 0x80 }
    self.type = type
    // Quoted-printable stays legible as long as most of it is ASCII.
    if foreign * 4 < bytes.count || bytes.isEmpty {
      encoding = "quoted-printable"
      lines = MailBody.quotedPrintable(bytes)
    } else {
      encoding = "base64"
      lines = MailBody.base64(bytes)
    }
  }

  /// Its headers, an empty line, and the text with a line end.
  var part: String {
    let head = "Content-Type: \(type); charset=utf-8\r\nContent-Transfer-Encoding: \(encoding)\r\n"
    return "\(head)\r\n\(lines)" + (lines.utf8.last == 0x0A ? "" : "\r\n")
  }

  private static func withNetworkLineEnds(_ text: String) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(text.utf8.count)
    var previous: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case 0x0A where previous == 0x0D: break
      case 0x0A, 0x0D: out += [0x0D, 0x0A]
      default: out.append(byte)
      }
      previous = byte
    }
    return out
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    stride(from: 0, to: bytes.count, by: 57).map {
      Base64.encode(bytes[$0..<min($0 + 57, bytes.count)])
    }.joined(separator: "\r\n")
  }

  /// RFC 2045 §6.7.
  private static func quotedPrintable(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var out: [UInt8] = []
    var width = 0
    for (index, byte) in bytes.enumerated() {
      if byte == 0x0D || byte == 0x0A {
        out.append(byte)
        width = 0
        continue
      }
      let endsLine = index + 1 == bytes.count || bytes[index + 1] == 0x0D
      // A line that begins with "From " is changed by old mailboxes.
      let startsFrom = width == 0 && bytes[index...].starts(with: Array("From ".utf8))
      let isPlain =
        (0x21...0x7E).contains(byte) && byte != 0x3D && !startsFrom
        || (byte == 0x20 || byte == 0x09) && !endsLine
      let token = isPlain ? [byte] : [0x3D, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      // One place is kept for the equals sign of a soft break.
      if width + token.count > MailText.widest - 1 {
        out += Array("=\r\n".utf8)
        width = 0
      }
      out += token
      width += token.count
    }
    return String(decoding: out, as: UTF8.self)
  }
}
