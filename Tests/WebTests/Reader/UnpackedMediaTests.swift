import Chapters
import Circulation
import EPUB
import FoundationEssentials
import HTTPServer
import TestSupport
import Testing

@testable import Web

@Suite struct `Media of books that are unpacked` {
  /// Three recordings of 300,000 bytes.
  private static let book = Result {
    var book = PaperBook(["<p>x</p>"])
    for name in ["a", "b", "c"] {
      book.add("\(name).mp3", "audio/mpeg", String(repeating: name, count: 300_000))
    }
    return OpenBook(try Book(book.bytes), digest: "d")
  }

  private static func file(
    _ name: String, _ media: UnpackedMedia, _ patron: PatronID
  ) throws -> FileBody? {
    let (book, path) = (try book.get(), "OPS/\(name).mp3")
    return try media.file(
      of: try book.media(at: path), .init(digest: book.digest, path: path), for: patron)
  }

  private func play(
    _ body: (UnpackedMedia, TestSupport.TemporaryFolder) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      var bounds = UnpackedMedia.Bounds()
      (bounds.ofOnePatron, bounds.all, bounds.kept) = (700_000, 1_000_000, 400_000)
      try await body(UnpackedMedia(in: folder.path("media"), bounds), folder)
    }
  }

  private let ada = PatronID("ada")
  private let bob = PatronID("bob")

  @Test func `are whole, in files without a name, and the same file for all`() async throws {
    try await play { media, folder async throws in
      let file = try #require(try Self.file("b", media, ada))
      #expect(file.read(0..<file.length) == [UInt8](repeating: 0x62, count: 300_000))
      let file1 = try Self.file("b", media, bob)
      #expect(file1 === file)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("media"))
      #expect(names.isEmpty)
    }
  }

  @Test func `take no more room than a patron may have, until one is no longer sent`() async throws
  {
    try await play { media, _ async throws in
      var sending = [try #require(try Self.file("a", media, ada))]
      sending.append(try #require(try Self.file("b", media, ada)))
      let file2 = try Self.file("c", media, ada)
      #expect(file2 == nil)
      let file3 = try Self.file("a", media, ada)
      #expect(file3 === sending[0])
      sending.removeLast()
      let file5 = try Self.file("c", media, ada)
      #expect(file5 != nil)
    }
  }

  @Test func `give way to others once nothing is sent from them`() async throws {
    try await play { media, _ async throws in
      for name in ["a", "b", "c", "a", "b", "c"] {
        let file6 = try Self.file(name, media, ada)
        #expect(file6 != nil)
      }
    }
  }

  @Test func `are none of the small parts, and none of those that are rebuilt`() throws {
    var paper = PaperBook(["<p>x</p>"])
    paper.add("small.mp3", "audio/mpeg", "x")
    paper.add("large.css", "text/css", String(repeating: "p{color:red}", count: 30_000))
    paper.add("large.svg", "image/svg+xml", String(repeating: " ", count: 300_000))
    let book = OpenBook(try Book(paper.bytes), digest: "d")
    for name in ["small.mp3", "large.css", "large.svg", "c0.xhtml"] {
      #expect(!book.isLargeMedia("OPS/\(name)"), "\(name)")
    }
  }
}
