import Circulation
import HTTP
import HTTPClient
import JSON
import ProviderKit

// §8.4: a loan that is bound to a format has no early return any more.

extension OverDriveProvider {
  /// A book without protection is given back at an address that its download passes by; what is
  /// protected only the reading program can give back.
  func giveBackByLink(_ checkout: WireCheckout, _ item: ItemID, in call: Call)
    async throws(CirculationError)
  {
    guard let template = checkout.openFormat?.template else { throw bound() }
    let link = try await contentLink(template, .checkIn, in: call)
    guard let back = try await returnAddress(from: link.contentlink.href, in: call) else {
      throw bound()
    }
    let reply = try await session.send(
      WireRequest(.get, back, isRepeatable: false), .checkIn, in: call)
    guard reply.status.code < 400 else {
      throw CirculationError(
        .providerUnavailable, from: describe().provider, during: .checkIn,
        providerSays: "HTTP \(reply.status.code)")
    }
    // The page says "returned" to people; whether it was, the shelf tells.
    let left = try await afterCommand { () throws(CirculationError) in
      try await self.checkout(of: item, during: .checkIn, in: call)
    }
    guard left == nil else {
      throw CirculationError(
        .providerUnavailable, from: describe().provider, during: .checkIn,
        providerSays: "the loan is still there")
    }
  }

  /// Follows the download, with no token of ours, until a redirect names the address.
  private func returnAddress(from href: String, in call: Call)
    async throws(CirculationError) -> Address?
  {
    var next = try? Address(Links.clean(href))
    for _ in 0..<4 {
      guard let address = next else { throw malformed("a usable link", .checkIn) }
      let reply = try await session.send(
        WireRequest(.get, address, isRepeatable: false), .checkIn, in: call)
      guard reply.status.isRedirect, let location = reply.headers["Location"] else { return nil }
      next = try? address.resolving(Links.clean(location))
      if let back = FormFields(parsing: next?.query ?? "")["loanEarlyReturnUrl"] {
        return try? Address(Links.clean(back))
      }
    }
    return nil
  }

  private func bound() -> CirculationError {
    CirculationError(
      .unsupported(.earlyReturn), from: describe().provider, during: .checkIn,
      providerSays: "the loan is bound to a format")
  }
}
