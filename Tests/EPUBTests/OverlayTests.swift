import Testing

@testable import EPUB

@Suite struct `A book read aloud` {
  @Test(arguments: [
    ("5:34:31.396", 20071.396), ("124:59:36", 449_976), ("0:05:01.2", 301.2), ("00:56.78", 56.78),
    ("12.345s", 12.345), ("345ms", 0.345), ("7.75h", 27900), ("76.2s", 76.2), ("09.58", 9.58),
    ("2min", 120), (" 5 ", 5),
  ])
  func `A book read aloud tells its times`(_ pair: (String, Double)) throws {
    #expect(abs(try #require(ClockValue.seconds(pair.0)) - pair.1) < 1e-9)
  }

  @Test(arguments: [
    "", "x", "1:2", "1:02:3", "60:00:61", "00:60", "-1s", "1e5", ".5", "1.", "1:00:00:00", "∞",
  ])
  func `A book read aloud takes no time that is none`(_ text: String) {
    #expect(ClockValue.seconds(text) == nil)
  }

  private static func smil(_ body: String) -> String {
    """
    <smil xmlns="http://www.w3.org/ns/SMIL" xmlns:epub="http://www.idpf.org/2007/ops" \
    version="3.0"><body>\(body)</body></smil>
    """
  }

  private func overlay(_ body: String) throws -> Overlay {
    Overlay(try SourceTree(Array(Self.smil(body).utf8)), at: "OPS/one.smil")
  }

  @Test func `A book read aloud has words and what says them, in order`() throws {
    let overlay = try overlay(
      """
      <seq epub:type="chapter" epub:textref="one.xhtml"><par id="a"><text src="one.xhtml#a"/>\
      <audio src="a.mp3" clipBegin="0s" clipEnd="2.5s"/></par><seq epub:type="footnote"><par>\
      <text src="one.xhtml#b"/><audio src="a.mp3" clipBegin="2.5s"/></par></seq>\
      <par epub:type="figure"><text src="one.xhtml#c"/></par></seq>
      """)
    #expect(overlay.clips.map(\.text.fragment) == ["a", "b", "c"])
    #expect(overlay.clips.map(\.audio?.path) == ["OPS/a.mp3", "OPS/a.mp3", nil])
    #expect(overlay.clips.map(\.duration) == [2.5, nil, 0])
    #expect(
      overlay.clips.map(\.types) == [["chapter"], ["chapter", "footnote"], ["chapter", "figure"]])
  }

  @Test(arguments: [
    "<par><text src='a#a'/><audio src='a.mp3' clipBegin='soon'/></par>",
    "<par><text src='a#a'/><audio src='a.mp3' clipBegin='5s' clipEnd='4s'/></par>",
    "<par><audio src='a.mp3'/></par>", "<par><text src='https://a.example/'/></par>", "<par/>",
  ])
  func `A book read aloud leaves out what nobody understands`(_ par: String) throws {
    let overlay = try overlay(par + "<par><text src='a#b'/></par>")
    #expect(overlay.clips.map(\.text.fragment) == ["b"] && overlay.skipped == 1)
  }

  @Test func `A book read aloud is one line of time from beginning to end`() throws {
    let book = TestBook().packaged(
      metadata: TestBook.metadata
        + "<meta property='media:duration' refines='#so'>10s</meta>",
      manifest: """
        <item id="one" href="one.xhtml" media-type="application/xhtml+xml" media-overlay="so"/>\
        <item id="two" href="two.xhtml" media-type="application/xhtml+xml" media-overlay="st"/>\
        <item id="so" href="one.smil" media-type="application/smil+xml"/>\
        <item id="st" href="two.smil" media-type="application/smil+xml"/>
        """
    ).with(
      "OPS/one.smil",
      Self.smil(
        "<par><text src='one.xhtml#a'/><audio src='a.mp3' clipEnd='4s'/></par>"
          + "<par><text src='one.xhtml#b'/><audio src='a.mp3' clipBegin='4s'/></par>")
    ).with(
      "OPS/two.smil",
      Self.smil("<par><text src='two.xhtml'/><audio src='b.mp3' clipEnd='5s'/></par>"))
    let timeline = Timeline(try book.opened())
    #expect(timeline.entries.map(\.start) == [0, 4, 10])
    #expect(timeline.entries.map(\.spine) == [0, 0, 1])
    #expect(timeline.duration == 15)
    #expect(
      timeline.entry(at: 3.9) == 0 && timeline.entry(at: 4) == 1 && timeline.entry(at: 99) == 2)
    #expect(timeline.entry(for: "OPS/one.xhtml", fragment: "b") == 1)
    #expect(timeline.entry(for: "OPS/two.xhtml", fragment: nil) == 2)
    #expect(timeline.entry(at: -1) == nil && timeline.unread.isEmpty)
  }

  @Test func `A book read aloud goes on where an overlay is missing`() throws {
    let book = TestBook().packaged(
      manifest: """
        <item id="one" href="one.xhtml" media-type="application/xhtml+xml" media-overlay="so"/>\
        <item id="two" href="two.xhtml" media-type="application/xhtml+xml"/>\
        <item id="so" href="gone.smil" media-type="application/smil+xml"/>
        """)
    let timeline = Timeline(try book.opened())
    #expect(timeline.entries.isEmpty && timeline.unread == ["OPS/gone.smil"])
  }
}
