/// How a file is offered for saving (RFC 6266): a plain name for old readers, and the true one in
/// the extended form of RFC 8187 where the plain one cannot hold it.
package struct ContentDisposition: Sendable, Hashable, CustomStringConvertible {
  package enum Kind: String, Sendable {
    case attachment
    case inline
  }

  package let kind: Kind
  package let fileName: String

  package init(_ kind: Kind, fileName: String) { (self.kind, self.fileName) = (kind, fileName) }

  package var description: String {
    // Path separators and control bytes would let a name leave the reader's folder.
    let name = String(
      String.UnicodeScalarView(
        fileName.unicodeScalars.map {
          $0.value < 0x20 || $0.value == 0x7F || $0 == "/" || $0 == "\\" ? "_" : $0
        }))
    let plain = String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { $0.isASCII && $0 != "%" && $0 != "\"" ? $0 : "_" }))
    guard plain != name else { return "\(kind.rawValue); filename=\(quoted(plain))" }
    return "\(kind.rawValue); filename=\(quoted(plain)); filename*=UTF-8''\(extended(name))"
  }

  private func extended(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let isKept = { (byte: UInt8) in
      isTokenByte(byte) && byte != 0x25 && byte != 0x27 && byte != 0x2A
    }
    return String(
      decoding: text.utf8.flatMap { byte -> [UInt8] in
        isKept(byte) ? [byte] : [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }, as: UTF8.self)
  }
}
