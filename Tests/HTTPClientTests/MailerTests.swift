import HTTP
import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct `A message is handed to the mail server` {
  @Test
  func `the mailer sends its envelope, hides hidden recipients and doubles dots`() async throws {
    let office = try PostOffice()
    defer { office.stop() }
    var message = try MailMessage.sample(to: ["a@library.example", "b@library.example"])
    message.cc = [try MailAddress("a@library.example")]
    message.text = ".\n..two\nFrom here\n"
    let receipt = try await office.mailer().send(
      message, hidden: [MailAddress("c@library.example")],
      sender: MailAddress("bounces@carrel.example"))
    #expect(receipt.rejected.isEmpty)
    let letter = try #require(await office.letters.next())
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
  func `a mail refusal tells its step and reply and is temporary or permanent`(_ row: Refusal)
    async throws
  {
    let office = try PostOffice(.init(answers: [row.command: [row.answer]]))
    defer { office.stop() }
    let error = try await mailFailure(office.mailer(), .sample())
    #expect(error == row.error)
    #expect(error?.isTemporary == row.answer.hasPrefix("4"))
  }

  @Test(arguments: [("554 no service here", false), ("421 too busy", true)])
  func `A message is handed to the mail server and a server may refuse at the door`(
    _ greeting: String, _ isTemporary: Bool
  ) async throws {
    let office = try PostOffice(.init(greeting: greeting))
    defer { office.stop() }
    let error = try await mailFailure(office.mailer(), .sample())
    #expect(error?.isTemporary == isTemporary)
    switch error {
    case .permanent(.greeting, let reply), .temporary(.greeting, let reply):
      #expect(greeting == "\(reply.code) \(reply.text)")
    default: Issue.record("\(String(describing: error))")
    }
  }

  @Test func `a refused mail recipient does not stop delivery to the others`() async throws {
    let office = try PostOffice(
      .init(answers: ["RCPT": ["250 ok", "550 5.1.1 gone", "250 ok"]]))
    defer { office.stop() }
    let receipt = try await office.mailer().send(
      .sample(to: ["a@x.example", "b@x.example", "c@x.example"]))
    #expect(
      receipt.rejected == [
        .init(mailbox: "b@x.example", reply: .init(code: 550, text: "5.1.1 gone"))
      ])
    #expect(await office.letters.next()?.content.isEmpty == false)
  }

  @Test(arguments: ["EHLO", "MAIL", "RCPT", "DATA", "."])
  func `a mail server that hangs up is a lost connection`(_ command: String) async throws {
    let office = try PostOffice(.init(answers: [command: [nil], "HELO": [nil]]))
    defer { office.stop() }
    let error = try await mailFailure(office.mailer(), .sample())
    guard case .transport(.connectionLost) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.isTemporary == true)
  }

  @Test func `a silent mail server is given up at the deadline or on cancellation`() async throws {
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
    let task = Task { await mailFailure(mailer, message) }
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

  @Test func `a canceled mail is never ended as if it were whole`() async throws {
    let signals = Signals<String>()
    let isCancelled = Journal<Bool>()
    let seen = Journal<[UInt8]>()
    let server = try RawServer(receiveBuffer: 4096) { connection in
      connection.write("220 post.example\r\n")
      while let line = connection.line() {
        connection.write(line == "DATA" ? "354 go on\r\n" : "250 ok\r\n")
        if line == "DATA" { break }
      }
      _ = connection.line()
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
      let error = await mailFailure(mailer, letter)
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
    #expect(tail != "\r\n.\r\n")
  }
}
