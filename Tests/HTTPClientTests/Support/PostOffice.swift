import HTTP
import HTTPClient
import TestSupport

/// A scripted mail server on loopback. It speaks the ordinary conversation, and differs from it
/// only where a test says so.
final class PostOffice: Sendable {
  /// Answers by the beginning of the command they answer, `greeting` and `.` (the end of the
  /// content) included; `nil` hangs up. More than one answer for the same command is used in turn.
  struct Script: Sendable {
    var greeting: String? = "220 post.example ESMTP"
    var offers: [String] = []
    var answers: [String: [String?]] = [:]
  }

  struct Letter: Sendable {
    var commands: [String] = []
    var content: [String] = []
  }

  let server: RawServer
  let letters = Signals<Letter>()

  init(_ script: Script = Script()) throws {
    let letters = letters
    server = try RawServer { connection in
      var letter = Letter()
      PostOffice.converse(connection, script, &letter)
      letters.send(letter)
    }
  }

  func stop() { server.stop() }

  /// A mailer for this office, or for a front before it.
  func mailer(
    _ security: MailServer.Security = .none, login: MailServer.Login? = nil, port: Int? = nil,
    trust: ClientConfiguration.Trust = .system
  ) throws -> Mailer {
    var settings = MailServer(
      host: try Address.Host("127.0.0.1"), port: port ?? server.port, security: security,
      login: login, clientName: "carrel.example")
    settings.trust = trust
    return try Mailer(settings)
  }

  private static func converse(
    _ connection: RawConnection, _ script: Script, _ letter: inout Letter
  ) {
    guard let greeting = script.greeting else { return }
    if !greeting.isEmpty { connection.write("\(greeting)\r\n") }
    var used: [String: Int] = [:]
    while let line = connection.line() {
      letter.commands.append(line)
      let verb = line.uppercased()
      var answer: String? = standard(verb, script)
      if let key = script.answers.keys.first(where: { verb.hasPrefix($0) }),
        let own = script.answers[key]
      {
        answer = own[min(used[key, default: 0], own.count - 1)]
        used[key, default: 0] += 1
      }
      guard let answer else { return }
      connection.write("\(answer)\r\n")
      if verb == "DATA", answer.hasPrefix("354") {
        while let line = connection.line(), line != "." { letter.content.append(line) }
        guard let end = script.answers[".", default: ["250 2.0.0 queued"]][0] else { return }
        connection.write("\(end)\r\n")
      }
      if verb == "QUIT" { return }
    }
  }

  private static func standard(_ verb: String, _ script: Script) -> String {
    switch verb.prefix(4) {
    case "EHLO":
      let lines = ["post.example"] + script.offers
      return lines.enumerated().map {
        "250\($0.offset == lines.count - 1 ? " " : "-")\($0.element)"
      }.joined(separator: "\r\n")
    case "DATA": return "354 go on"
    case "QUIT": return "221 bye"
    case "AUTH": return "334 "
    default: return "250 2.1.0 ok"
    }
  }
}

extension MailMessage {
  static func sample(to: [String] = ["reader@library.example"]) throws -> MailMessage {
    MailMessage(
      from: try MailAddress("desk@carrel.example", name: "Carrel"),
      to: try to.map { try MailAddress($0) }, subject: "Your hold is ready",
      text: "Come and get it.\n", date: 1_795_256_100, id: "n-1")
  }
}

/// The failure of a delivery that must fail.
func mailFailure(_ mailer: Mailer, _ message: MailMessage) async -> MailError? {
  do {
    _ = try await mailer.send(message)
    return nil
  } catch {
    return error
  }
}
