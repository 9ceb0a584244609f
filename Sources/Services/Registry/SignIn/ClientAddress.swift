/// Where a client is in the network, as sign-ins are counted.
package struct ClientAddress: Sendable, Hashable {
  /// One IPv4 address, or an IPv6 network of 64 bits: what one home or host has.
  let host: String
  /// What one customer of a provider can come by many of: an IPv4 network of 24 bits, an IPv6 network
  /// of 48.
  let network: String

  package init(host: String, network: String) { (self.host, self.network) = (host, network) }

  /// A client without an address, on this machine.
  package static let local = ClientAddress(host: "here", network: "here")
}
