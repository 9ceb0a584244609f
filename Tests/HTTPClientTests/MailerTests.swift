import HTTP
import HTTPClient
import Testing

@Suite(.timeLimit(.minutes(2))) struct `A message is handed to the mail server` {
  private func failure(
    _ mailer: Mailer, _ message: MailMessage
  ) async -> MailError? {
    do {
      _ = try await mailer.send(message)
      return nil
    } catch {
      return error
    }
  }

  @Test func `with its envelope, hidden recipients and dots doubled`() async throws {
    let office = try PostOffice()
    defer { office.stop() }
    var message = try MailMessage.sample(to: ["a@library.example", "b@library.example"])
    message.cc = [try MailAddress("a@library.example")]
    message.text = ".\n..two\nFrom here\n"
    let receipt = try await office.mailer().send(
      message, hidden: [MailAddress("c@library.example")],
      sender: MailAddress("bounces@carrel.example"))
    #expect(receipt.rejected.isEmpty)
    let letter = try #require(office.letters.all.first)
    #expect(
      letter.commands == [
        "EHLO carrel.example", "MAIL FROM:<bounces@carrel.example>",
        "RCPT TO:<a@library.example>", "RCPT TO:<b@library.example>",
        "RCPT TO:<c@library.example>", "DATA", "QUIT",
      ])
    let body = try #require(letter.content.firstIndex(of: "")).advanced(by: 1)
    #expect(Array(letter.content[body...]) == ["..", "...two", "=46rom here"])
    #expect(!letter.content.contains { $0.contains("c@library.example") })
  }

  struct Refusal: Sendable {
    let command: String
    let answer: String
    let error: MailError
  }

  @Test(arguments: [
    Refusal(
      command: "MAIL", answer: "550 5.7.1 not you",
      error: .permanent(.sender, .init(code: 550, text: "5.7.1 not you"))),
    Refusal(
      command: "MAIL", answer: "451 4.3.0 later",
      error: .temporary(.sender, .init(code: 451, text: "4.3.0 later"))),
    Refusal(
      command: "DATA", answer: "554 no valid recipients",
      error: .permanent(.content, .init(code: 554, text: "no valid recipients"))),
    Refusal(
      command: ".", answer: "552-too\r\n552 large\u{7}",
      error: .permanent(.content, .init(code: 552, text: "too large"))),
    Refusal(
      command: ".", answer: "452 4.2.2 full",
      error: .temporary(.content, .init(code: 452, text: "4.2.2 full"))),
    Refusal(
      command: "RCPT", answer: "550 5.1.1 no such reader",
      error: .recipientsRejected([
        .init(
          mailbox: "reader@library.example",
          reply: .init(code: 550, text: "5.1.1 no such reader"))
      ])),
    Refusal(
      command: "RCPT", answer: "450 4.2.0 greylisted",
      error: .recipientsRejected([
        .init(
          mailbox: "reader@library.example", reply: .init(code: 450, text: "4.2.0 greylisted"))
      ])),
  ])
  func `and a refusal says where and what, for now or for good`(_ row: Refusal) async throws {
    let office = try PostOffice(.init(answers: [row.command: [row.answer]]))
    defer { office.stop() }
    let error = try await failure(office.mailer(), .sample())
    #expect(error == row.error)
    #expect(error?.isTemporary == row.answer.hasPrefix("4"))
  }

  @Test(arguments: [("554 no service here", false), ("421 too busy", true)])
  func `and a server may refuse at the door`(_ greeting: String, _ isTemporary: Bool) async throws {
    let office = try PostOffice(.init(greeting: greeting))
    defer { office.stop() }
    let error = try await failure(office.mailer(), .sample())
    #expect(error?.isTemporary == isTemporary)
    switch error {
    case .permanent(.greeting, let reply), .temporary(.greeting, let reply):
      #expect(greeting == "\(reply.code) \(reply.text)")
    default: Issue.record("\(String(describing: error))")
    }
  }

  @Test func `and one bad recipient does not keep it from the others`() async throws {
    let office = try PostOffice(
      .init(answers: ["RCPT": ["250 ok", "550 5.1.1 gone", "250 ok"]]))
    defer { office.stop() }
    let receipt = try await office.mailer().send(
      .sample(to: ["a@x.example", "b@x.example", "c@x.example"]))
    #expect(
      receipt.rejected == [
        .init(mailbox: "b@x.example", reply: .init(code: 550, text: "5.1.1 gone"))
      ])
    #expect(office.letters.all.first?.content.isEmpty == false)
  }

  @Test func `logged in with PLAIN`() async throws {
    let office = try PostOffice(
      .init(
        offers: ["AUTH PLAIN LOGIN"],
        answers: ["AUTH": ["334 "], "AHUA": ["235 ok"]]))
    defer { office.stop() }
    let mailer = try office.mailer(
      login: .init(user: "u", secret: "s3cret", mechanisms: [.plain]))
    _ = try await mailer.send(.sample())
    #expect(
      office.letters.all.first?.commands.prefix(3) == [
        "EHLO carrel.example", "AUTH PLAIN", "AHUAczNjcmV0",
      ])
  }

  @Test func `logged in with LOGIN`() async throws {
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
      office.letters.all.first?.commands.prefix(4) == [
        "EHLO carrel.example", "AUTH LOGIN", "dQ==", "czNjcmV0",
      ])
  }

  @Test func `and a refused login shows no secret, even if the server repeats it`() async throws {
    let office = try PostOffice(
      .init(
        offers: ["AUTH PLAIN"],
        answers: ["AHUA": ["535 5.7.8 bad s3cret"]]))
    defer { office.stop() }
    let error = try await failure(
      office.mailer(login: .init(user: "u", secret: "s3cret")), .sample())
    #expect(error == .authenticationRefused(.init(code: 535, text: "")))
  }

  @Test func `and never without the login that is configured`() async throws {
    let office = try PostOffice()
    defer { office.stop() }
    let error = try await failure(
      office.mailer(login: .init(user: "u", secret: "s")), .sample())
    #expect(error == .authenticationNotOffered)
    #expect(office.letters.all.first?.content.isEmpty != false)
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
  func `in the clear only where that was chosen`(_ row: Encryption) async throws {
    let office = try PostOffice(
      .init(offers: row.offers, answers: ["STARTTLS": ["454 not now"]]))
    defer { office.stop() }
    let login = row.hasLogin ? MailServer.Login(user: "u", secret: "s") : nil
    let error = try await failure(office.mailer(row.security, login: login), .sample())
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
  func `over TLS, with the certificate verified`(_ row: Tunnel) async throws {
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
    let error = try await failure(mailer, .sample())
    if let fault = row.fault {
      guard case .transport(.tls(fault, _)) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    } else {
      #expect(error == nil)
      #expect(office.letters.all.first?.commands.contains("AHUAczNjcmV0") == true)
    }
  }

  @Test func `and a TLS port that speaks no TLS is a handshake failure`() async throws {
    let office = try PostOffice()
    defer { office.stop() }
    let error = try await failure(office.mailer(.implicit), .sample())
    guard case .transport(.tls(.handshake, _)) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: ["EHLO", "MAIL", "RCPT", "DATA", "."])
  func `and a server that hangs up is a lost connection`(_ command: String) async throws {
    let office = try PostOffice(.init(answers: [command: [nil], "HELO": [nil]]))
    defer { office.stop() }
    let error = try await failure(office.mailer(), .sample())
    guard case .transport(.connectionLost) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.isTemporary == true)
  }

  @Test func `and a server that says nothing meets the deadline, or the cancelling`() async throws {
    let signals = Signals<String>()
    let server = try RawServer { connection in
      signals.send("reached")
      connection.waitForClose()
      signals.send("closed")
    }
    defer { server.stop() }
    let mailer = try Mailer(
      MailServer(
        host: Address.Host("127.0.0.1"), port: server.port, security: .none,
        clientName: "carrel.example"))
    let message = try MailMessage.sample()
    let task = Task { await failure(mailer, message) }
    #expect(await signals.next() == "reached")
    task.cancel()
    #expect(await task.value == .transport(.cancelled))
    #expect(await signals.next() == "closed")
    do {
      _ = try await mailer.send(message, deadline: .now + .milliseconds(200))
      Issue.record("sent")
    } catch .transport(.deadlineExceeded) {
      #expect(await signals.next() == "reached")
      #expect(await signals.next() == "closed")
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func `and half a letter is never ended as if it were whole`() async throws {
    let signals = Signals<String>()
    let isCancelled = Journal<Bool>()
    let seen = Journal<[UInt8]>()
    let server = try RawServer(receiveBuffer: 4096) { connection in
      connection.write("220 post.example\r\n")
      while let line = connection.line() {
        connection.write(line == "DATA" ? "354 go on\r\n" : "250 ok\r\n")
        if line == "DATA" { break }
      }
      signals.send("reached")
      busyWait(.seconds(60), unless: { !isCancelled.all.isEmpty })
      seen.append(connection.rest())
      signals.send("read")
    }
    defer { server.stop() }
    let mailer = try Mailer(
      MailServer(
        host: Address.Host("127.0.0.1"), port: server.port, security: .none,
        clientName: "carrel.example"))
    var message = try MailMessage.sample()
    message.text = String(repeating: "A line of a long letter.\n", count: 300_000)
    let letter = message
    let task = Task {
      let error = await failure(mailer, letter)
      signals.send("failed")
      return error
    }
    #expect(await signals.next() == "reached")
    task.cancel()
    #expect(await signals.next() == "failed")
    isCancelled.append(true)
    #expect(await task.value == .transport(.cancelled))
    await mailer.shutdown()
    #expect(await signals.next() == "read")
    let rest = try #require(seen.all.first)
    let tail = String(decoding: rest.suffix(5), as: UTF8.self)
    #expect(!rest.isEmpty)
    #expect(tail != "\r\n.\r\n")
  }

  @Test func `and no description of a login shows it`() {
    let login = MailServer.Login(user: "marker-user", secret: "marker-secret")
    var text = "\(login) \(String(reflecting: [login]))"
    dump(login, to: &text)
    #expect(!text.contains("marker"))
  }
}
