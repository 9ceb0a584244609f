import Synchronization
import TestSupport

/// A mail server that takes every message, and remembers to whom it went and what it said.
final class MailSink: Sendable {
  struct Message: Sendable {
    let recipient: String
    let text: String

    /// The code that it carries.
    var code: String? {
      text.firstMatch(of: /(?m)^(?:Your code is )?(\d{6})\b/).map { String($0.output.1) }
    }
  }

  private final class Box: Sendable { let messages = Mutex<[Message]>([]) }

  private let box: Box
  private let server: RawServer

  init() throws {
    let box = Box()
    self.box = box
    server = try RawServer { connection in Self.converse(connection, box) }
  }

  var port: Int { server.port }
  var messages: [Message] { box.messages.withLock { $0 } }
  func messages(to recipient: String) -> [Message] { messages.filter { $0.recipient == recipient } }
  func stop() { server.stop() }

  /// What an operator writes to send by it.
  var settings: String {
    """
    mail:
      server: 127.0.0.1
      port: \(port)
      security: none
      from: carrel@library.example
    notices:
      sms_mail: "{number}@sms.example"

    """
  }

  private static func converse(_ connection: RawConnection, _ box: Box) {
    connection.write("220 sink\r\n")
    var recipient = ""
    while let line = connection.line() {
      let word = line.prefix(4).uppercased()
      switch word {
      case "RCPT":
        recipient = line.firstMatch(of: /<([^>]*)>/).map { String($0.output.1) } ?? ""
        connection.write("250 ok\r\n")
      case "DATA":
        connection.write("354 go on\r\n")
        var lines: [String] = []
        while let line = connection.line(), !line.hasPrefix(".") || line.hasPrefix("..") {
          lines.append(line.replacing("\r\n", with: ""))
        }
        let message = Message(recipient: recipient, text: lines.joined(separator: "\n"))
        box.messages.withLock { $0.append(message) }
        connection.write("250 taken\r\n")
      case "QUIT":
        connection.write("221 bye\r\n")
        return
      default: connection.write("250 ok\r\n")
      }
    }
  }
}
