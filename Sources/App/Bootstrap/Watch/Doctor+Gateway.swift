import Database
import Facade
import HTTP
import HTTPClient
import HTTPServer
import Items
import Machine
import OPDS
import Setup

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

  /// Whether a gateway runs here, and whether readers reach it.
  func outside() async -> [CheckupItem] {
    let outward = ClientConfiguration(
      toOwnAddressesOf: configuration, seat.place.environment)
    guard let client = try? Client(outward) else {
      return [
        CheckupItem("gateway", .fail, "No connection can be made: http.ca_file or http.proxy.")
      ]
    }
    let here = await running(client)
    let found = [here] + (await publicSite(client, isRunning: here.state == .ok))
    await client.shutdown()
    return found
  }

  private func running(_ client: Client) async -> CheckupItem {
    let server = configuration.server
    let host = server.listen.first.map { $0 == "0.0.0.0" ? "127.0.0.1" : $0 } ?? "127.0.0.1"
    let shown = host.contains(":") ? "[\(host == "::" ? "::1" : host)]" : host
    guard server.port != 0, let address = try? Address("http://\(shown):\(server.port)/readyz")
    else {
      return CheckupItem("gateway", .ok, "Its port is only known while it runs.")
    }
    do throws(TransportError) {
      let reply = try await client.send(
        HTTPClient.Request(.get, address, deadline: .at(.now + .seconds(5))))
      if reply.status == .ok {
        return CheckupItem("gateway", .ok, "It runs at \(address.authority) and is ready.")
      }
      let text = String(decoding: reply.body.prefix(500), as: UTF8.self)
      let why = text.firstRange(of: "\"detail\":\"").map {
        String(text[$0.upperBound...].prefix { $0 != "\"" })
      }
      return CheckupItem(
        "gateway", .fail,
        "What runs at \(address.authority) is not ready: \(why ?? "it answers \(reply.status.code)").",
        try: "journalctl -u carrel -n 50")
    } catch {
      return CheckupItem(
        "gateway", .warn, "None runs at \(address.authority).", try: "carrel serve")
    }
  }

  private func publicSite(_ client: Client, isRunning: Bool) async -> [CheckupItem] {
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
    func item(_ what: String, _ attempt: String? = nil) -> [CheckupItem] {
      let attempt = attempt ?? "curl -v \(site)/healthz"
      return [CheckupItem("public-url", wrong, "\(site): \(what).", try: attempt)]
    }
    guard let health = try? Address(site + "/healthz"), let door = try? Address(site + "/opds/auth")
    else { return item("it is no address") }
    do throws(TransportError) {
      let reply = try await client.send(
        HTTPClient.Request(.get, health, deadline: .at(.now + configuration.http.deadline)))
      guard reply.status == .ok, reply.head.headers["X-Request-Id"] != nil,
        reply.body.starts(with: Array("ok".utf8))
      else { return item("something else answers there, with \(reply.status.code)") }
      let said = try await client.send(
        HTTPClient.Request(.get, door, deadline: .at(.now + configuration.http.deadline)))
      let text = String(decoding: said.body, as: UTF8.self).split(separator: "\\").joined()
      guard text.contains(site + "/opds") else {
        return item("its links lead elsewhere: does the gateway that answers have this public_url?")
      }
      if let days = daysLeft(reply.certificateEnd) {
        return [
          CheckupItem(
            "public-url", .warn, "\(site): its certificate expires in \(days) days.",
            try: "certbot renew")
        ]
      }
      return [CheckupItem("public-url", .ok, "\(site) leads here, and its links lead back.")]
    } catch {
      let (what, attempt) = Self.words(for: error, host: health.host.text)
      return item(what, attempt)
    }
  }
}
