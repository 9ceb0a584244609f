import Adobe
import Circulation
import Crypto
import Database
import Facade
import FrontDesk
import HTTP
import HTTPServer
import Log
import Machine
import Registry
import Secrets
import Setup

extension AdobeVendor {
  /// Nil where no library of this gateway is a member.
  init?(_ configuration: Configuration, _ logger: Logger) {
    guard let name = configuration.adobe.vendor else { return nil }
    var members: [LibraryID: Member] = [:]
    for library in configuration.libraries {
      guard let facts = library.facts.adobe else { continue }
      guard let secret = Secret(inFile: facts.secretFile) else {
        logger.warn(
          "a library's secret for Adobe's vendor cannot be read: it makes no tokens",
          [.pair("library", library.id)])
        continue
      }
      members[LibraryID(library.id)] = Member(shortName: facts.name, secret: secret)
    }
    guard !members.isEmpty else { return nil }
    self.init(
      name: name, node: configuration.adobe.node.flatMap { try? Hex.decode($0) }, members: members)
  }
}

extension House {
  /// What Adobe's own service asks; nil where this gateway is no vendor.
  func vendorRoutes(_ logger: Logger) -> VendorRoutes? {
    guard let adobe,
      let desk = VendorDesk(
        adobe,
        note: { logger.info("a token for Adobe's vendor was refused", [.pair("reason", $0)]) })
    else { return nil }
    let (doorkeeper, registry) = (doorkeeper, registry)
    return VendorRoutes(desk) { request, name, word in
      do throws(RegistryError) {
        let answer = try await doorkeeper.admit(
          name, word, from: request.origin, request: request.id.description)
        // A device's password lets in to feeds, and makes nobody an account elsewhere.
        guard case .entered(let entrant) = answer, case .card = entrant.key else { return nil }
        let accounts = try await registry.accounts(of: entrant.patron.id)
        return (entrant.patron.id, accounts.map(\.library))
      } catch { return nil }
    }
  }
}
