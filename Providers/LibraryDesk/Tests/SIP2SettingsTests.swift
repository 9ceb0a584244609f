import Circulation
import HTTP
import Lines
import ProviderKit
import SIP2
import Secrets
import Testing
import Text

@testable import LibraryDesk

@Suite struct `What a SIP2 server is like` {
  private func profile(_ settings: [String: String], at address: String = "sip2://127.0.0.1:6001")
    throws -> Profile
  {
    try Profile(SIP2House.library(at: address, "generic", settings))
  }

  @Test func `each SIP2 vendor has its own default settings`() throws {
    let table: [(Maker, Charset, Moment.Zone, Bool, Bool, Set<Dialect.HoldMode>)] = [
      (.generic, .codePage850, .local, false, true, [.add, .cancel]),
      (.sierra, .codePage850, .zeros, false, true, [.add, .cancel]),
      (.polaris, .codePage850, .local, false, true, [.add, .cancel]),
      (.evergreen, .utf8, .local, false, true, [.cancel]),
      (.koha, .utf8, .local, false, true, [.add, .cancel]),
      (.symphony, .codePage850, .local, false, true, [.add, .cancel]),
      (.folio, .codePage850, .local, false, true, []),
      (.tlc, .codePage850, .local, false, true, [.add, .cancel]),
      (.wise, .codePage850, .local, true, true, [.add, .cancel]),
      (.agVerso, .codePage850, .local, false, false, [.add, .cancel]),
    ]
    #expect(table.count == Maker.allCases.count)
    for (maker, charset, zone, tells, ends, modes) in table {
      let dialect = try profile(["sip2_maker": maker.rawValue]).dialect
      #expect(dialect.wire.charset == charset && dialect.zone == zone, "\(maker)")
      #expect(dialect.tellsStatus == tells && dialect.endsSessions == ends, "\(maker)")
      #expect(dialect.holdModes == modes, "\(maker)")
    }
  }

  @Test func `every SIP2 setting overrides its default`() throws {
    let profile = try profile([
      "sip2_charset": "latin1", "sip2_terminator": "crlf", "sip2_separator": "^",
      "sip2_error_detection": "strict", "sip2_zone": "utc", "sip2_language": "003",
      "sip2_greeting": "true", "sip2_status": "true", "sip2_end": "false",
      "sip2_blocking_flags": "1, 5", "sip2_expiry_fields": "PA", "sip2_hold_modes": "+*",
      "sip2_hold_target": "both", "sip2_hold_count": "ready", "sip2_lists_barcodes": "false",
      "sip2_connections": "8", "sip2_connect_seconds": "2", "sip2_answer_seconds": "9",
      "sip2_idle_seconds": "60", "sip2_keepalive_seconds": "20", "sip2_repeats": "1",
      "sip2_location": "DESK", "sip2_institution": "TOWN",
    ])
    var dialect = Dialect()
    dialect.wire.charset = .latin1
    dialect.wire.terminator = .carriageReturnLineFeed
    dialect.wire.separator = UInt8(ascii: "^")
    dialect.wire.errorDetection = .strict
    (dialect.zone, dialect.language) = (.utc, "003")
    (dialect.expectsGreeting, dialect.tellsStatus, dialect.endsSessions) = (true, true, false)
    dialect.blockingFlags = [.chargeDenied, .cardLost]
    dialect.expiryFields = [.expiryDay]
    (dialect.holdModes, dialect.holdTarget) = ([.add, .change], .both)
    (dialect.holdCount, dialect.listsBarcodes) = (.ready, false)
    #expect(profile.dialect == dialect)
    var limits = Profile.Limits()
    (limits.connections, limits.repeats) = (8, 1)
    (limits.connect, limits.answer) = (.seconds(2), .seconds(9))
    (limits.idle, limits.keepAlive) = (.seconds(60), .seconds(20))
    #expect(profile.limits == limits)
    #expect(profile.login?.location == "DESK" && profile.institution == "TOWN")
  }

  @Test(arguments: [
    ("sip2_maker", "acme"), ("sip2_charset", "ebcdic"), ("sip2_terminator", "lf"),
    ("sip2_separator", "A"), ("sip2_error_detection", "some"), ("sip2_zone", "mars"),
    ("sip2_language", "1"), ("sip2_greeting", "perhaps"), ("sip2_blocking_flags", "15"),
    ("sip2_expiry_fields", "expiry"), ("sip2_hold_modes", "x"), ("sip2_hold_target", "shelf"),
    ("sip2_hold_count", "few"), ("sip2_connections", "9"), ("sip2_answer_seconds", "0"),
    ("sip2_idle_seconds", "never"), ("sip2_repeats", "6"),
  ]) func `a wrong SIP2 setting is reported with its key`(_ key: String, _ value: String) {
    let fault = #expect(throws: SettingsFault.self) { try profile([key: value]) }
    #expect(fault?.key == key)
  }

  @Test func `a SIP2 address needs a port and tells whether the connection is encrypted`() throws {
    let fault = #expect(throws: SettingsFault.self) { try profile([:], at: "sip2://127.0.0.1") }
    #expect(fault?.key == "endpoints.sip2")
    #expect(try profile([:]).place.security == .plain(beyondThisMachine: false))
    #expect(try profile(["sip2_plain": "true"]).place.security == .plain(beyondThisMachine: true))
    let place = try profile(
      [
        "sip2_ca_file": "/a", "sip2_certificate": "/b", "sip2_key": "/c", "sip2_tls_name": "d.e",
      ], at: "sip2s://ils.example:6443"
    ).place
    var terms = TLSTerms()
    (terms.authorities, terms.certificate, terms.key, terms.name) = ("/a", "/b", "/c", "d.e")
    #expect(place.security == .tls(terms) && place.port == 6443)
  }
}
