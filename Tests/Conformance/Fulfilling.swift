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
    Promise("a title is handed out as a file that opens, or the licence of one", [.fulfilment]) {
      visit in
      let item = try visit.openTitle()
      #expect(try await visit.opens(try await visit.openFile(of: item)))
    },
    Promise("a title can be handed out more than once", [.fulfilment]) { visit in
      let item = try visit.openTitle()
      for _ in 0..<2 { #expect(try await visit.opens(try await visit.openFile(of: item))) }
    },
    Promise("a link for one use says so", [.fulfilment]) { visit in
      let file = try await visit.openFile(of: try visit.openTitle())
      _ = try await visit.opens(file)
      #expect(try await visit.opens(file) != file.link.singleUse)
    },
    Promise("a link that ends is handed out with its end", [.fulfilment]) { visit in
      let link = try await visit.openFile(of: try visit.openTitle()).link
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
        loan?.formats.first { $0.isReadableHere || !visit.house.hasPlainFiles })
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

  /// Where nothing can be had without protection, the licence is what is handed out.
  fileprivate func openFile(of item: ItemID) async throws -> Fulfilment {
    let fulfilment = try await ada.fulfil(item, as: nil, in: call)
    switch fulfilment {
    case .file: return fulfilment
    case .licence where !house.hasPlainFiles: return fulfilment
    default: throw NoFile(fulfilment: fulfilment)
    }
  }

  private struct NoFile: Error { let fulfilment: Fulfilment }

  /// Whether what lies there is a packed book, or a document of a licence.
  fileprivate func opens(_ file: Fulfilment) async throws -> Bool {
    var request = HTTPClient.Request(.get, try Address(file.link.address))
    for header in file.link.headers { request.headers.set(header.name, header.value) }
    let bytes = try await client.send(request).body
    if case .file = file { return bytes.prefix(2) == [0x50, 0x4B] }
    return bytes.first == UInt8(ascii: "<")
      && String(decoding: bytes, as: UTF8.self).contains("fulfillmentToken")
  }
}
