import Circulation
import Crypto
import HTTP
import HTTPClient
import LCP
import Machine
import ProviderKit
import ReadingRoom
import Setup
import Synchronization

/// When the certificates of servers end that this program talked to, as the handshakes showed.
final class CertificateEnds: Sendable {
  /// Files of books may come from many servers; libraries are few, and come first.
  private static let most = 1000

  private let ends = Mutex<[String: Int64]>([:])

  /// In seconds since 1970; nil for a server that was not asked yet, or not over TLS.
  func end(of address: Address) -> Int64? { ends.withLock { $0[address.authority] } }

  func note(_ reply: Reply) {
    guard let end = reply.certificateEnd else { return }
    let place = reply.address.authority
    ends.withLock { ends in
      if ends.count < Self.most || ends[place] != nil { ends[place] = end }
    }
  }

  /// The same way out, with each answer noted.
  func noting(_ transport: Transport) -> Transport {
    Transport { request async throws(TransportError) in
      let reply = try await transport.send(request)
      self.note(reply)
      return reply
    }
  }
}

extension ClientConfiguration {
  /// For the gateway's own addresses, wherever its operator put them: other machines of the same
  /// network are allowed.
  init(toOwnAddressesOf configuration: Configuration, _ environment: [String: String]) {
    self.init(configuration, environment)
    var allowed = gate.allowances
    for host in configuration.server.listen + ["127.0.0.1", "localhost"] {
      AddressGate.Allowance(host).map { allowed.append($0) }
    }
    let site = configuration.server.publicURL.flatMap { try? Address($0) }
    if let host = site?.host.text { AddressGate.Allowance(host).map { allowed.append($0) } }
    allowed += ["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"]
      .compactMap { AddressGate.Allowance($0) }
    gate = AddressGate(allowing: allowed)
  }
}

extension House {
  /// Those of the libraries' servers as they were last seen, of the public address, and of the roots
  /// that licenses are judged by. Of several the first that ends.
  var certificateEnds: [(use: String, library: String, end: Int64)] {
    var found: [(use: String, library: String, end: Int64)] = []
    for settings in counter.libraries {
      let servers = ((try? counter.library(LibraryID(settings.id)))?.endpoints ?? [:]).values
      if let end = servers.compactMap(certificates.end).min() {
        found.append(("library", settings.id, end))
      }
    }
    let site = configuration.server.publicURL.flatMap { try? Address($0) }
    if let end = site.flatMap(certificates.end) { found.append(("public", "", end)) }
    if configuration.lcp.rootsFile != nil {
      let roots = try? LicenseRoots(configuration.lcp.rootsFile, nil)
      if let end = roots?.certificates.compactMap(\.end).min() { found.append(("lcp", "", end)) }
    }
    return found
  }

  /// The certificate of the public address is the web server's in front of the gateway; it is looked at
  /// as readers meet it, a few times a day.
  func watchPublicCertificate() async {
    guard let site = configuration.server.publicURL, site.hasPrefix("https://"),
      let address = try? Address(site + "/healthz")
    else { return }
    while !Task.isCancelled {
      // A new client each time: only a new connection shows a certificate.
      let outward = ClientConfiguration(toOwnAddressesOf: configuration, seat.place.environment)
      if let client = try? Client(outward) {
        var request = HTTPClient.Request(
          .head, address, deadline: .at(.now + configuration.http.deadline))
        request.redirects = .returned
        // An address that does not answer is what the doctor tells of.
        if let reply = try? await client.send(request) { certificates.note(reply) }
        await client.shutdown()
      }
      do throws(CancellationError) {
        try await time.sleep(for: .seconds(6 * 3600))
      } catch { return }
    }
  }
}
