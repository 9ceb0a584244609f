import Foundation
import HTTP
import HTTPClient
import JourneySupport
import TestSupport
import Testing

/// A recording that is small in the book and large when it is unpacked.
extension `A hostile book in the web reader` {
  @Test(arguments: Engine.allCases)
  func `recordings that are asked for and not read take no memory, and arrive whole when they are`(
    engine: Engine
  ) async throws {
    let recording = Self.recording
    try await play(engine, lending: Self.book(with: recording)) { gateway, patron, parts in
      let path = "\(parts)r/a.mp3"
      let before = try ProcessMemory.peak(of: gateway.processID)
      var readers: [SlowReader] = []
      for _ in 0..<16 { readers.append(try await SlowReader(patron, path)) }
      // In KiB. With all of them in memory it were 1,900 MB.
      let grown = try ProcessMemory.peak(of: gateway.processID) - before
      #expect(grown < 96 << 10)

      #expect(await readers[0].body() == recording)
      var other = patron
      let part = try await other.send(path, .get, ["Range": "bytes=70000001-70001000"])
      #expect(part.status.code == 206)
      #expect(part.headers["Content-Range"] == "bytes 70000001-70001000/\(recording.count)")
      #expect(part.headers["Content-Type"] == "audio/mpeg")
      #expect(part.body == Array(recording[70_000_001...70_001_000]))
    }
  }

  /// 120 MB that deflate makes small, of which no two blocks are the same.
  private static var recording: [UInt8] {
    var bytes = [UInt8](repeating: 0x55, count: 120 << 20)
    for block in 0..<bytes.count / 4096 {
      for place in 0..<8 { bytes[block * 4096 + place] = UInt8(truncatingIfNeeded: block >> place) }
    }
    return bytes
  }

  private static func book(with recording: [UInt8]) -> [UInt8] {
    let package = """
      <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="u">\
      <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\
      <dc:identifier id="u">urn:x:recording</dc:identifier><dc:title>Recording</dc:title>\
      <dc:language>en</dc:language></metadata><manifest>\
      <item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>\
      <item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>\
      <item id="m" href="a.mp3" media-type="audio/mpeg"/></manifest>\
      <spine><itemref idref="a"/></spine></package>
      """
    func page(_ body: String) -> String {
      """
      <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">\
      <head><title>t</title></head><body>\(body)</body></html>
      """
    }
    return TestArchive.book(
      package,
      [
        TestArchive.Entry(
          "nav.xhtml",
          page("<nav epub:type='toc'><ol><li><a href='a.xhtml'>One</a></li></ol></nav>")),
        TestArchive.Entry("a.xhtml", page("<p>Listen: <audio src='a.mp3'></audio></p>")),
        TestArchive.Entry("a.mp3", recording).deflated(),
      ]
    ).bytes
  }
}
