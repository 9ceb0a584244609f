/// Names and values of a query or of a form body (`application/x-www-form-urlencoded`), in their
/// order. Reading never fails, as browsers do it: a stray `%` stands for itself, broken UTF-8
/// becomes U+FFFD, and so does NUL, which no database and no C function takes for text.
package struct FormFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  package struct Field: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// Names behind this many are dropped: no form of ours is longer.
  package static let most = 1000

  package private(set) var fields: [Field]

  package init(_ fields: [Field] = []) { self.fields = fields }

  package init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field($0.0, $0.1) }
  }

  package init(parsing text: some Collection<UInt8>) {
    fields = []
    for pair in text.split(separator: UInt8(ascii: "&")) {
      guard fields.count < FormFields.most else { return }
      let cut = pair.firstIndex(of: UInt8(ascii: "="))
      let name = FormFields.decode(pair[..<(cut ?? pair.endIndex)])
      let value = cut.map { FormFields.decode(pair[pair.index(after: $0)...]) } ?? ""
      fields.append(Field(name, value))
    }
  }

  package init(parsing text: String) { self.init(parsing: text.utf8) }

  /// The first value of that name.
  package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  package func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  package mutating func add(_ name: String, _ value: String) { fields.append(Field(name, value)) }

  package var isEmpty: Bool { fields.isEmpty }

  /// The text behind `?`, or the body of a form.
  package var encoded: String {
    fields.map {
      "\(PercentCoding.encode(query: $0.name))=\(PercentCoding.encode(query: $0.value))"
    }.joined(separator: "&")
  }

  private static func decode(_ text: some Collection<UInt8>) -> String {
    let raw = Array(text)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(raw.count)
    var index = 0
    while index < raw.count {
      let byte = raw[index]
      index += 1
      if byte == UInt8(ascii: "+") {
        bytes.append(0x20)
      } else if byte == UInt8(ascii: "%"), index + 1 < raw.count,
        let high = PercentCoding.hexDigit(raw[index]),
        let low = PercentCoding.hexDigit(raw[index + 1])
      {
        bytes.append(high << 4 | low)
        index += 2
      } else {
        bytes.append(byte)
      }
    }
    return plain(bytes)
  }

  static func plain(_ bytes: some Collection<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    return bytes.contains(0) ? text.replacing("\0", with: "\u{FFFD}") : text
  }
}
