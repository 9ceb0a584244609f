extension Address {
  /// One `name=value` of a query, not yet encoded.
  package struct QueryItem: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// The same address asking for more: the items follow what the query already holds.
  package func adding(_ items: [QueryItem]) -> Address {
    guard !items.isEmpty else { return self }
    let added = items.map { "\(Address.encoded($0.name))=\(Address.encoded($0.value))" }
    let before = query.flatMap { $0.isEmpty ? nil : [$0] } ?? []
    return Address(
      self, host: host, path: path, query: (before + added).joined(separator: "&"),
      fragment: fragment)
  }

  /// The same address with only these items for a query; none removes it.
  package func replacingQuery(_ items: [QueryItem]) -> Address {
    Address(self, host: host, path: path, query: nil, fragment: fragment).adding(items)
  }

  /// One step below this address. Whatever the segment holds, it stays one segment: a slash in
  /// it is encoded, and a dot segment cannot come out of it.
  package func appending(segment: String) -> Address {
    let encoded =
      segment.utf8.allSatisfy { $0 == UInt8(ascii: ".") } && (1...2).contains(segment.utf8.count)
      ? segment.utf8.map { _ in "%2E" }.joined() : Address.encoded(segment)
    let slash = path.utf8.last == UInt8(ascii: "/") ? "" : "/"
    return Address(self, host: host, path: path + slash + encoded, query: nil, fragment: nil)
  }

  /// Everything but the unreserved characters becomes `%XX`, so the result means the same in a
  /// path, in a query, and to readers that take a plus for a blank.
  package static func encoded(_ text: String) -> String {
    var out: [UInt8] = []
    out.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: out.append(byte)
      default: out += percent(byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
