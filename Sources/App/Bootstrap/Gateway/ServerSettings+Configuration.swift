import HTTPServer
import Machine
import Setup

extension ServerSettings {
  /// From the configuration's words to the server's types. Sockets that the service manager opened
  /// take the place of the addresses named.
  init(_ configuration: Configuration, inherited: [ListenAddress]) throws(ServeError) {
    let server = configuration.server
    var addresses: [ListenAddress] = []
    for text in server.listen {
      guard let address = IPAddress(text.filter { $0 != "[" && $0 != "]" }) ?? Self.named[text]
      else {
        throw ServeError(.addressRefused, "server.listen: '\(text)' is no address of this machine")
      }
      addresses.append(.ip(address, port: server.port))
    }
    if let path = server.unixSocket { addresses.append(.unix(path: path)) }
    self.init(inherited.isEmpty ? addresses : inherited, loops: Self.loops(server.loops))

    limits.head = server.maxHeaderSize
    limits.body = server.maxBodySize
    limits.connections = server.connections
    limits.connectionsPerAddress = server.connectionsPerAddress
    timeouts.head = server.headerTimeout
    timeouts.request = server.requestTimeout
    timeouts.idle = server.idleTimeout
    proxies = try ProxyPolicy(server)
  }

  private static let named = ["localhost": IPAddress(v4: 0x7F00_0001)]

  private static func loops(_ wanted: Int) -> Int {
    wanted > 0 ? wanted : min(ThisProcess.processorCount, 8)
  }
}

extension ProxyPolicy {
  fileprivate init(_ server: Configuration.Server) throws(ServeError) {
    var trusted: [IPNetwork] = []
    for text in server.trustedProxies {
      guard let network = IPNetwork(text) else {
        throw ServeError(
          .addressRefused, "server.trusted_proxies: '\(text)' is neither address nor network")
      }
      trusted.append(network)
    }
    var address: PublicAddress?
    if let text = server.publicURL {
      address = PublicAddress(url: text)
      guard address != nil else {
        throw ServeError(.addressRefused, "server.public_url: '\(text)' is no address of a site")
      }
    }
    self.init(
      trusted: trusted, trustsUnixPeers: server.unixSocket != nil, publicAddress: address)
  }
}

extension ProxyPolicy.PublicAddress {
  /// `https://books.example.org/carrel`
  fileprivate init?(url: String) {
    guard let mark = url.firstRange(of: "://") else { return nil }
    let rest = url[mark.upperBound...]
    let host = rest.prefix { $0 != "/" }
    self.init(
      scheme: String(url[..<mark.lowerBound]), host: String(host),
      basePath: String(rest.dropFirst(host.count)))
  }
}
