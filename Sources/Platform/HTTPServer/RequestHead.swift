package import HTTP

/// The head of one request, checked, and kept as the bytes that came. Names and values become
/// text only when a handler asks for them.
package final class RequestHead: Sendable {
  package enum Framing: Sendable, Hashable {
    case none
    case length(Int)
    case chunked
  }

  struct Marks: OptionSet, Sendable {
    let rawValue: UInt16
    static let close = Marks(rawValue: 1)
    static let keepAlive = Marks(rawValue: 2)
    static let expectsContinue = Marks(rawValue: 4)
    /// Any of the fields that can turn 200 into 206, 304, 412 or 416.
    static let conditional = Marks(rawValue: 8)
    static let acceptEncoding = Marks(rawValue: 16)
    static let forwarded = Marks(rawValue: 32)
  }

  package let method: Method
  package let framing: Framing
  /// 0 or 1.
  package let minorVersion: Int
  /// The decoded segments of the path, base path and all.
  package let path: [String]
  let target: Target
  let marks: Marks
  let lines: [FieldLine]
  let host: Range<Int>?
  private let bytes: [UInt8]
  private let targetText: Range<Int>

  init(_ scanner: HeadScanner, bytes: [UInt8], target: Target, path: [String]) {
    (self.bytes, self.target, self.path) = (bytes, target, path)
    (method, framing, minorVersion) = (scanner.method, scanner.framing, scanner.minorVersion)
    (marks, lines, host) = (scanner.marks, scanner.lines, scanner.host)
    targetText = scanner.target
  }

  /// As it stood in the request line.
  package var rawTarget: String { text(targetText) }

  package var query: FormFields {
    target.query.map { FormFields(parsing: bytes[$0]) } ?? FormFields()
  }

  package var rawQuery: String? { target.query.map(text) }

  package var rawPath: String { target.path.isEmpty ? "/" : text(target.path) }

  package var headers: Headers {
    Headers(lines.map { Headers.Field(text($0.name), text($0.value)) })
  }

  /// The first value of that name, found without making text of the others.
  package subscript(name: String) -> String? {
    let wanted = name.utf8
    for line in lines where line.name.count == wanted.count {
      let isSame = zip(bytes[line.name], wanted).allSatisfy {
        lowered($0) == lowered($1)
      }
      if isSame { return text(line.value) }
    }
    return nil
  }

  /// Whether the client wants to go on using the connection (RFC 9112 §9.3).
  var isPersistent: Bool {
    if marks.contains(.close) { return false }
    return minorVersion >= 1 || marks.contains(.keepAlive)
  }

  var hostText: String? {
    if let authority = target.authority { return text(authority) }
    return host.flatMap { $0.isEmpty ? nil : text($0) }
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  private func lowered(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}
