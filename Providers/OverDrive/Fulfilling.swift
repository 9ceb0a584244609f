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
    let wanted = format.map { format in choices.first { $0.id == format.id.lowercased() } }
    if case .some(nil) = wanted {
      throw CirculationError(.formatUnavailable, from: describe().provider, during: .fulfil)
    }
    guard let chosen = wanted ?? Formats.preferred(among: choices) else {
      return try await redirected(checkout, in: call)
    }
    let ready = try await link(to: chosen, of: checkout, item, in: call)
    guard let template = ready?.downloadLink else {
      return try await redirected(checkout, in: call)
    }
    return try await contentLink(template, as: chosen, in: call)
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
    guard let locked = WireLoanFormat(json) else { throw malformed("a format", .fulfil) }
    return locked
  }

  /// The link it leads to works once and for a minute: it is asked for just in time (§9.2).
  private func contentLink(_ template: String, as format: Format, in call: Call)
    async throws(CirculationError) -> Fulfilment
  {
    let here = settings.patron.text
    let address = try own(
      Links.expand(template, ["errorpageurl": here, "odreadauthurl": here]), .fulfil)
    // It makes a link for one use, so a second request makes a second one.
    let json = try await asReader(
      WireRequest(.get, address, isRepeatable: false), .fulfil, in: call)
    guard let wire = WireContentLink(json) else { throw malformed("a content link", .fulfil) }
    return wire.fulfilment(asked: format, asOf: session.clock.date())
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
    let format = Format(id: "web", content: .html, protection: .streaming)
    return .handOff(.init(address: Links.clean(location), format: format))
  }
}
