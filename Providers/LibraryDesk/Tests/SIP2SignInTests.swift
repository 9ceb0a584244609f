import Circulation
import LibraryDeskMock
import Lines
import MockKit
import Secrets
import TestSupport
import Testing

@testable import LibraryDesk

@Suite(.serialized, .timeLimit(.minutes(2))) struct `Readers sign in over SIP2` {
  @Test(arguments: SIP2Dialect.makers)
  func `the SIP2 client signs a patron in at the server of every vendor`(_ maker: String)
    async throws
  {
    try await SIP2House.open(maker) { open in
      let standing = try await open.desk("23000000000004", "44440044").checkAccount(in: open.call)
      #expect(standing.identity?.name == "LE CARRÉ, JOËL")
      #expect(standing.blocks.isEmpty)
      // A wrong PIN and an unknown card are one answer; so is what the letters cannot write.
      for (card, pin) in [
        ("23000000000004", "1111"), ("99", "1111"), ("23000000000004", "пароль"),
        ("23000000000004", "1234|BLY"), ("23000000000004", ""),
      ] {
        let desk = try open.desk(card, pin)
        let call = open.call
        let error = await failure { () async throws(CirculationError) in
          _ = try await desk.checkAccount(in: call)
        }
        #expect(error?.reason == .credentialsRejected, "\(pin)")
        #expect(error?.providerSays == nil && error?.explanation == nil)
      }
      // Neither the empty one nor those that cannot be written came as far as the line.
      let unwritable = maker == "koha" || maker == "evergreen" ? 1 : 0
      #expect(open.asked("patron") == 3 + unwritable)
    }
  }

  @Test(arguments: SIP2Dialect.makers)
  func `Readers sign in over SIP2: blocks are told and do not shut readers out`(
    _ maker: String
  ) async throws {
    try await SIP2House.open(maker) { open in
      func kinds(_ card: String, _ pin: String) async throws -> Set<AccountBlock.Kind> {
        Set(try await open.desk(card, pin).checkAccount(in: open.call).blocks.map(\.kind))
      }
      #expect(try await kinds("23000000000006", "66660066").contains(.cardLost))
      #expect(try await kinds("23000000000007", "77770077").contains(.fines))
      let late = try await kinds("23000000000005", "55550055")
      // Some tell no end of a card; their flags say that nothing may be borrowed.
      #expect(late == [.expired] || late == [.expired, .noBorrowing] || late == [.noBorrowing])
      let odd = try await open.desk("23000000000008", "88880088").checkAccount(in: open.call)
      #expect(odd.identity?.name == "Odd | Name, Olga")
    }
  }

  @Test
  func `the SIP2 client ends each patron's session where the server supports it`() async throws {
    for maker in ["koha", "ag_verso"] {
      try await SIP2House.open(maker, ["sip2_connections": "1"]) { open in
        for (card, pin) in [("23000000000001", "1111"), ("23000000000002", "2222")] {
          _ = try await open.desk(card, pin).checkAccount(in: open.call)
        }
        #expect(open.asked("login") == 1)
        #expect(open.asked("end") == (maker == "koha" ? 2 : 0))
      }
    }
  }

  @Test func `many patrons share a few SIP2 connections`() async throws {
    try await SIP2House.open("koha", ["sip2_connections": "3"]) { open in
      let names = try await withThrowingTaskGroup(of: String?.self) { group in
        for number in 0..<60 {
          group.addTask {
            let (card, pin) = [
              ("23000000000001", "1111"), ("23000000000002", "2222"), ("23000000000003", "3333"),
            ][number % 3]
            let standing = try await open.desk(card, pin).checkAccount(in: open.call)
            #expect(standing.identity?.card == card)
            return standing.identity?.name
          }
        }
        return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
      }
      #expect(names.count == 3)
      #expect((1...3).contains(open.asked("login")))
      #expect(open.line.clients <= 3)
    }
  }

  /// Looks again and again, at most for some seconds: nobody tells of it.
  private static func until(_ isSo: () -> Bool) async {
    let end = ContinuousClock.now + .seconds(5)
    while !isSo(), ContinuousClock.now < end { await Task.yield() }
  }

  @Test func `the SIP2 client closes an idle connection and logs in again later`() async throws {
    try await SIP2House.open("koha", ["sip2_idle_seconds": "1"]) { open in
      _ = try await open.desk().checkAccount(in: open.call)
      #expect(open.line.clients == 1)
      await Self.until { open.line.clients == 0 }
      #expect(open.line.clients == 0)
      _ = try await open.desk().checkAccount(in: open.call)
      #expect(open.asked("login") == 2)
    }
  }

  @Test func `the SIP2 client sends status requests to keep a connection alive`() async throws {
    try await SIP2House.open("koha", ["sip2_keepalive_seconds": "1"]) { open in
      _ = try await open.desk().checkAccount(in: open.call)
      await Self.until { open.asked("status") >= 2 }
      #expect(open.asked("status") >= 2 && open.asked("login") == 1)
      #expect(open.line.clients == 1)
    }
  }

  @Test func `Readers sign in over SIP2: over TLS, where the library's own authority is named`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let (certificate, key) = (folder.path("ils.pem"), folder.path("ils.key"))
      let made = try await run(
        "openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
          "-keyout", key, "-out", certificate, "-subj", "/CN=ils", "-addext",
          "subjectAltName=IP:127.0.0.1", "-days", "2",
        ])
      #expect(made.end == .exited(0))
      let tls = LineServer.TLS(certificate: certificate, key: key)
      try await SIP2House.open("koha", ["sip2_ca_file": certificate], tls: tls) { open in
        let standing = try await open.desk().checkAccount(in: open.call)
        #expect(standing.identity?.card == "23000000000001")
      }
      try await SIP2House.open("koha", tls: tls) { open in
        let desk = try open.desk()
        let call = open.call
        let error = await failure { () async throws(CirculationError) in
          _ = try await desk.checkAccount(in: call)
        }
        #expect(
          error?.reason == .networkFailure
            && error?.providerSays == "TLS: the certificate is self-signed")
      }
    }
  }

  @Test func `a family name replaces the PIN at a SIP2 library without PINs`() async throws {
    try await SIP2House.open("generic", ["proof": "family_name"]) { open in
      open.change { library, _ in library.lending.rules.needsPIN = false }
      let standing = try await open.desk("23000000000004", "le Carré").checkAccount(in: open.call)
      #expect(standing.identity?.card == "23000000000004")
      let desk = try open.desk("23000000000004", "Fairweather")
      let call = open.call
      let error = await failure { () async throws(CirculationError) in
        _ = try await desk.checkAccount(in: call)
      }
      #expect(error?.reason == .credentialsRejected)
    }
  }

  @Test func `a refused SIP2 login is a configuration error, not a rejected patron`() async throws {
    for maker in ["generic", "evergreen"] {
      try await SIP2House.open(maker, ["sip2_login": "somebody"]) { open in
        let desk = try open.desk()
        let call = open.call
        let error = await failure { () async throws(CirculationError) in
          _ = try await desk.checkAccount(in: call)
        }
        guard case .notConfigured = error?.reason else {
          Issue.record("\(String(describing: error))")
          return
        }
      }
    }
  }

  @Test func `the SIP2 log contains no PIN, password, login, card or patron name`() async throws {
    try await SIP2House.open("sierra") { open in
      _ = try await open.desk("23000000000004", "44440044").checkAccount(in: open.call)
      let desk = try open.desk("23000000000004", "98761234")
      let call = open.call
      _ = await failure { () async throws(CirculationError) in
        _ = try await desk.checkAccount(in: call)
      }
      _ = try await open.desk("23000000000004", "44440044").placeHold(
        on: open.item(2), options: HoldOptions(pickup: BranchID("MTH")), in: open.call)
      let lines = open.journal.entries.map { "\($0)" }
      #expect(lines.count > 6)
      for secret in [
        "44440044", "98761234", SIP2Dialect.login.user, SIP2Dialect.login.password, "CARRÉ",
        "23000000000004",
      ] {
        #expect(!lines.contains { $0.contains(secret) }, "\(secret)")
      }
    }
  }
}
