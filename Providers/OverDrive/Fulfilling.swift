package import Circulation
import HTTP
import HTTPClient
import JSON
import ProviderKit

// From a loan to something that can be opened (§9).

extension OverDriveProvider {
  package func fulfil(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> Fulfilment
  {
    guard let checkout = try await checkout(of: item, during: .fulfil, in: call) else {
      throw CirculationError(.notBorrowed, from: describe().provider, during: .fulfil)
    }
    let choices = checkout.formatIDs.map(Formats.named)
    guard let chosen = try choice(of: format, among: choices) else {
      return try await redirected(checkout, in: call)
    }
    let ready = try await link(to: chosen, of: checkout, item, in: call)
    guard let template = ready?.template else { return try await redirected(checkout, in: call) }
    let link = try await contentLink(template, .fulfil, in: call)
    return link.fulfilment(asked: chosen, asOf: session.clock.date())
  }

  /// Nil sends the reader to the service's page: so was asked, or nothing else is left.
  private func choice(of format: Format?, among choices: [Format])
    throws(CirculationError) -> Format?
  {
    guard let format else { return Formats.preferred(among: choices) }
    if format.id == Formats.web.id { return nil }
    guard let chosen = choices.first(where: { $0.id == format.id.lowercased() }) else {
      throw CirculationError(.formatUnavailable, from: describe().provider, during: .fulfil)
    }
    return chosen
  }

  /// A format that can be fetched now, choosing it first where it was not (§9.1). Open formats are
  /// chosen too: an unchosen one fails later, and without saying why.
  private func link(
    to format: Format, of checkout: WireCheckout, _ item: ItemID, in call: Call
  ) async throws(CirculationError) -> WireLoanFormat? {
    if let present = checkout.formats.first(where: { $0.formatType == format.id }) {
      return present
    }
    guard let action = checkout.lockFormat else { return nil }
    let request: WireRequest
    do throws(Settings.LinkFault) {
      request = try settings.lock(item, to: format.id, by: action)
    } catch {
      throw malformed("a usable link", .fulfil)
    }
    let json = try await asReader(request, .fulfil, in: call)
    return try Documents.format(json, .fulfil)
  }

  /// The link it leads to works once and for a minute: it is asked for just in time (§9.2).
  func contentLink(_ template: String, _ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> WireContentLink
  {
    let here = settings.patron.text
    let address = try own(
      Links.expand(
        template,
        ["errorpageurl": here, "odreadauthurl": here, "errorurl": here, "successurl": here]),
      operation)
    // It makes a link for one use, so a second request makes a second one.
    let json = try await asReader(
      WireRequest(.get, address, isRepeatable: false), operation, in: call)
    return try Documents.contentLink(json, operation)
  }

  /// Partners without the right to download send the reader on to the service (§9.5).
  private func redirected(_ checkout: WireCheckout, in call: Call)
    async throws(CirculationError) -> Fulfilment
  {
    guard let redirect = checkout.downloadRedirect else {
      throw CirculationError(.formatUnavailable, from: describe().provider, during: .fulfil)
    }
    let request = WireRequest(.get, try own(redirect.href, .fulfil), isRepeatable: false)
    let reply = try await session.send(
      request, as: try asReader(during: .fulfil), .fulfil, in: call)
    guard reply.status.isRedirect, let location = reply.headers["Location"] else {
      _ = try body(of: reply, during: .fulfil)
      throw malformed("a redirect", .fulfil)
    }
    return .handOff(.init(address: Links.clean(location), format: Formats.web))
  }
}
