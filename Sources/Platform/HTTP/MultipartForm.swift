/// A form with files in it (`multipart/form-data`, RFC 7578). Its parts are cut out of the body and
/// nothing is decoded: what a file is, is for whoever opens it to find out.
package struct MultipartForm: Sendable, Hashable {
  package struct File: Sendable, Hashable {
    package let field: String
    package let bytes: [UInt8]
  }

  /// What is not a file.
  package private(set) var fields = FormFields()
  package private(set) var files: [File] = []

  /// No form of ours has as many.
  private static let mostParts = 50
  private static let longestHead = 4096
  private static let longestValue = 1 << 16

  /// Nil for what is cut off, has no name, or has more parts than any form of ours.
  package init?(_ body: [UInt8], boundary: String) {
    // RFC 2046 §5.1.1.
    guard (1...70).contains(boundary.utf8.count),
      boundary.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    let mark = Array("--\(boundary)".utf8)
    // The first mark may stand at the very beginning, all others on a line of their own.
    guard body.starts(with: mark) else { return nil }
    var place = mark.count
    var parts = 0
    let next = Array("\r\n".utf8) + mark
    while true {
      let rest = body[place...]
      if rest.starts(with: [0x2D, 0x2D]) { return }
      guard rest.starts(with: [0x0D, 0x0A]), parts < Self.mostParts,
        let end = Self.find(next, in: body, from: place + 2)
      else { return nil }
      guard take(body[(place + 2)..<end]) else { return nil }
      parts += 1
      place = end + next.count
    }
  }

  package init?(_ body: [UInt8], type: MediaType) {
    guard type.essence == "multipart/form-data", let boundary = type["boundary"] else { return nil }
    self.init(body, boundary: boundary)
  }

  package func file(_ field: String) -> [UInt8]? { files.first { $0.field == field }?.bytes }

  private mutating func take(_ part: ArraySlice<UInt8>) -> Bool {
    let bytes = Array(part.prefix(Self.longestHead))
    guard let end = Self.find([0x0D, 0x0A, 0x0D, 0x0A], in: bytes, from: 0) else { return false }
    let content = part.dropFirst(end + 4)
    let head = String(decoding: bytes[..<end], as: UTF8.self)
    let lines = head.split(whereSeparator: \.isNewline)
    guard
      let line = lines.first(where: { $0.lowercased().hasPrefix("content-disposition:") }),
      let form = MediaType(parsing: "multipart/" + Self.disposition(line)),
      let name = form["name"]
    else { return false }
    if form["filename"] != nil {
      // A field where nothing was chosen comes along as a file without a name and without bytes.
      if !content.isEmpty { files.append(File(field: name, bytes: Array(content))) }
      return true
    }
    guard content.count <= Self.longestValue else { return false }
    fields.add(name, FormFields.plain(content))
    return true
  }

  /// `form-data; name="photo"`, which is written like a media type without its first half. A name of a
  /// file may have anything in it; ours count only as being there.
  private static func disposition(_ line: Substring) -> String {
    String(line.drop { $0 != ":" }.dropFirst().drop { $0 == " " })
  }

  private static func find(_ mark: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard let first = mark.first, bytes.count >= mark.count else { return nil }
    var place = start
    let last = bytes.count - mark.count
    while place <= last, let hit = bytes[place...last].firstIndex(of: first) {
      if bytes[hit..<(hit + mark.count)].elementsEqual(mark) { return hit }
      place = hit + 1
    }
    return nil
  }
}
