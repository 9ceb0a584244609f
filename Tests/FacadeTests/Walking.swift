import FrontDesk
import HTTP
import JSON
import OPDS
import TestSupport
import Testing

@testable import Facade

/// Goes wherever links lead, as a reading app would, and never builds an address.
struct Walk {
  let room: ReadingRoom
  let version: FeedVersion
  var headers: Headers = [:]
  private(set) var documents: [(target: String, answer: ReadingRoom.Answer, document: Document)] =
    []
  private(set) var pictures: Set<String> = []

  init(_ room: ReadingRoom, _ version: FeedVersion, _ headers: Headers = [:]) {
    (self.room, self.version, self.headers) = (room, version, headers)
  }

  /// What leads to lending, which is another's.
  private static let lending = [
    "/borrow", "/revoke", "/files/", "/actions", "/lists", "/service", "/progression",
  ]

  mutating func everywhere(from start: String, atMost limit: Int = 150) async throws {
    var (waiting, seen): ([String], Set<String>) = ([start], [start])
    while let target = waiting.popLast(), documents.count < limit {
      let answer = try await room.ask(target, headers)
      #expect(answer.status == .ok, "\(target): \(answer.text.prefix(300))")
      guard answer.status == .ok else { continue }
      let document = try Document(
        answer.bytes, type: answer.type, from: try Address(room.site + target))
      documents.append((target, answer, document))
      for link in links(of: document) where !link.isTemplated {
        guard let next = room.target(link.href) else {
          Issue.record("\(target) leads away: \(link.href)")
          continue
        }
        if Self.lending.contains(where: next.contains) { continue }
        if link.has(.image) || link.has(.thumbnail) {
          pictures.insert(next)
          continue
        }
        if seen.insert(next).inserted { waiting.append(next) }
      }
    }
  }

  private func links(of document: Document) -> [Link] {
    switch document {
    case .feed(let feed):
      feed.links + feed.facets.flatMap { $0.facets.map(\.link) }
        + feed.navigation.flatMap(\.links) + feed.groups.compactMap(\.link)
        + feed.everyPublication.flatMap { links(of: .entry($0)) }
    case .entry(let book): book.links + book.images + book.acquisitions.map(\.link)
    case .authentication(let document): document.links
    case .search, .problem: []
    }
  }
}
