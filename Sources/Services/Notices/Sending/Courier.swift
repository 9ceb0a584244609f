import Crypto
import HTTP
import HTTPClient
import JSON
import Machine
import Phrasebook
import Secrets

/// Brings one message to where one channel leads. It tries once and says how that ended.
struct Courier: Sendable {
  let ways: Ways
  let vapid: @Sendable () async throws(NoticeError) -> ES256.PrivateKey
  /// Asked before each short message; how it ends, where it may not be sent.
  let countShortMessage: @Sendable () async throws(NoticeError) -> TryEnd?
  let now: Int64
  /// For one try.
  let patience: Duration

  static let mostAnswered = 64 << 10

  func bring(_ message: Message, to target: Target) async throws(NoticeError) -> TryEnd {
    switch target {
    case .email(let address): await mail(message, to: address)
    case .sms(let number): try await shortMessage(message.shortText, id: message.id, to: number)
    case .ntfy(let server, let topic, let token): await ntfy(message, server, topic, token)
    case .push(let endpoint, let point, let auth):
      try await push(message, to: endpoint, WebPush.Recipient(point: point, auth: auth))
    case .webhook(let address, let key): await post(message, to: address, key)
    }
  }

  /// Servers of patrons take no codes.
  func bring(
    _ code: ChannelCode, id: String, to target: Target
  ) async throws(NoticeError) -> TryEnd {
    let digits = code.digits.revealText { $0 }
    switch target {
    case .email(let address):
      guard let mail = ways.mail else { return .refused("no mail server is set") }
      let site = ways.site ?? mail.sender.mailbox
      return await send(
        letter(
          to: address, from: mail.sender, subject: said("Your code for notifications"),
          CodeWording.mail(digits, site: site), id: id), by: mail)
    case .sms(let number):
      return try await shortMessage(CodeWording.short(digits, site: ways.site), id: id, to: number)
    case .ntfy, .push, .webhook: return .refused("no code is sent there")
    }
  }

  // MARK: - Mail

  private func mail(_ message: Message, to address: MailAddress) async -> TryEnd {
    guard let mail = ways.mail else { return .refused("no mail server is set") }
    let link = message.address.map { "\n\n\($0)" } ?? ""
    let text = """
      \(message.body)\(link)

      --\u{20}
      \(Message.footing)
      """
    var letter = letter(
      to: address, from: mail.sender, subject: message.title, text, id: message.id)
    // Whoever reads what comes to the sender takes the channel away.
    letter.unsubscribe = [.mail(mail.sender)]
    return await send(letter, by: mail)
  }

  private func letter(
    to address: MailAddress, from sender: MailAddress, subject: String, _ text: String, id: String
  ) -> MailMessage {
    var letter = MailMessage(
      from: sender, to: [address], subject: subject, text: text, date: now / 1000, id: id)
    letter.headers.set("Auto-Submitted", "auto-generated")
    return letter
  }

  private func send(_ letter: MailMessage, by mail: Ways.Mail) async -> TryEnd {
    do throws(MailError) {
      let receipt = try await mail.send(letter)
      // One address only: one that was refused is the one.
      return receipt.rejected.isEmpty ? .taken : TryEnd(.recipientsRejected(receipt.rejected))
    } catch {
      return TryEnd(error)
    }
  }

  // MARK: - Short messages

  private func shortMessage(
    _ text: String, id: String, to number: String
  ) async throws(NoticeError) -> TryEnd {
    if ways.has(.sms), let end = try await countShortMessage() { return end }
    switch ways.shortMessages {
    case nil: return .refused("no gateway for short messages is set")
    case .mail(let template):
      guard let mail = ways.mail else { return .refused("no mail server is set") }
      let mailbox = template.replacing("{number}", with: String(number.dropFirst()))
      guard let address = try? MailAddress(mailbox) else {
        return .refused("notices.sms_mail makes no mail address")
      }
      return await send(
        letter(to: address, from: mail.sender, subject: "Carrel", text, id: id), by: mail)
    case .post(let address, let transport, let body, let authorization):
      let isJSON = body.utf8.first == UInt8(ascii: "{")
      let values = ["{to}": number, "{text}": text, "{id}": id]
      let filled = Self.filled(body, values, isJSON: isJSON)
      var headers: Headers = [
        "Content-Type": isJSON ? "application/json" : "application/x-www-form-urlencoded"
      ]
      authorization?.revealText { headers.set("Authorization", $0) }
      let request = request(Array(filled.utf8), to: address, headers)
      do throws(TransportError) {
        return TryEnd(try await transport.send(request), goneBy: [], now: now)
      } catch {
        return TryEnd(error)
      }
    }
  }

  /// Put in where they stand, in one pass: a text may hold what looks like a place for another.
  static func filled(_ template: String, _ values: [String: String], isJSON: Bool) -> String {
    var out = ""
    var rest = template[...]
    while let brace = rest.firstIndex(of: "{") {
      out += rest[..<brace]
      rest = rest[brace...]
      if let name = values.keys.first(where: { rest.hasPrefix($0) }), let value = values[name] {
        out += isJSON ? quoted(value) : Address.encoded(value)
        rest = rest.dropFirst(name.count)
      } else {
        out.append("{")
        rest = rest.dropFirst()
      }
    }
    return out + rest
  }

  /// For between the quotes that stand in the template.
  private static func quoted(_ text: String) -> String {
    var out: [UInt8] = []
    JSONValue.appendQuoted(text, to: &out)
    return String(decoding: out.dropFirst().dropLast(), as: UTF8.self)
  }

  // MARK: - Posts

  private func ntfy(
    _ message: Message, _ server: Address, _ topic: Secret, _ token: Secret?
  ) async -> TryEnd {
    var body = JSONObject([
      .init("topic", .string(topic.revealText { $0 })), .init("title", .string(message.title)),
      .init("message", .string(String(message.body.prefix(1_000)))),
      .init("priority", .integer(message.isPressing ? 4 : 3)),
    ])
    if let address = message.address { body = body.adding(.init("click", .string(address))) }
    var headers: Headers = ["Content-Type": "application/json"]
    token?.revealText { headers.set("Authorization", "Bearer \($0)") }
    return await post(JSONValue.object(body).bytes(), to: server, headers, goneBy: [410])
  }

  private func push(
    _ message: Message, to endpoint: Address, _ recipient: WebPush.Recipient
  ) async throws(NoticeError) -> TryEnd {
    let content: JSONValue = [
      "id": .string(message.id), "title": .string(message.title),
      "body": .string(String(message.body.prefix(800))), "url": JSONValue(message.address),
    ]
    let key = try await vapid()
    let body: [UInt8]
    var headers: Headers = [
      "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream",
      "Urgency": message.isPressing ? "high" : "normal",
    ]
    do throws(CryptoError) {
      body = try WebPush.sealed(content.bytes(), for: recipient)
      headers.set(
        "Authorization",
        try WebPush.authorization(
          to: endpoint, until: now / 1000 + 12 * 3600, contact: ways.contact, key: key))
    } catch {
      return .refused("the message cannot be sealed")
    }
    let life = message.until.map { ($0 - now) / 1000 } ?? 86_400
    headers.set("TTL", "\(min(max(life, 60), 4 * 7 * 86_400))")
    // What is told twice replaces itself where it has not been fetched yet.
    headers.set("Topic", String(message.id.suffix(32)))
    return await post(body, to: endpoint, headers, goneBy: [404, 410])
  }

  private func post(_ message: Message, to address: Address, _ key: Secret) async -> TryEnd {
    let body = message.json.bytes()
    let seconds = now / 1000
    return await post(
      body, to: address,
      [
        "Content-Type": "application/json", "webhook-id": message.id,
        "webhook-timestamp": "\(seconds)",
        "webhook-signature": Signature.text(body, id: message.id, at: seconds, key),
      ], goneBy: [410])
  }

  /// To an address that a patron gave.
  private func post(
    _ body: [UInt8], to address: Address, _ headers: Headers, goneBy codes: Set<Int>
  ) async -> TryEnd {
    do throws(TransportError) {
      let reply = try await ways.patrons.send(request(body, to: address, headers))
      return TryEnd(reply, goneBy: codes, now: now)
    } catch {
      return TryEnd(error, isSilence: true)
    }
  }

  private func request(_ body: [UInt8], to address: Address, _ headers: Headers) -> Request {
    var request = Request(
      .post, address, headers: headers, body: .bytes(body), deadline: .at(.now + patience),
      limits: .init(body: Self.mostAnswered), redirects: .returned)
    // Each has a name by which it can be dropped the second time, but not everybody looks.
    request.isRepeatable = false
    return request
  }
}

extension JSONObject {
  fileprivate func adding(_ member: Member) -> JSONObject { JSONObject(members + [member]) }
}
