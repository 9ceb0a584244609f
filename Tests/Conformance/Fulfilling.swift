import Circulation
import HTTP
import HTTPClient
import MockKit
import Testing

extension Promise {
  static let fulfilling = [
    Promise("what is not borrowed is not handed out", [.fulfilment, .lending]) { visit in
      let item = try visit.title()
      try visit.lend(to: .bruno)
      let reason = try await refusal { try await visit.ada.fulfil(item, as: nil, in: visit.call) }
      #expect(reason == .notBorrowed)
    },
    Promise("an open title is handed out as a file that opens", [.fulfilment]) { visit in
      let item = try visit.openTitle()
      guard visit.house.handsOutFiles else { return try await visit.isHandedOn(item) }
      let file = try await visit.fetch(try await visit.openFile(of: item))
      #expect(file.prefix(2) == [0x50, 0x4B])
    },
    Promise("an open title can be handed out more than once", [.fulfilment]) { visit in
      let item = try visit.openTitle()
      for _ in 0..<2 {
        guard visit.house.handsOutFiles else { return try await visit.isHandedOn(item) }
        let file = try await visit.fetch(try await visit.openFile(of: item))
        #expect(file.prefix(2) == [0x50, 0x4B])
      }
    },
    Promise("a link for one use says so", [.fulfilment]) { visit in
      let item = try visit.openTitle()
      guard visit.house.handsOutFiles else { return try await visit.isHandedOn(item) }
      let link = try await visit.openFile(of: item)
      _ = try await visit.fetch(link)
      let again = try await visit.fetch(link)
      #expect(link.singleUse != (again.prefix(2) == [0x50, 0x4B]))
    },
    Promise("a link that ends is handed out with its end", [.fulfilment]) { visit in
      let item = try visit.openTitle()
      guard visit.house.handsOutFiles else { return try await visit.isHandedOn(item) }
      let link = try await visit.openFile(of: item)
      #expect(link.expires.map { $0 > visit.time.date } ?? !link.singleUse)
    },
    Promise("a format that is not offered is not handed out", [.fulfilment]) { visit in
      let item = try visit.openTitle()
      let odd = Format(id: "stone-tablet", content: .other, protection: .unknown)
      let reason = try await refusal { try await visit.ada.fulfil(item, as: odd, in: visit.call) }
      #expect(reason == .formatUnavailable)
    },
    Promise("a loan that has ended is not handed out", [.fulfilment, .lending]) { visit in
      let item = try visit.openTitle()
      visit.time.pass(days: 30)
      let reason = try await refusal { try await visit.ada.fulfil(item, as: nil, in: visit.call) }
      #expect(reason == .notBorrowed)
    },
    Promise(
      "what a loan can be turned into is what it was said to", [.fulfilment, .shelf, .lending]
    ) { visit in
      let item = try visit.openTitle()
      let loan = try await visit.ada.shelf(in: visit.call).loan(of: item)
      let open = try #require(
        loan?.formats.first { $0.isReadableHere || !visit.house.handsOutFiles })
      let handed = try await visit.ada.fulfil(item, as: open, in: visit.call)
      #expect(handed.link.format == open)
    },
  ]
}

extension Premises {
  /// A title that can be had as a plain file, borrowed where one has to.
  fileprivate func openTitle() throws -> ItemID {
    let item = try title()
    if declares(.lending) { try lend() }
    return item
  }

  fileprivate func openFile(of item: ItemID) async throws -> Fulfilment.Link {
    let fulfilment = try await ada.fulfil(item, as: nil, in: call)
    guard case .file(let link) = fulfilment else { throw NoFile(fulfilment: fulfilment) }
    return link
  }

  /// Where there are no plain files, a loan turns into something that another program opens, as often
  /// as it is asked for.
  fileprivate func isHandedOn(_ item: ItemID) async throws {
    for _ in 0..<2 {
      let fulfilment = try await ada.fulfil(item, as: nil, in: call)
      if case .file = fulfilment { throw NoFile(fulfilment: fulfilment) }
      #expect(!fulfilment.link.address.isEmpty)
      #expect(!fulfilment.link.format.isReadableHere)
      #expect(fulfilment.link.expires.map { $0 > time.date } ?? true)
    }
  }

  private struct NoFile: Error { let fulfilment: Fulfilment }

  fileprivate func fetch(_ link: Fulfilment.Link) async throws -> [UInt8] {
    var request = HTTPClient.Request(.get, try Address(link.address))
    for header in link.headers { request.headers.set(header.name, header.value) }
    return try await client.send(request).body
  }
}
