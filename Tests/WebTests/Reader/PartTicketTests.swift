import Circulation
import FrontDesk
import Registry
import Secrets
import Testing

@testable import Downloads
@testable import Web

@Suite struct `Tickets for the parts of a book` {
  private static let span: Int64 = 2 * 3_600_000
  private let signer = Signer(key: Secret(Array(0..<32)))

  private func ticket(at now: Int64) throws -> PartTicket {
    let session = try #require(SessionReference(String(repeating: "ab", count: 16)))
    let file = BookStore.Book(
      patron: PatronID("p"), account: AccountID("a"), item: ItemID("i"), digest: "d", size: 1,
      kind: .epub, isOpenAccess: true, isLent: true, title: "T", authors: [], until: nil,
      storedAt: 0,
      openedAt: nil)
    return PartTicket(file, for: session, now: now)
  }

  @Test func `a ticket is accepted for at most four hours after it was made and never earlier`()
    throws
  {
    let now = 1_000 * Self.span + 5
    let ticket = try ticket(at: now)
    let text = ticket.text(signer)
    #expect(PartTicket(text, signer, now: now) == ticket)
    #expect(PartTicket(text, signer, now: ticket.until - 1) == ticket)
    #expect(PartTicket(text, signer, now: ticket.until) == nil)
    // Signed rightly but for a time that no ticket is made for.
    #expect(PartTicket(text, signer, now: ticket.until - 2 * Self.span - 1) == nil)
  }

  @Test func `a ticket of another key or with an exchanged part is refused`() throws {
    let now = 1_000 * Self.span
    let text = try ticket(at: now).text(signer)
    #expect(PartTicket(text, Signer(key: Secret(Array(1..<33))), now: now) == nil)
    let parts = text.split(separator: ".").map(String.init)
    let later = try ticket(at: now + Self.span).text(signer).split(separator: ".").map(String.init)
    #expect(
      PartTicket([parts[0], later[1], parts[2]].joined(separator: "."), signer, now: now) == nil)
    #expect(PartTicket([parts[0], parts[2]].joined(separator: "."), signer, now: now) == nil)
    #expect(PartTicket("\(text).", signer, now: now) == nil)
  }
}
