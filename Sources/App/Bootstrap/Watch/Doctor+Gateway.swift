import Database
import Facade
import HTTP
import HTTPClient
import HTTPServer
import Items
import Machine
import OPDS
import Setup
import TextSafety

/// The gateway itself: what it would answer, whether one runs here, and how it looks from outside.
extension Doctor {
  // MARK: - Without a network

  /// Feeds and the exchange of places, asked of the very code that answers apps.
  func feeds(_ house: House) async -> [CheckupItem] {
    let facade: Facade
    do throws(DatabaseError) { facade = try await house.facade() } catch {
      return [CheckupItem("feeds", .fail, "The catalogue cannot be opened: \(error).")]
    }
    guard let settings = try? ServerSettings(configuration, inherited: []) else {
      return [
        CheckupItem(
          "feeds", .fail, "server.listen or server.public_url mean nothing.",
          try: "carrel config show server")
      ]
    }
    let gateway = Gateway(
      configuration, facade: facade, lending: house.lending, settings: settings,
      fitness: Fitness(settings.readiness) { [] })
    var found: [CheckupItem] = []
    for path in ["/opds", "/opds/2", "/opds/auth"] {
      let trouble = await feedTrouble(at: path, of: gateway)
      found.append(
        trouble.map { CheckupItem("feeds", path, .fail, "\(path): \($0).") }
          ?? CheckupItem("feeds", path, .ok, "\(path) can be read by apps."))
    }
    let sync = "/opds/kosync"
    let isOpen = await status(of: sync + "/healthcheck", gateway) == 200
    let isGuarded = await status(of: sync + "/syncs/progress/none", gateway) == 401
    found.append(
      isOpen && isGuarded
        ? CheckupItem("sync", .ok, "Places in books can be exchanged.")
        : CheckupItem(
          "sync", .fail, "The exchange of places in books does not answer as it should."))
    return found
  }

  private func feedTrouble(at path: String, of gateway: Gateway) async -> String? {
    guard let request = try? HTTPServer.Request(.get, path, policy: gateway.settings.proxies) else {
      return "it is no path"
    }
    let response = await gateway.handler(request)
    let reply = response.reply(to: request)
    let type = reply.headers["Content-Type"].flatMap { MediaType(parsing: $0) }
    guard let address = try? Address("http://localhost" + path),
      let document = try? Document(reply.bytes ?? [], type: type, from: address)
    else { return "it answers \(reply.status.code), and no app could read that" }
    switch document {
    case .authentication where reply.status == .ok || reply.headers["WWW-Authenticate"] != nil:
      return nil
    case .feed where reply.status == .ok: return nil
    default: return "it answers \(reply.status.code) with something else"
    }
  }

  private func status(of path: String, _ gateway: Gateway) async -> Int? {
    guard let request = try? HTTPServer.Request(.get, path, policy: gateway.settings.proxies) else {
      return nil
    }
    return await gateway.handler(request).status.code
  }

  // MARK: - Over the network

  /// Whether this gateway runs here, and whether readers reach it. Without an identity nothing that
  /// answers can be told from another program.
  func outside(_ identity: GatewayIdentity?) async -> [CheckupItem] {
    let outward = ClientConfiguration(
      toOwnAddressesOf: configuration, seat.place.environment)
    var inward = outward
    // What listens on this machine is not reached through a proxy.
    inward.proxies = Proxies()
    guard let client = try? Client(outward), let near = try? Client(inward) else {
      return [
        CheckupItem("gateway", .fail, "No connection can be made: http.ca_file or http.proxy.")
      ]
    }
    let here = await running(near, identity)
    let found = [here] + (await publicSite(client, identity, isRunning: here.state == .ok))
    await client.shutdown()
    await near.shutdown()
    return found
  }

  private func running(_ client: Client, _ identity: GatewayIdentity?) async -> CheckupItem {
    let server = configuration.server
    let host = server.listen.first.map { $0 == "0.0.0.0" ? "127.0.0.1" : $0 } ?? "127.0.0.1"
    let shown = host.contains(":") ? "[\(host == "::" ? "::1" : host)]" : host
    guard server.port != 0, let address = try? Address("http://\(shown):\(server.port)/readyz")
    else {
      return CheckupItem("gateway", .ok, "Its port is only known while it runs.")
    }
    let place = address.authority
    let owner: ShellCommand = "ss -ltnp 'sport = :\(server.port)'"
    switch await whoAnswers(at: address, client, identity, patience: .seconds(5)) {
    case .thisGateway(let reply) where reply.status == .ok:
      return CheckupItem("gateway", .ok, "It runs at \(place) and is ready.")
    case .thisGateway(let reply):
      let text = String(decoding: reply.body.prefix(500), as: UTF8.self)
      let why = text.firstRange(of: "\"detail\":\"").map {
        String(text[$0.upperBound...].prefix { $0 != "\"" })
      }
      return CheckupItem(
        "gateway", .fail,
        "It runs at \(place) and is not ready: \(why ?? "it answers \(reply.status.code)").",
        try: "journalctl -u carrel -n 50")
    case .unproven(let reply) where identity == nil:
      return CheckupItem(
        "gateway", .warn,
        "A program answers \(reply.status.code) at \(place); whether it is this gateway cannot be "
          + "checked while the database cannot be read.", try: owner)
    case .unproven(let reply):
      return CheckupItem(
        "gateway", .fail,
        "Another program answers \(reply.status.code) at \(place): it does not know this gateway's "
          + "data. A gateway that is still starting looks the same for a moment.", try: owner)
    case .noHTTP:
      return CheckupItem(
        "gateway", .fail,
        "Another program listens at \(place): it does not answer as a gateway does.",
        try: owner)
    case .nobody:
      return CheckupItem("gateway", .warn, "None runs at \(place).", try: "carrel serve")
    }
  }

  private enum Answerer {
    case thisGateway(HTTPClient.Reply)
    /// HTTP, but not from a gateway that knows this data.
    case unproven(HTTPClient.Reply)
    case noHTTP(TransportError)
    case nobody(TransportError)
  }

  /// Asks the readiness probe at an address a random question that only a gateway with this data can
  /// answer.
  private func whoAnswers(
    at address: Address, _ client: Client, _ identity: GatewayIdentity?, patience: Duration
  ) async -> Answerer {
    let question = GatewayIdentity.newQuestion()
    var request = HTTPClient.Request(.get, address, deadline: .at(.now + patience))
    // Where it leads elsewhere, something else stands here.
    request.redirects = .returned
    request.headers.set(GatewayIdentity.question, question)
    do throws(TransportError) {
      let reply = try await client.send(request)
      let answer = reply.headers[GatewayIdentity.answer]
      return identity?.isProved(by: answer, to: question) == true
        ? .thisGateway(reply) : .unproven(reply)
    } catch {
      switch error {
      case .cannotResolve, .cannotConnect, .refusedAddress, .proxyRefused, .tls,
        .timedOut(.resolving), .timedOut(.connecting), .timedOut(.securing),
        .deadlineExceeded(.resolving), .deadlineExceeded(.connecting),
        .deadlineExceeded(.securing):
        return .nobody(error)
      default: return .noHTTP(error)
      }
    }
  }

  private func publicSite(
    _ client: Client, _ identity: GatewayIdentity?, isRunning: Bool
  ) async -> [CheckupItem] {
    guard let site = configuration.server.publicURL else {
      let isLocal = configuration.server.listen.allSatisfy { $0 == "::1" || $0.hasPrefix("127.") }
      return [
        isLocal
          ? CheckupItem("public-url", .ok, "None is set: it is for this machine.")
          : CheckupItem(
            "public-url", .warn, "None is set, but it listens to other machines.",
            try: "carrel config edit")
      ]
    }
    let wrong: CheckupItem.State = isRunning ? .fail : .warn
    func item(_ what: String, _ attempt: ShellCommand? = nil) -> [CheckupItem] {
      let attempt = attempt ?? "curl -v \(site)/readyz"
      return [CheckupItem("public-url", wrong, "\(site): \(what).", try: attempt)]
    }
    guard let probe = try? Address(site + "/readyz"), let door = try? Address(site + "/opds/auth")
    else { return item("it is no address") }
    let limit = configuration.http.deadline
    switch await whoAnswers(at: probe, client, identity, patience: limit) {
    case .thisGateway: break
    case .unproven where identity == nil:
      return item("whether this gateway answers cannot be checked while the database is closed")
    case .unproven(let reply):
      return item("something else answers there, with \(reply.status.code)")
    case .noHTTP(let error), .nobody(let error):
      let (what, attempt) = Self.words(for: error, host: probe.host.text)
      return item(what, attempt)
    }
    do throws(TransportError) {
      let said = try await client.send(
        HTTPClient.Request(.get, door, deadline: .at(.now + limit)))
      let text = String(decoding: said.body, as: UTF8.self).split(separator: "\\").joined()
      guard text.contains(site + "/opds") else {
        return item("its links lead elsewhere: does the gateway that answers have this public_url?")
      }
      if let days = daysLeft(said.certificateEnd) {
        return [
          CheckupItem(
            "public-url", .warn, "\(site): its certificate expires in \(days) days.",
            try: "certbot renew")
        ]
      }
      return [CheckupItem("public-url", .ok, "\(site) leads here, and its links lead back.")]
    } catch {
      let (what, attempt) = Self.words(for: error, host: door.host.text)
      return item(what, attempt)
    }
  }
}
