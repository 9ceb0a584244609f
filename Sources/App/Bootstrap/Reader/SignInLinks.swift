import Circulation
package import Items
import Machine
import Registry
import Secrets
package import Setup
import Web

extension LinkedEngine {
  package func signInLink(
    for name: String, at seat: Seat
  ) async throws(ErrorItem) -> SignInLinkItem {
    try await inHouse(seat) { house throws(ErrorItem) in
      let patron = try await house.reader(named: name)
      let link = try await told { () throws(RegistryError) in
        try await house.registry.newSignInLink(
          for: patron.id, by: House.commandLine, request: House.requestID())
      }
      let front = house.front
      return SignInLinkItem(
        patron: patron.name,
        address: link.secret.revealText { Secret(front + WebRoutes.signInLink($0)) },
        until: Timestamp(millisecondsSinceEpoch: link.until).rfc3339())
    }
  }
}

extension House {
  /// Before every path, as patrons know the gateway: by the settings, else where it runs on this
  /// machine, else where it would.
  var front: String {
    let server = configuration.server
    let running = CrashCount.address(in: configuration.paths.data ?? seat.place.data)
    return server.publicURL ?? running
      ?? "http://\(server.listen.first ?? "127.0.0.1"):\(server.port)"
  }
}
