import Crypto
import HTTP
import HTTPClient
import Secrets

/// Where a channel leads, checked. It is a secret as a whole: an address may be all that is needed to
/// write to somebody.
enum Target: Sendable {
  case email(MailAddress)
  /// Digits after a plus sign.
  case sms(String)
  case ntfy(server: Address, topic: Secret, token: Secret?)
  case push(endpoint: Address, point: ES256.PublicKey, auth: Secret)
  case webhook(Address, key: Secret)

  /// Plain http is taken for the hosts of `unencrypted` alone.
  init(
    _ medium: Carrier, _ fields: [String: Secret], unencrypted: AddressGate
  ) throws(NoticeError) {
    switch medium {
    case .email:
      do throws(MailFault) {
        self = .email(try MailAddress(Self.text(fields, "address")))
      } catch {
        throw .badField("address")
      }
    case .sms: self = .sms(try Self.number(Self.text(fields, "number")))
    case .ntfy:
      let topic = Self.text(fields, "topic")
      let isTopic = topic.utf8.allSatisfy { $0 == 0x2D || $0 == 0x5F || Self.isWordByte($0) }
      guard isTopic, (1...64).contains(topic.utf8.count) else { throw .badField("topic") }
      let token = Self.text(fields, "token")
      guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), token.utf8.count <= 500 else {
        throw .badField("token")
      }
      self = .ntfy(
        server: try Self.address(fields, "server", unencrypted), topic: Secret(topic),
        token: token.isEmpty ? nil : Secret(token))
    case .push:
      let endpoint = try Self.address(fields, "endpoint", unencrypted)
      do throws(CryptoError) {
        let point = try Base64.urlSafe.decode(Self.text(fields, "p256dh"))
        let key = try ES256.PublicKey(point: point)
        let auth = try Base64.urlSafe.decode(Self.text(fields, "auth"))
        guard auth.count == 16 else { throw .wrongLength("auth") }
        self = .push(endpoint: endpoint, point: key, auth: Secret(auth))
      } catch {
        throw .badField("p256dh")
      }
    case .webhook:
      self = .webhook(
        try Self.address(fields, "address", unencrypted),
        key: try Self.key(Self.text(fields, "key")))
    }
  }

  /// As it may be shown: enough to know it again, too little to use it.
  var shown: String {
    switch self {
    case .email(let address): address.mailbox
    case .sms(let number): "…\(number.suffix(4))"
    case .ntfy(let server, _, _): server.origin.description
    case .push(let endpoint, _, _): endpoint.origin.description
    case .webhook(let address, _): address.origin.description
    }
  }

  /// An address at a full domain name. This machine and short names of the local network are not for
  /// patrons to write to.
  var isPublicMailbox: Bool {
    guard case .email(let address) = self else { return true }
    let domain = address.mailbox.lowercased().split(separator: "@").last ?? ""
    let labels = domain.split(separator: ".")
    return labels.count > 1 && labels.last != "localhost"
  }

  /// What codes are counted by: spellings that reach the same person are one.
  var person: String {
    switch self {
    case .email(let address):
      let parts = address.mailbox.lowercased().split(separator: "@")
      let name = parts[0].prefix { $0 != "+" }.filter { $0 != "." }
      return "\(name)@\(parts[parts.count - 1])"
    case .sms(let number): return number
    case .ntfy, .push, .webhook: return shown
    }
  }

  /// A key as it is handed to whoever checks signatures.
  static func newKey() throws(CryptoError) -> Secret {
    try Secret.random(32).revealBytes { Secret("whsec_" + Base64.standard.encode($0)) }
  }

  // MARK: - Fields

  private static func text(_ fields: [String: Secret], _ name: String) -> String {
    fields[name]?.revealText { $0 } ?? ""
  }

  private static func address(
    _ fields: [String: Secret], _ name: String, _ unencrypted: AddressGate
  ) throws(NoticeError) -> Address {
    guard let address = try? Address(text(fields, name)), address.text.utf8.count <= 2_000,
      address.isSecure
        || address.scheme == "http"
          && unencrypted.names(address.host, port: address.effectivePort ?? 80),
      address.fragment == nil
    else { throw .badField(name) }
    return address
  }

  private static func number(_ text: String) throws(NoticeError) -> String {
    let bytes = text.utf8.filter { ![0x20, 0x2D, 0x28, 0x29, 0x2F].contains($0) }
    guard bytes.first == UInt8(ascii: "+"), (8...16).contains(bytes.count),
      bytes.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }),
      bytes.dropFirst().first != UInt8(ascii: "0")
    else { throw .badField("number") }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func key(_ text: String) throws(NoticeError) -> Secret {
    do throws(CryptoError) {
      let plain = text.hasPrefix("whsec_") ? String(text.dropFirst(6)) : text
      let bytes = try Base64.standard.decode(plain)
      guard (24...64).contains(bytes.count) else { throw .wrongLength("key") }
      return Secret(bytes)
    } catch {
      throw .badField("key")
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}
