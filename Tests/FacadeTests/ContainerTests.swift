import Circulation
import FrontDesk
import OPDS
import Testing

@testable import Facade

@Suite struct `What a way turns into` {
  @Test(
    arguments: [
      Format.Content.epub, .pdf, .audiobook, .comic, .html, .text, .mobi, .video,
    ], [Format.Protection.none, .adobe, .lcp])
  func `What a way turns into: is read by a client of such feeds as it was meant`(
    content: Format.Content, protection: Format.Protection
  ) throws {
    let path = try #require(
      Containers.path(to: Format(id: "x", content: content, protection: protection)))
    let read = try #require(Formats.format(path))
    #expect(read.content == content && read.protection == protection)
  }

  @Test func `What a way turns into: is nothing where only the vendor's app opens it`() throws {
    #expect(
      Containers.path(to: Format(id: "x", content: .epub, protection: .vendorApp)) == nil)
    let page = try #require(
      Containers.path(to: Format(id: "x", content: .epub, protection: .streaming)))
    #expect(Formats.format(page)?.protection == .streaming)
  }
}
