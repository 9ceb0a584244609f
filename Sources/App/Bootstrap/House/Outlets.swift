import HTTP
import HTTPClient
import Machine
import Notices
import Secrets
import Setup
import Synchronization

/// How notifications are sent. What sends mail is made with the first one, for most commands send none.
final class Outlets: Sendable {
  private let made = Mutex<Mailer?>(nil)
  private let configuration: Configuration
  private let outward: OutwardClients
  private let trust: ClientConfiguration.Trust

  init(
    _ configuration: Configuration, _ outward: OutwardClients, trust: ClientConfiguration.Trust
  ) {
    (self.configuration, self.outward, self.trust) = (configuration, outward, trust)
  }

  var ways: Ways {
    let contact = configuration.mail.map { "mailto:\($0.from)" }
    var ways = Ways(
      patrons: outward.patrons, unencrypted: outward.unencrypted,
      contact: contact ?? configuration.server.publicURL ?? "https://localhost")
    ways.site = configuration.server.publicURL
    if let mail = configuration.mail, let sender = try? MailAddress(mail.from, name: "Carrel") {
      ways.mail = Ways.Mail(sender: sender) { letter async throws(MailError) in
        try await self.mailer(mail).send(letter)
      }
    }
    let notices = configuration.notices
    guard notices.smsPerDay > 0 else { return ways }
    if let address = notices.smsURL.flatMap({ try? Address($0) }) {
      ways.shortMessages = .post(
        address, over: outward.operators, body: notices.smsBody,
        authorization: notices.smsKeyFile.flatMap(Secret.init(inFile:)))
    } else if let template = notices.smsMail {
      ways.shortMessages = .mail(template: template)
    }
    return ways
  }

  var settings: Notices.Settings {
    var settings = Notices.Settings()
    settings.mostShortMessages = configuration.notices.smsPerDay
    return settings
  }

  func close() async {
    let mailer = made.withLock { $0 }
    await mailer?.shutdown()
  }

  private func mailer(_ mail: Configuration.Mail) throws(MailError) -> Mailer {
    try made.withLock { made throws(MailError) in
      if let mailer = made { return mailer }
      let mailer: Mailer
      do throws(TransportError) { mailer = try Mailer(try server(mail)) } catch {
        throw .transport(error)
      }
      made = mailer
      return mailer
    }
  }

  private func server(_ mail: Configuration.Mail) throws(TransportError) -> MailServer {
    guard let host = try? Address.Host(mail.server) else { throw .invalidRequest(.host) }
    let security: MailServer.Security =
      switch mail.security {
      case .starttls: .required
      case .tls: .implicit
      case .none: .none
      }
    let password = mail.passwordFile.flatMap(Secret.init(inFile:))
    var server = MailServer(
      host: host, port: mail.port, security: security,
      login: mail.username.map { user in
        // Without its file the server will say no, and that is told.
        MailServer.Login(user: user, secret: password?.revealText { $0 } ?? "")
      },
      clientName: mail.from.split(separator: "@").last.map(String.init) ?? "localhost")
    server.trust = trust
    server.connectTimeout = configuration.http.connectTimeout
    return server
  }
}

extension Secret {
  /// What stands in a file that others cannot read; nil where it cannot be had.
  convenience init?(inFile path: String) {
    guard var bytes = try? WholeFile.read(path, upTo: 4096, trusting: .ownerOnly) else {
      return nil
    }
    defer { wipe(&bytes) }
    while let last = bytes.last, last == 0x0a || last == 0x0d { bytes.removeLast() }
    guard !bytes.isEmpty else { return nil }
    self.init(bytes)
  }
}
