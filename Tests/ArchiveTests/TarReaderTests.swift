import Archive
import Testing

@Suite struct `A tar archive` {
  private func archive(_ members: [(String, [UInt8])]) -> [UInt8] {
    var tar = TarWriter()
    for (name, content) in members { tar.add(name, content) }
    tar.finish()
    return tar.bytes
  }

  /// All members, from pieces of this size.
  private func read(
    _ bytes: [UInt8], piece: Int = 700, limit: Int = 1 << 20,
    wanting wants: @escaping @Sendable (String) -> Bool = { _ in true }
  ) throws -> [TarMember] {
    var reader = TarReader(memberLimit: limit, wanting: wants)
    var members: [TarMember] = []
    var rest = bytes[...]
    while true {
      switch try reader.next() {
      case .member(let member): members.append(member)
      case .tooLarge(let name, _): members.append(TarMember(name, Array("too large".utf8)))
      case .end: return members
      case .needsMore:
        guard !rest.isEmpty else {
          try reader.finish()
          return members
        }
        reader.feed(Array(rest.prefix(piece)))
        rest = rest.dropFirst(piece)
      }
    }
  }

  private let members: [(String, [UInt8])] = [
    ("a", []), ("b/c", Array(repeating: 1, count: 512)), ("d", Array(repeating: 2, count: 1300)),
  ]

  @Test(arguments: [1, 511, 512, 513, 100_000])
  func `A tar archive is read from pieces of any size`(_ piece: Int) throws {
    let found = try read(archive(members), piece: piece)
    #expect(found.map(\.name) == ["a", "b/c", "d"])
    #expect(found.map(\.bytes) == members.map(\.1))
  }

  @Test func `A tar archive has names as long as paths`() throws {
    let name = String(repeating: "long/", count: 60) + "end"
    #expect(try read(archive([(name, [7])])) == [TarMember(name, [7])])
  }

  @Test func `A tar archive has names and sizes in pax headers`() throws {
    let name = "über/" + String(repeating: "x", count: 120)
    let record = " path=\(name)\n"
    let length = record.utf8.count + 3
    var pax = archive([("pax", Array("\(length)\(record)".utf8)), ("short", [1, 2])])
    pax[156] = UInt8(ascii: "x")
    mendChecksum(&pax, at: 0)
    #expect(try read(pax) == [TarMember(name, [1, 2])])
  }

  @Test func `A tar archive passes over folders and what nobody wants`() throws {
    var tar = TarWriter()
    tar.addFolder("folder")
    tar.add("no", [1])
    tar.add("yes", [2])
    tar.finish()
    #expect(try read(tar.bytes, wanting: { $0 == "yes" }) == [TarMember("yes", [2])])
  }

  @Test func `A tar archive tells of a member that is too large and goes on`() throws {
    let found = try read(
      archive([("big", Array(repeating: 0, count: 5000)), ("small", [1])]), limit: 99)
    #expect(found.map(\.name) == ["big", "small"])
    #expect(found[0].bytes == Array("too large".utf8))
  }

  @Test func `A tar archive cut short names the member that is not whole`() throws {
    let bytes = archive(members)
    #expect(throws: TarError.truncated(member: "d")) { try read(Array(bytes.prefix(2600))) }
    #expect(throws: TarError.truncated(member: nil)) { try read(Array(bytes.prefix(700))) }
  }

  @Test func `A tar archive ends behind two empty blocks, whatever follows`() throws {
    #expect(try read(archive(members) + [1, 2, 3]).count == 3)
  }

  @Test func `A tar archive with a header that is none is damaged`() throws {
    var bytes = archive(members)
    bytes[512 + 3] ^= 1
    #expect(throws: TarError.damaged(after: "a")) { try read(bytes) }
  }

  @Test func `A tar archive with a size of any make is no reason to run out of memory`() throws {
    var bytes = archive([("a", [1])])
    // Binary, and larger than any disk.
    bytes.replaceSubrange(124..<136, with: [0x80, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0, 0, 0, 0])
    mendChecksum(&bytes, at: 0)
    #expect(throws: TarError.self) { try read(bytes) }
  }

  private func mendChecksum(_ bytes: inout [UInt8], at start: Int) {
    bytes.replaceSubrange(start + 148..<start + 156, with: Array(repeating: 0x20, count: 8))
    let sum = bytes[start..<start + 512].reduce(0) { $0 + Int($1) }
    let digits = String(sum, radix: 8)
    let text = String(repeating: "0", count: 6 - digits.count) + digits
    bytes.replaceSubrange(start + 148..<start + 154, with: Array(text.utf8))
    bytes[start + 154] = 0
  }
}
