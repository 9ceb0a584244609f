import Crypto
import HTTP
import HTTPClient
import LCP
import Log
import Machine
import ProviderKit
import ReadingRoom
import Schedule
import Setup

extension JobKind {
  static let revocations: JobKind = "revocations"
}

extension DueWork {
  /// The list of certificates that a root has taken back, where the settings say where it is.
  static let revocations = DueWork(
    kind: .revocations, limit: .seconds(60),
    plans: { house in
      let lcp = house.configuration.lcp
      guard lcp.revokedURL != nil, lcp.revokedFile != nil, lcp.rootsFile != nil else { return [] }
      return [Plan(.revocations, of: wholeHouse, every: .seconds(86_400))]
    },
    perform: { house, _, logger in
      do throws(RevocationTrouble) {
        try await house.fetchRevocations()
        return .done(note: nil)
      } catch {
        logger.warn("the list of revoked certificates", [.pair("why", error.what)])
        return .failed(note: error.what, reason: error.what)
      }
    })
}

/// Why the list stays as it was. Nobody's reading stops for it.
struct RevocationTrouble: Error {
  let what: String
}

extension House {
  func fetchRevocations() async throws(RevocationTrouble) {
    let lcp = configuration.lcp
    guard let text = lcp.revokedURL, let file = lcp.revokedFile, let address = try? Address(text),
      ["http", "https"].contains(address.scheme)
    else { throw RevocationTrouble(what: "lcp.revoked_url is no web address") }
    var request = HTTPClient.Request(.get, address)
    request.limits = .init(body: Self.longestList)
    let reply: Reply
    do throws(TransportError) { reply = try await outward.operators.send(request) } catch {
      throw RevocationTrouble(what: "it cannot be fetched: \(error)")
    }
    guard reply.status == .ok else {
      throw RevocationTrouble(what: "it was answered with HTTP \(reply.status.code)")
    }
    guard let list = try? RevocationList(reply.body) else {
      throw RevocationTrouble(what: "what came is no list of certificates")
    }
    // The line it came by says nothing; a root's signature does.
    guard let roots = try? LicenseRoots(lcp.rootsFile, nil).certificates,
      roots.contains(where: list.isSigned)
    else { throw RevocationTrouble(what: "none of the roots signed it") }
    do throws(MachineError) { try WholeFile.write(reply.body, to: file, mode: 0o644) } catch {
      throw RevocationTrouble(what: "it cannot be kept: \(error)")
    }
  }

  private static let longestList = 16 << 20
}
