import Circulation
import HTTP
import Lines
import ProviderKit
import SIP2
import Secrets
import Text

/// The cells of a dialect's table, as a library's settings change them.
struct Cells {
  let library: Library

  static let needs: [ProviderListing.Field] = [
    Settings.field("sip2_charset", "How letters are written: ascii, utf8, iso-8859-1 or cp850"),
    Settings.field("sip2_terminator", "What ends a message: cr or crlf"),
    Settings.field("sip2_separator", "What parts fields, if not |"),
    Settings.field("sip2_error_detection", "Sums and numbers: off, lenient or strict"),
    Settings.field("sip2_zone", "What dates say of their zone: local, utc or zeros"),
    Settings.field("sip2_language", "The number of the language for messages, as 001"),
    Settings.field("sip2_greeting", "Whether the server speaks first"),
    Settings.field("sip2_status", "Whether the server wants to be asked for its state first"),
    Settings.field("sip2_end", "Whether readers' sessions are ended in words"),
    Settings.field("sip2_blocking_flags", "Which of the flags 1 to 14 block, or none"),
    Settings.field("sip2_expiry_fields", "Where the end of a card stands: PX, PA, PY or none"),
    Settings.field("sip2_hold_modes", "What it does with holds, of + - *, or none"),
    Settings.field("sip2_hold_target", "What names a title: item, title or both"),
    Settings.field("sip2_hold_count", "What its count of holds counts: all, ready or unreliable"),
    Settings.field("sip2_lists_barcodes", "Whether its lists of holds and loans hold barcodes"),
  ]

  func dialect(of maker: Maker) throws(SettingsFault) -> Dialect {
    var dialect = maker.dialect
    try wire(&dialect.wire)
    if let zone = library.settings["sip2_zone"] {
      guard let known = ["local": .local, "utc": .utc, "zeros": Moment.Zone.zeros][zone] else {
        throw fault("sip2_zone", "is none of local, utc and zeros")
      }
      dialect.zone = known
    }
    if let language = library.settings["sip2_language"] {
      guard language.utf8.count == 3, Int(language) != nil else {
        throw fault("sip2_language", "is no number of three digits")
      }
      dialect.language = language
    }
    dialect.expectsGreeting = try library.flag("sip2_greeting", default: dialect.expectsGreeting)
    dialect.tellsStatus = try library.flag("sip2_status", default: dialect.tellsStatus)
    dialect.endsSessions = try library.flag("sip2_end", default: dialect.endsSessions)
    if let flags = library.settings["sip2_blocking_flags"] {
      dialect.blockingFlags = try blocking(flags)
    }
    if let fields = library.settings["sip2_expiry_fields"] {
      dialect.expiryFields = try expiry(fields)
    }
    dialect.holdTarget = try word("sip2_hold_target") ?? dialect.holdTarget
    if let count = library.settings["sip2_hold_count"] {
      let known: [String: Dialect.HoldCount] = [
        "all": .all, "ready": .ready, "unreliable": .unreliable,
      ]
      guard let count = known[count] else {
        throw fault("sip2_hold_count", "is none of all, ready and unreliable")
      }
      dialect.holdCount = count
    }
    if let modes = library.settings["sip2_hold_modes"] { dialect.holdModes = try self.modes(modes) }
    dialect.listsBarcodes = try library.flag("sip2_lists_barcodes", default: dialect.listsBarcodes)
    return dialect
  }

  private func wire(_ wire: inout Wire) throws(SettingsFault) {
    if let name = library.settings["sip2_charset"] {
      guard let charset = Charset(named: name) else {
        throw fault("sip2_charset", "is none of ascii, utf8, iso-8859-1 and cp850")
      }
      wire.charset = charset
    }
    wire.terminator = try word("sip2_terminator") ?? wire.terminator
    wire.errorDetection = try word("sip2_error_detection") ?? wire.errorDetection
    if let text = library.settings["sip2_separator"] {
      guard text.utf8.count == 1, let sign = text.utf8.first, Wire.canSeparate(sign) else {
        throw fault("sip2_separator", "is no sign that can stand between fields")
      }
      wire.separator = sign
    }
  }

  private func blocking(_ text: String) throws(SettingsFault) -> Set<PatronFlag> {
    if text == "none" { return [] }
    var flags: Set<PatronFlag> = []
    for word in text.words(at: ",") {
      guard let number = Int(word), let flag = PatronFlag(rawValue: number - 1) else {
        throw fault("sip2_blocking_flags", "is no list of numbers from 1 to 14, nor none")
      }
      flags.insert(flag)
    }
    return flags
  }

  private func expiry(_ text: String) throws(SettingsFault) -> [FieldCode] {
    if text == "none" { return [] }
    var codes: [FieldCode] = []
    for word in text.words(at: ",") {
      guard let code = FieldCode(word) else {
        throw fault("sip2_expiry_fields", "is no list of fields such as PX,PA,PY, nor none")
      }
      codes.append(code)
    }
    return codes
  }

  private func modes(_ text: String) throws(SettingsFault) -> Set<Dialect.HoldMode> {
    if text == "none" { return [] }
    var modes: Set<Dialect.HoldMode> = []
    for sign in text where sign != " " && sign != "," {
      guard let mode = Dialect.HoldMode(rawValue: String(sign)) else {
        throw fault("sip2_hold_modes", "holds other signs than + - *")
      }
      modes.insert(mode)
    }
    return modes
  }

  // MARK: - Where and how long

  func place() throws(SettingsFault) -> LinePlace {
    let address = try library.endpoint("sip2")
    guard let port = address.effectivePort else {
      throw fault("endpoints.sip2", "names no port; sip2s://ils.example.org:6443 does")
    }
    guard address.scheme == "sip2s" else {
      let isPlain = try library.flag("sip2_plain", default: false)
      return LinePlace(address.host, port: port, .plain(beyondThisMachine: isPlain))
    }
    var terms = TLSTerms()
    terms.authorities = library.settings["sip2_ca_file"]
    terms.certificate = library.settings["sip2_certificate"]
    terms.key = library.settings["sip2_key"]
    terms.name = library.settings["sip2_tls_name"]
    return LinePlace(address.host, port: port, .tls(terms))
  }

  func login() throws(SettingsFault) -> Profile.Login? {
    guard let user = library.settings["sip2_login"], !user.isEmpty else { return nil }
    return Profile.Login(
      user: .init(user), password: try library.secret("sip2_password"),
      location: library.settings["sip2_location"])
  }

  func limits() throws(SettingsFault) -> Profile.Limits {
    var limits = Profile.Limits()
    limits.connections = try number("sip2_connections", 1...8) ?? limits.connections
    limits.repeats = try number("sip2_repeats", 0...5) ?? limits.repeats
    if let seconds = try number("sip2_connect_seconds", 1...9) {
      limits.connect = .seconds(seconds)
    }
    if let seconds = try number("sip2_answer_seconds", 1...9) { limits.answer = .seconds(seconds) }
    if let seconds = try number("sip2_idle_seconds", 1...600) { limits.idle = .seconds(seconds) }
    limits.keepAlive = try number("sip2_keepalive_seconds", 1...600).map { .seconds($0) }
    return limits
  }

  private func number(_ key: String, _ range: ClosedRange<Int>) throws(SettingsFault) -> Int? {
    guard let text = library.settings[key] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw fault(key, "is no number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func word<Word: RawRepresentable<String> & CaseIterable>(
    _ key: String
  ) throws(SettingsFault) -> Word? {
    guard let text = library.settings[key] else { return nil }
    guard let word = Word(rawValue: text) else { throw fault(key, "is none of \(Word.words)") }
    return word
  }

  private func fault(_ key: String, _ what: String) -> SettingsFault {
    SettingsFault(library.id, key, what)
  }
}
