import Circulation
import HTTP
import Lines
import Machine
import ProviderKit
import SIP2
import Secrets
import Text

/// All that has to be known of one library's server, checked once.
struct Profile: Sendable {
  let maker: Maker
  let dialect: Dialect
  let place: LinePlace
  let login: Login?
  /// What we call the library; servers that look at it want their own word.
  let institution: String
  let limits: Limits

  struct Login: Sendable {
    let user: Secret
    let password: Secret
    let location: String?
  }

  struct Limits: Sendable, Hashable {
    var connections = 4
    var connect = Duration.seconds(3)
    var answer = Duration.seconds(3)
    /// For all that one errand takes.
    var operation = Duration.seconds(10)
    /// How often a request is sent again that could not be read.
    var repeats = 5
    /// After that long a line that nobody used is closed: most servers would.
    var idle = Duration.seconds(25)
    /// How often the server is asked for its state so that it keeps the line; nil lets it go.
    var keepAlive: Duration?
  }

  init(_ library: Library) throws(SettingsFault) {
    let cells = Cells(library: library)
    maker = try cells.word("sip2_maker") ?? .generic
    dialect = try cells.dialect(of: maker)
    place = try cells.place()
    login = try cells.login()
    institution = library.settings["sip2_institution"] ?? ""
    limits = try cells.limits()
  }

  static let needs: [ProviderListing.Field] =
    [
      Settings.field("sip2_maker", "Whose system answers: " + Maker.allCases.words),
      Settings.field("sip2_login", "The user that the gateway signs in as"),
      Settings.field("sip2_password", "The password of that user", isSecret: true),
      Settings.field("sip2_location", "The location code that goes with it"),
      Settings.field("sip2_institution", "What the server calls the library"),
      Settings.field("sip2_plain", "Whether a line may go unencrypted beyond this machine"),
      Settings.field("sip2_ca_file", "A PEM file with the server's own authority"),
      Settings.field("sip2_certificate", "A PEM file with the gateway's certificate"),
      Settings.field("sip2_key", "A PEM file with the key of that certificate"),
      Settings.field("sip2_tls_name", "The name in the server's certificate, behind a tunnel"),
      Settings.field("sip2_connections", "How many lines at once, from 1 to 8"),
      Settings.field("sip2_connect_seconds", "How long to wait for a line, from 1 to 9"),
      Settings.field("sip2_answer_seconds", "How long to wait for an answer, from 1 to 9"),
      Settings.field("sip2_idle_seconds", "After how long an unused line is closed"),
      Settings.field("sip2_keepalive_seconds", "How often to ask for the server's state meanwhile"),
      Settings.field("sip2_repeats", "How often to repeat what could not be read, from 0 to 5"),
    ] + Cells.needs
}

extension CaseIterable where Self: RawRepresentable<String> {
  static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension Collection where Element: RawRepresentable<String> {
  fileprivate var words: String { map(\.rawValue).joined(separator: ", ") }
}
