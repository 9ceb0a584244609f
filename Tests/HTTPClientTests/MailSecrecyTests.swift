import HTTP
import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct `A login and a message are kept from the wrong eyes` {
  @Test func `A login and a message are kept from the wrong eyes logged in with PLAIN`()
    async throws
  {
    let office = try PostOffice(
      .init(
        offers: ["AUTH PLAIN LOGIN"],
        answers: ["AUTH": ["334 "], "AHUA": ["235 ok"]]))
    defer { office.stop() }
    let mailer = try office.mailer(
      login: .init(user: "u", secret: "s3cret", mechanisms: [.plain]))
    _ = try await mailer.send(.sample())
    #expect(
      await office.letters.next()?.commands.prefix(3) == [
        "EHLO carrel.example", "AUTH PLAIN", "AHUAczNjcmV0",
      ])
  }

  @Test func `A login and a message are kept from the wrong eyes logged in with LOGIN`()
    async throws
  {
    let office = try PostOffice(
      .init(
        offers: ["AUTH LOGIN"],
        answers: [
          "AUTH": ["334 VXNlcm5hbWU6"], "DQ==": ["334 UGFzc3dvcmQ6"], "CZNJCMV0": ["235 ok"],
        ]))
    defer { office.stop() }
    let mailer = try office.mailer(login: .init(user: "u", secret: "s3cret"))
    _ = try await mailer.send(.sample())
    #expect(
      await office.letters.next()?.commands.prefix(4) == [
        "EHLO carrel.example", "AUTH LOGIN", "dQ==", "czNjcmV0",
      ])
  }

  @Test func `a refused mail login shows no secret, even if the server repeats it`() async throws {
    let office = try PostOffice(
      .init(
        offers: ["AUTH PLAIN"],
        answers: ["AHUA": ["535 5.7.8 bad s3cret"]]))
    defer { office.stop() }
    let error = try await mailFailure(
      office.mailer(login: .init(user: "u", secret: "s3cret")), .sample())
    #expect(error == .authenticationRefused(.init(code: 535, text: "")))
  }

  @Test func `the mailer never sends without its configured login`() async throws {
    let office = try PostOffice()
    defer { office.stop() }
    let error = try await mailFailure(
      office.mailer(login: .init(user: "u", secret: "s")), .sample())
    #expect(error == .authenticationNotOffered)
    #expect(await office.letters.next()?.content.isEmpty != false)
  }

  struct Encryption: Sendable {
    let security: MailServer.Security
    let offers: [String]
    let hasLogin: Bool
    let isSent: Bool
  }

  /// The server refuses every STARTTLS.
  @Test(arguments: [
    Encryption(security: .required, offers: ["STARTTLS"], hasLogin: false, isSent: false),
    Encryption(security: .required, offers: [], hasLogin: false, isSent: false),
    Encryption(security: .opportunistic, offers: [], hasLogin: false, isSent: true),
    Encryption(security: .opportunistic, offers: ["STARTTLS"], hasLogin: false, isSent: true),
    Encryption(security: .opportunistic, offers: ["AUTH PLAIN"], hasLogin: true, isSent: false),
    Encryption(security: .none, offers: ["STARTTLS"], hasLogin: false, isSent: true),
  ])
  func `the mailer sends unencrypted only where the settings allow it`(_ row: Encryption)
    async throws
  {
    let office = try PostOffice(
      .init(offers: row.offers, answers: ["STARTTLS": ["454 not now"]]))
    defer { office.stop() }
    let login = row.hasLogin ? MailServer.Login(user: "u", secret: "s") : nil
    let error = try await mailFailure(office.mailer(row.security, login: login), .sample())
    #expect(error == (row.isSent ? nil : .encryptionRefused))
  }

  struct Tunnel: Sendable {
    let security: MailServer.Security
    let certificate: WebServer.Certificate
    let fault: TLSFault?
  }

  @Test(arguments: [
    Tunnel(security: .implicit, certificate: .good, fault: nil),
    Tunnel(security: .implicit, certificate: .wrongHost, fault: .wrongHost),
    Tunnel(security: .implicit, certificate: .expired, fault: .expired),
    Tunnel(security: .required, certificate: .good, fault: nil),
    Tunnel(security: .required, certificate: .selfSigned, fault: .selfSigned),
    Tunnel(security: .opportunistic, certificate: .good, fault: nil),
    Tunnel(security: .opportunistic, certificate: .strangersAuthority, fault: .unknownAuthority),
  ])
  func `the mailer sends over TLS only after the certificate is verified`(_ row: Tunnel)
    async throws
  {
    let folder = try TemporaryFolder()
    let store = try CertificateStore(in: folder)
    let isImplicit = row.security == .implicit
    // Behind STARTTLS there is no second greeting: the code 220 answers the command.
    let office = try PostOffice(
      .init(
        greeting: isImplicit ? "220 post.example" : "", offers: ["AUTH PLAIN"],
        answers: ["AHUA": ["235 ok"]]))
    defer { office.stop() }
    let front = try TLSFront(before: office.server, row.certificate, of: store)
    defer { front.stop() }
    let door = try front.behind { connection in
      guard !isImplicit else { return true }
      connection.write("220 post.example\r\n")
      guard connection.line()?.hasPrefix("EHLO") == true else { return false }
      connection.write("250-post.example\r\n250 STARTTLS\r\n")
      guard connection.line() == "STARTTLS" else { return false }
      connection.write("220 go on\r\n")
      return true
    }
    defer { door.stop() }
    let mailer = try office.mailer(
      row.security, login: .init(user: "u", secret: "s3cret"), port: door.port,
      trust: .file(store.authority))
    let error = try await mailFailure(mailer, .sample())
    if let fault = row.fault {
      guard case .transport(.tls(fault, _)) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    } else {
      #expect(error == nil)
      #expect(await office.letters.next()?.commands.contains("AHUAczNjcmV0") == true)
    }
  }

  @Test func `a mail port without the configured TLS is a handshake failure`() async throws {
    let office = try PostOffice()
    defer { office.stop() }
    let error = try await mailFailure(office.mailer(.implicit), .sample())
    guard case .transport(.tls(.handshake, _)) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `the description of a mail login shows neither user nor secret`() {
    let login = MailServer.Login(user: "marker-user", secret: "marker-secret")
    var text = "\(login) \(String(reflecting: [login]))"
    dump(login, to: &text)
    #expect(!text.contains("marker"))
  }
}
