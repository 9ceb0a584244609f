package import Circulation
import ProviderKit

// From a loan to something that can be opened (§8).

extension CloudLibraryProvider {
  package func fulfil(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> Fulfilment
  {
    let wire = try await items([item], .fulfil, in: call).first { $0.itemID == item.rawValue }
    let chosen = try choice(of: format, wire)
    if chosen == Formats.web { return try await page(of: item, wire, in: call) }
    let cardholder = try cardholder(.fulfil)
    // The licence lives for some hours from the first time that it is asked for: only now is it.
    guard chosen.content == .audiobook else {
      let answer = try await ask(cardholder.licence(item), .fulfil, in: call)
      return try Documents.licence(answer).fulfilment(as: chosen)
    }
    let answer = try await ask(cardholder.audioLicence(item), .fulfil, in: call)
    return try Documents.audioLicence(answer).fulfilment(as: chosen)
  }

  /// A title that has left the collection can still be on loan, and nobody tells its format then.
  private func choice(of format: Format?, _ wire: WireItem?)
    throws(CirculationError) -> Format
  {
    let known = wire?.edition().formats ?? []
    let offered = known.isEmpty ? ["epub", "pdf", "mp3"].map(Formats.named) : known
    guard let format else { return offered[0] }
    guard let chosen = offered.first(where: { $0.id == format.id.lowercased() }) else {
      throw Documents.error(.formatUnavailable, .fulfil)
    }
    return chosen
  }

  private func page(of item: ItemID, _ wire: WireItem?, in call: Call)
    async throws(CirculationError) -> Fulfilment
  {
    guard try await ownLoan(of: item, .fulfil, in: call) != nil else {
      throw Documents.error(.notBorrowed, .fulfil)
    }
    guard let link = wire?.link else { throw Documents.error(.formatUnavailable, .fulfil) }
    return .handOff(.init(address: link, format: Formats.web))
  }
}
