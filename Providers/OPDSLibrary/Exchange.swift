import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import OPDS
import ProviderKit
import Secrets

// Sending and reading, the same for every operation.

/// Who asks.
enum Asker: Sendable {
  case nobody
  case reader(Start)
}

extension OPDSLibraryProvider {
  /// The eyes of a stranger where the catalogue is open, since what all may see says nothing of one.
  func eyes(_ start: Start) -> Asker {
    start.isPrivate && settings.reader != nil ? .reader(start) : .nobody
  }

  /// Follows a catalogue that has moved within its own host, and nobody else.
  func get(
    _ address: Address, _ asker: Asker, _ operation: Circulation.Operation, etag: String? = nil,
    in call: Call
  ) async throws(CirculationError) -> Reply {
    var address = address
    for _ in 0..<5 {
      var request = WireRequest(.get, address, headers: Self.headers)
      if let etag { request.headers.set("If-None-Match", etag) }
      // The whole list of a small press comes in one piece.
      request.bodyLimit = 16 << 20
      let reply = try await send(request, asker, operation, in: call)
      guard reply.status.isRedirect else { return reply }
      guard let location = reply.headers["Location"],
        let next = try? address.resolving(Address.escaped(location)), next.host == address.host,
        next.origin == address.origin || (next.isSecure && !address.isSecure)
      else { break }
      address = next
    }
    throw Documents.malformed("an answer, not a redirect", operation)
  }

  static let headers: Headers = [
    "Accept": """
    application/atom+xml;profile=opds-catalog, application/opds+json;q=0.9, \
    application/opds-publication+json;q=0.9, application/opds-authentication+json;q=0.8, \
    application/vnd.opds.authentication.v1.0+json;q=0.7, application/problem+json;q=0.6, \
    */*;q=0.1
    """
  ]

  /// What changes something is sent once. PUT says that it does; a server that knows the older way
  /// only is asked again by it, since it did nothing the first time (§3.1).
  func command(
    _ link: Address, _ method: HTTP.Method, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> Reply {
    let start = try await start(operation, in: call)
    let request = WireRequest(method, link, headers: Self.headers, isRepeatable: false)
    let reply = try await send(request, .reader(start), operation, in: call)
    guard method == .put, [405, 501].contains(reply.status.code) else { return reply }
    let again = WireRequest(.get, link, headers: Self.headers, isRepeatable: false)
    return try await send(again, .reader(start), operation, in: call)
  }

  func send(
    _ request: WireRequest, _ asker: Asker, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> Reply {
    guard case .reader(let start) = asker else {
      return try await session.send(request, operation, in: call)
    }
    let reader = try reader(during: operation)
    // A card is shown to the catalogue that it is for, wherever a feed may lead.
    guard isOurs(request.address) else {
      return try await session.send(request, operation, in: call)
    }
    switch start.flow {
    case .none, .basic:
      var request = request
      request.headers.set("Authorization", reader.basic)
      return try await session.send(request, operation, in: call)
    case .password, .basicToken:
      return try await session.send(request, as: bearer(reader, start), operation, in: call)
    }
  }

  /// The same host, and never less secure than the catalogue itself.
  func isOurs(_ address: Address) -> Bool {
    let home = settings.catalog
    if address.origin == home.origin { return true }
    return address.host == home.host && address.isSecure
      && (address.port == nil || address.port == home.port)
  }

  // MARK: - Tokens

  func bearer(_ reader: Settings.Reader, _ start: Start) -> ProviderKit.Authorization {
    ProviderKit.Authorization(
      key: .init(scope: "reader \(settings.catalog.text)", credentials: reader.digest),
      fetch: { [self] call throws(CirculationError) in
        guard let address = start.authenticate else {
          throw failure(.notConfigured(what: "an address to sign in at"), .checkAccount)
        }
        let asked = session.clock.now()
        let request =
          start.flow == .password
          ? reader.passwordGrant(at: address) : reader.basicToken(at: address)
        let reply = try await session.send(request, .checkAccount, in: call)
        return try Documents.tokens(reply, .checkAccount)
          .token(asked: asked, assuming: .seconds(900))
      })
  }

  /// What a program has to send along that fetches a file by itself.
  func passes(for address: Address, _ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> [Fulfilment.Header]
  {
    guard let reader = settings.reader, isOurs(address) else { return [] }
    let start = try await start(operation, in: call)
    switch start.flow {
    case .none, .basic: return [.init("Authorization", reader.basic)]
    case .password, .basicToken:
      let token = try await session.token(
        for: bearer(reader, start), during: operation, in: call)
      return [.init("Authorization", "Bearer \(token.value)")]
    }
  }

  // MARK: - Errors

  func reader(during operation: Circulation.Operation) throws(CirculationError) -> Settings.Reader {
    guard let reader = settings.reader else {
      throw failure(.credentialsRejected, operation, says: "no card is linked")
    }
    return reader
  }

  func failure(
    _ reason: CirculationError.Reason, _ operation: Circulation.Operation, says: String? = nil
  ) -> CirculationError {
    Documents.failure(reason, operation, says: says)
  }
}

extension Settings.Reader {
  /// The grant of OAuth 2 for programs that hold a password, as the authentication document wants
  /// it: with nobody's client in it (§5).
  fileprivate func passwordGrant(at address: Address) -> WireRequest {
    var request = name.revealText { name in
      password.revealText { password in
        WireRequest.form(
          address, [("grant_type", "password"), ("username", name), ("password", password)],
          headers: ["Accept": "application/json"])
      }
    }
    request.isRepeatable = true
    return request
  }

  /// Palace: Basic once, a token from then on (§5).
  fileprivate func basicToken(at address: Address) -> WireRequest {
    WireRequest(
      .post, address, headers: ["Accept": "application/json", "Authorization": basic],
      isRepeatable: true)
  }
}

extension Reply {
  /// Of the header (RFC 8288), as far as a catalogue uses it.
  func linked(_ relation: Relation) -> Address? {
    for field in headers.all("Link") {
      for part in field.split(separator: ",<").map(String.init)
      where part.contains("\"\(relation.rawValue)\"") || part.contains("=\(relation.rawValue)") {
        let href = part.drop { $0 == "<" || $0 == " " }.prefix { $0 != ">" }
        if let found = try? address.resolving(Address.escaped(String(href))) { return found }
      }
    }
    return nil
  }
}
