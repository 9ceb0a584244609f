import Markup
import Testing

@testable import XML

/// What a document repeats must not be read once more for each time that it is repeated: a megabyte of
/// these took minutes.
@Suite struct `A document of one piece repeated` {
  private static func repeated(_ piece: String) -> String {
    String(repeating: piece, count: (1 << 20) / piece.utf8.count)
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [XMLOptions.strict, .chapter, .recovering], ["<!--", "--", "-x-", "- -", "--\n"])
  func `a comment full of hyphens is read in time that grows with its size`(
    options: XMLOptions, piece: String
  ) {
    for end in ["", "-->"] {
      _ = try? XMLDocument(Array("<a><!--\(Self.repeated(piece))\(end)</a>".utf8), options)
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: [XMLOptions.strict, .chapter, .recovering])
  func `a tag full of ampersands is read in time that grows with its size`(options: XMLOptions) {
    for end in [">", ";\">x</a>", ""] {
      let tag = "<a b=\(Self.repeated("&").dropLast(1000))\(end)"
      _ = try? XMLDocument(Array(tag.utf8), options)
    }
  }

  @Test func `two hyphens in a comment are refused, and left out where faults are mended`() throws {
    let bytes = Array("<a>x<!-- a -- b --->y</a>".utf8)
    #expect(throws: XMLError.self) { try XMLDocument(bytes, .strict) }
    let mended = try XMLDocument(bytes, .recovering)
    #expect(mended.root.text == "xy" && !mended.warnings.isEmpty)
    #expect(try XMLDocument(Array("<a>x<!-- a - b --><!---->y</a>".utf8)).root.text == "xy")
  }
}
