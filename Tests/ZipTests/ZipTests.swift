import TestSupport
import Testing

@testable import Zip

@Suite struct `A ZIP archive` {
  private typealias Entry = TestArchive.Entry

  private func error(_ body: () throws -> Void) -> ZipError? {
    do { try body() } catch { return error as? ZipError }
    return nil
  }

  private func opening(_ archive: TestArchive, _ limits: ZipLimits = .standard) -> ZipError? {
    error { _ = try ZipArchive(archive.bytes, limits) }
  }

  private func text(_ archive: ZipArchive, _ name: String) throws -> String {
    let (entry, _) = try #require(archive.entry(named: name))
    return String(decoding: try archive.read(entry, upTo: 1 << 20), as: UTF8.self)
  }

  private let long = String(repeating: "All that is gold does not glitter. ", count: 5000)

  @Test func `A ZIP archive gives each entry, stored or deflated, in any order`() throws {
    let archive = try ZipArchive(
      TestArchive([Entry("a", "first"), Entry("b/c", long).deflated(), Entry("d", "")]).bytes)
    #expect(archive.entries.map(\.name) == ["a", "b/c", "d"])
    #expect(archive.entries.map(\.isStored) == [true, false, true])
    #expect(archive.warnings.isEmpty)
    #expect(try text(archive, "b/c") == long)
    #expect(try text(archive, "a") == "first")
    #expect(try text(archive, "d") == "")
    #expect(archive.entry(named: "e") == nil)
  }

  @Test func `A ZIP archive is read from a file as from memory`() throws {
    let folder = try TemporaryFolder()
    var packed = TestArchive([Entry("a", long).deflated()])
    packed.before = Array("#!/bin/sh\n".utf8)
    let file = try folder.write(packed.bytes, to: "a.zip")
    let archive = try ZipArchive(file: file)
    #expect(try text(archive, "a") == long)
    #expect(archive.warnings == [.padded])
    let missing = error { _ = try ZipArchive(file: folder.path("nothing")) }
    guard case .noFile = missing else {
      Issue.record("\(String(describing: missing))")
      return
    }
    let directory = error { _ = try ZipArchive(file: folder.path) }
    #expect(directory == .noFile("not a file"))
  }

  @Test func `A ZIP archive may have a comment, and bytes before and behind it`() throws {
    var packed = TestArchive([Entry("a", "first")])
    packed.comment = Array("a comment with PK\u{5}\u{6} in it, long enough to be a record".utf8)
    #expect(try text(ZipArchive(packed.bytes), "a") == "first")
    packed.comment = []
    packed.before = [1, 2, 3]
    packed.after = [4, 5]
    let archive = try ZipArchive(packed.bytes)
    #expect(try text(archive, "a") == "first")
    #expect(archive.warnings == [.padded])
  }

  @Test func `A ZIP archive of two entries with one name the first counts`() throws {
    let archive = try ZipArchive(TestArchive([Entry("a", "first"), Entry("a", "second")]).bytes)
    #expect(try text(archive, "a") == "first")
    #expect(archive.entries.count == 1)
    #expect(archive.warnings == [.duplicate("a")])
  }

  @Test(arguments: ["/etc/passwd", "../up", "a/../../b", "C:evil", "\\\\host\\x", "a\nb", "./a"])
  func `A ZIP archive leaves out names that are none`(_ name: String) throws {
    let archive = try ZipArchive(TestArchive([Entry("good", "x"), Entry(name, "y")]).bytes)
    #expect(archive.entries.map(\.name) == ["good"])
    #expect(archive.warnings.count == 1)
    #expect(archive.entry(named: name) == nil)
  }

  @Test func `A ZIP archive leaves out names longer than any path`() throws {
    let long = String(repeating: "a/", count: 2049)
    let archive = try ZipArchive(TestArchive([Entry("good", "x"), Entry(long, "y")]).bytes)
    #expect(archive.entries.map(\.name) == ["good"])
  }

  @Test func `A ZIP archive leaves out links`() throws {
    var link = Entry("link", "/etc/passwd")
    link.attributes = 0o120777 << 16
    let archive = try ZipArchive(TestArchive([Entry("good", "x"), link]).bytes)
    #expect(archive.entries.map(\.name) == ["good"])
    #expect(archive.warnings == [.unsafeName("link")])
  }

  @Test func `A ZIP archive finds names that differ in case, in composition or in slashes last`()
    throws
  {
    let archive = try ZipArchive(
      TestArchive([
        Entry("Text/One.xhtml", "1"), Entry("caf\u{E9}", "2"), Entry("dir\\two", "3"),
      ]).bytes)
    #expect(archive.entry(named: "Text/One.xhtml")?.fit == .exact)
    #expect(archive.entry(named: "text/one.xhtml")?.fit == .folded)
    #expect(archive.entry(named: "cafe\u{301}")?.fit == .normalized)
    #expect(archive.entry(named: "dir/two")?.fit == .folded)
    #expect(archive.warnings == [.unsafeName("dir\\two")])
  }

  @Test func `A ZIP archive tells of names that only case keeps apart`() throws {
    let archive = try ZipArchive(TestArchive([Entry("a", "x"), Entry("A", "y")]).bytes)
    #expect(archive.warnings == [.colliding("a", "A")])
    #expect(try text(archive, "A") == "y")
  }

  @Test func `A ZIP archive takes names that are not UTF-8 for those of old computers`() throws {
    var entry = Entry("", "x")
    (entry.name, entry.flags) = ([0x63, 0x61, 0x66, 0x82], 0)
    #expect(try ZipArchive(TestArchive([entry]).bytes).entries.map(\.name) == ["café"])
  }

  @Test func `A ZIP archive is refused in parts, encrypted or packed in other ways`() {
    var parts = TestArchive([Entry("a", "x")])
    parts.disk = 1
    #expect(opening(parts) == .split)
    var locked = Entry("a", "x")
    locked.flags |= 1
    #expect(opening(TestArchive([locked])) == .encrypted(entry: "a"))
    var packed = Entry("a", "x")
    packed.method = 14
    #expect(opening(TestArchive([packed])) == .unknownMethod(entry: "a", 14))
  }

  @Test func `A ZIP archive is refused where there is none, or only a part of one`() {
    for bytes in [[], Array("no archive at all".utf8), [UInt8](repeating: 0x50, count: 70_000)] {
      #expect(error { _ = try ZipArchive(bytes) } == .unreadable("no directory"))
    }
    let whole = TestArchive([Entry("a", long), Entry("b", long)]).bytes
    for count in stride(from: 1, to: whole.count, by: 4999) {
      guard case .unreadable = error({ _ = try ZipArchive(Array(whole.prefix(count))) }) else {
        Issue.record("\(count)")
        return
      }
    }
    for count in [1, 30, 60] {
      let fault = error { _ = try ZipArchive(Array(whole.dropFirst(count))) }
      #expect(fault == .unreadable("no directory"))
    }
  }

  @Test func `A ZIP archive has a limit for each measure`() {
    var limits = ZipLimits()
    let archive = TestArchive([Entry("a", "x"), Entry("b", "x"), Entry("c", "x")])
    limits.entries = 2
    #expect(opening(archive, limits) == .tooLarge(.entries, limit: 2))
    limits = ZipLimits()
    limits.directory = 100
    #expect(opening(archive, limits) == .tooLarge(.directory, limit: 100))
    limits = ZipLimits()
    limits.archive = 100
    #expect(opening(archive, limits) == .tooLarge(.archive, limit: 100))
  }

  @Test func `A ZIP archive stops where an entry unpacks to more than is wanted`() throws {
    let archive = try ZipArchive(TestArchive([Entry("a", long).deflated()]).bytes)
    let entry = archive.entries[0]
    #expect(error { _ = try archive.read(entry, upTo: 1000) } == .tooLarge(.inflated, limit: 1000))
  }

  @Test func `A ZIP archive stops where an entry unpacks to many times its size`() throws {
    var limits = ZipLimits()
    (limits.ratio, limits.anyway) = (100, 1 << 20)
    let zeros = Entry("bomb", [UInt8](repeating: 0, count: 4 << 20)).deflated()
    let archive = try ZipArchive(TestArchive([zeros]).bytes, limits)
    let fault = error { _ = try archive.read(archive.entries[0], upTo: 1 << 30) }
    #expect(fault == .tooLarge(.ratio, limit: 100))
  }

  @Test func `A ZIP archive counts what comes out and not what the header says`() throws {
    var liar = Entry("a", long).deflated()
    liar.size = 10
    let archive = try ZipArchive(TestArchive([liar]).bytes)
    #expect(error { _ = try archive.read(archive.entries[0], upTo: 1 << 20) } != nil)
  }

  @Test func `A ZIP archive tells of bytes that are not those of the checksum`() throws {
    var wrong = Entry("a", "first")
    wrong.sum ^= 1
    let archive = try ZipArchive(TestArchive([wrong]).bytes)
    let fault = error { _ = try archive.read(archive.entries[0], upTo: 1 << 20) }
    #expect(fault == .damaged(entry: "a"))
  }

  @Test(arguments: [(2, nil), (50, ZipError.overlapping)])
  func `A ZIP archive is refused where many entries share their bytes`(
    _ count: Int, _ fault: ZipError?
  ) throws {
    let first = Entry("0", [UInt8](repeating: 1, count: 10_000))
    var archive = TestArchive([first])
    for number in 1..<count {
      var entry = first
      (entry.name, entry.sharesBytes) = (Array("\(number)".utf8), true)
      archive.entries.append(entry)
    }
    #expect(opening(archive) == fault)
    if fault == nil { #expect(try ZipArchive(archive.bytes).warnings == [.overlapping]) }
  }

  @Test func `A ZIP archive is read by several at once`() async throws {
    let texts = (0..<20).map { "\($0) " + String(repeating: "\($0 * $0) and on. ", count: 3000) }
    let entries = texts.enumerated().map { Entry("e\($0)", $1) }
    let archive = try ZipArchive(
      TestArchive(entries.map { $0.size.isMultiple(of: 2) ? $0.deflated() : $0 }).bytes)
    try await withThrowingTaskGroup(of: Bool.self) { readers in
      for reader in 0..<8 {
        readers.addTask {
          for step in texts.indices {
            let place = (step * 7 + reader) % texts.count
            let bytes = try archive.read(archive.entries[place], upTo: 1 << 20)
            if String(decoding: bytes, as: UTF8.self) != texts[place] { return false }
          }
          return true
        }
      }
      for try await isRight in readers { #expect(isRight) }
    }
  }

  @Test func `A ZIP archive tells of a packed entry that is cut or changed`() throws {
    let sound = Entry("a", long).deflated()
    var (cut, summed, wrong) = (sound, sound, sound)
    cut.packed.removeLast(20)
    summed.sum ^= 1
    for entry in [cut, summed] {
      let archive = try ZipArchive(TestArchive([entry, Entry("b", "x")]).bytes)
      let fault = error { _ = try archive.read(archive.entries[0], upTo: 1 << 20) }
      #expect(fault == .damaged(entry: "a"))
      #expect(try text(archive, "b") == "x")
    }
    // A size that is a little wrong is the fault of a careless tool.
    wrong.size -= 1
    #expect(try text(ZipArchive(TestArchive([wrong]).bytes), "a") == long)
  }

  @Test func `A ZIP archive gives an entry piece by piece until there is enough`() throws {
    let archive = try ZipArchive(TestArchive([Entry("a", long).deflated()]).bytes)
    var got = 0
    try archive.read(archive.entries[0], upTo: 1 << 20) { piece throws(ZipError) in
      got += piece.count
      return false
    }
    #expect(got > 0 && got < long.utf8.count)
  }
}
