import Circulation
import Synchronization
import Testing

@testable import OPDSLibrary

@Suite struct `An endless catalog` {
  /// Feeds that were read until the harvest ended, and whether something was left out.
  private func read(
    _ service: PlayedService, at id: LibraryID
  ) async throws -> (feeds: Int, isCut: Bool) {
    let desk = try service.desk(nil, at: id)
    var cursor: HarvestCursor?
    for _ in 0..<3_000 {
      let page = try await desk.harvest(from: cursor, in: service.call)
      guard case .more(let next) = page.progress else { return (service.asked.count, page.isCut) }
      cursor = next
    }
    return (service.asked.count, false)
  }

  /// Lists of one title each lead to two more.
  private func tree(depth: Int) -> PlayedService {
    let service = PlayedService()
    func list(_ path: String, _ next: String) {
      service.on(
        "GET \(path)",
        Wire.feed(
          #"<entry><title>On</title><id>\#(next)</id><link rel="subsection" "#
            + #"type="application/atom+xml;profile=opds-catalog" href="\#(next)"/></entry>"#))
    }
    list("/opds/", "/opds/1")
    for level in 1..<depth { list("/opds/\(level)", "/opds/\(level + 1)") }
    return service
  }

  @Test func `An endless catalog that a patron named is left after two thousand feeds`()
    async throws
  {
    let service = PlayedService()
    service.on(
      "GET /opds/",
      Wire.feed(
        #"<link rel="next" href="/opds/1"/>"#
          + Wire.entry(Wire.open, number: 0, updated: "2026-01-01T00:00:00Z")))
    for page in 1..<2_500 {
      service.on("GET /opds/\(page)", Wire.feed(#"<link rel="next" href="/opds/\#(page + 1)"/>"#))
    }
    let (feeds, isCut) = try await read(service, at: LibraryID("https://books.example/opds/"))
    #expect((1_990...2_010).contains(feeds) && isCut)
  }

  @Test func `An endless catalog whose lists lead ever deeper is left twenty lists down`()
    async throws
  {
    let service = tree(depth: 200)
    let (feeds, isCut) = try await read(service, at: LibraryID("l"))
    #expect(feeds < 30 && isCut)
  }
}
