import Circulation
import Database
import HTTP
import HTTPClient
import Setup

/// The two ways out over HTTP. What the settings name goes by the operator's client, which reaches private
/// hosts as the operator allows. Every address that a patron gave, and everything that such an address leads to,
/// goes by the patrons' client: it reaches private hosts only where `http.patron_hosts` names them, and sends
/// nothing personal without encryption.
final class OutwardClients: Sendable {
  let operators: Transport
  let patrons: Transport
  /// To which hosts patrons may have something sent without encryption.
  let unencrypted: AddressGate
  /// Accounts of before then had their hosts judged by the operator's allowances, and have in this release.
  let earlierEnd: Int64
  private let store: Store
  private let clients: [Client]

  init(
    _ configuration: Configuration, _ environment: [String: String],
    _ earlier: EarlierAddresses, _ certificates: CertificateEnds, _ trial: Transport?,
    _ store: Store
  ) throws(TransportError) {
    let patronSettings = ClientConfiguration(patronsOf: configuration, environment, earlier)
    let operatorClient = try Client(ClientConfiguration(configuration, environment))
    let patronClient = try Client(patronSettings)
    clients = [operatorClient, patronClient]
    operators = certificates.noting(trial ?? operatorClient.transport)
    patrons = certificates.noting(trial ?? patronClient.transport)
    unencrypted = patronSettings.unencrypted
    (earlierEnd, self.store) = (earlier.end, store)
  }

  /// For everything that a library has told: its own addresses and those of others.
  func transport(for library: LibraryID) -> Transport {
    library.isAddress ? patrons : operators
  }

  /// For a service where each patron names the host: what the settings name stays the operator's. For accounts
  /// of before there was `http.patron_hosts` (`isEarlier`) a host that they name and that is refused now is
  /// asked as it was then, and noted for `doctor`.
  func transport(besides own: [Address], isEarlier: Bool) -> Transport {
    let origins = Set(own.map(\.origin))
    return Transport { [operators, patrons, store] request async throws(TransportError) in
      if origins.contains(request.address.origin) { return try await operators.send(request) }
      do throws(TransportError) { return try await patrons.send(request) } catch {
        guard isEarlier, case .refusedAddress(let refusal) = error,
          refusal.host == request.address.host.text
        else { throw error }
      }
      try? await EarlierAddresses.note(service: request.address, in: store)
      return try await operators.send(request)
    }
  }

  func close() async {
    for client in clients { await client.shutdown() }
  }
}

extension ClientConfiguration {
  /// For addresses that patrons give. Those that were linked before there was `http.patron_hosts` are judged as
  /// they were then, for one release.
  init(
    patronsOf configuration: Configuration, _ environment: [String: String],
    _ earlier: EarlierAddresses
  ) {
    self.init(configuration, environment)
    let operators = gate.allowances
    let listed = configuration.http.patronHosts.compactMap(AddressGate.Allowance.init)
    gate = AddressGate(allowing: listed)
    let forNotices = configuration.http.allowHosts.compactMap(AddressGate.Allowance.init) + listed
    for address in earlier.channels {
      gatesOfPlaces[address.place] = AddressGate(allowing: forNotices)
    }
    for address in earlier.catalogs {
      gatesOfPlaces[address.place] = AddressGate(allowing: operators + listed)
    }
    let plain = (earlier.catalogsWithCard + earlier.channels).filter { !$0.isSecure }.compactMap {
      address in
      address.effectivePort.map { AddressGate.Allowance.hostAndPort(address.host.text, $0) }
    }
    plaintext = .refused(except: AddressGate(allowing: listed + plain))
  }

  var unencrypted: AddressGate {
    if case .refused(let exceptions) = plaintext { exceptions } else { AddressGate() }
  }
}
