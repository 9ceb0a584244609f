import HTTP
import HTTPClient
import JSON
import TestSupport

/// A real mail server on loopback: aiosmtpd, which prints each letter that it takes. It knows nobody whose
/// name begins with `nobody`, and puts `later` off.
final class MailRoom: Sendable {
  struct Letter: Sendable {
    let sender: String
    let recipients: [String]
    let headers: [String: String]
    let text: String
  }

  private let process: RunningProcess
  let port: Int

  private static let script = """
    import email.policy, email.parser, json, sys
    from aiosmtpd.controller import Controller

    class Desk:
        async def handle_RCPT(self, server, session, envelope, address, options):
            if address.startswith("nobody"):
                return "550 5.1.1 no such reader"
            if address.startswith("later"):
                return "451 4.3.0 later"
            envelope.rcpt_tos.append(address)
            return "250 ok"

        async def handle_DATA(self, server, session, envelope):
            letter = email.parser.BytesParser(policy=email.policy.default).parsebytes(
                envelope.content)
            print(json.dumps({
                "sender": envelope.mail_from, "recipients": envelope.rcpt_tos,
                "headers": {name.lower(): str(value) for name, value in letter.items()},
                "text": letter.get_content()}), flush=True)
            return "250 taken"

    desk = Controller(Desk(), hostname="127.0.0.1", port=0)
    # The port is the system's to choose, so the server says which.
    import asyncio, threading
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    server = asyncio.run_coroutine_threadsafe(
        loop.create_server(desk.factory, "127.0.0.1", 0), loop).result()
    desk.loop = loop
    print(server.sockets[0].getsockname()[1], flush=True)
    sys.stdin.read()
    """

  init() async throws {
    let process = try RunningProcess("/usr/bin/python3", ["-c", Self.script])
    guard let line = try await process.nextLine(), let port = Int(line) else {
      throw TestSupportError("the mail server does not start: \(process.errorText())")
    }
    (self.process, self.port) = (process, port)
  }

  func letter() async throws -> Letter {
    guard let line = try await process.nextLine() else {
      throw TestSupportError("the mail server ended: \(process.errorText())")
    }
    let value = try JSONValue(parsing: line)
    var headers: [String: String] = [:]
    for member in value["headers"]?.object?.members ?? [] {
      headers[member.name] = member.value.string
    }
    return Letter(
      sender: value["sender"]?.string ?? "",
      recipients: value["recipients"]?.array?.compactMap(\.string) ?? [], headers: headers,
      text: (value["text"]?.string ?? "").replacing("\r\n", with: "\n"))
  }

  func mailer() throws -> Mailer {
    try Mailer(
      MailServer(
        host: .init("127.0.0.1"), port: port, security: .none, clientName: "carrel.example"))
  }

  /// It ends when nobody speaks to it any more.
  func stop() { process.closeInput() }
}
