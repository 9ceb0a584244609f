import SIP2
import Text

/// Whose system answers. Each has habits of its own; a library's settings may change every one of them.
enum Maker: String, Sendable, CaseIterable {
  case sierra, polaris, evergreen, koha, symphony, folio, tlc, wise, generic
  case agVerso = "ag_verso"

  /// §7 of the reference as far as it is more than the usual.
  var dialect: Dialect {
    var dialect = Dialect()
    switch self {
    case .sierra:
      dialect.zone = .zeros
      dialect.holdCount = .ready
      dialect.expiryFields = []
    case .polaris:
      dialect.holdCount = .ready
      dialect.expiryFields = [.expiryMoment, .isExpired]
    case .evergreen:
      dialect.wire.charset = .utf8
      dialect.holdModes = [.cancel]
      dialect.expiryFields = [.expiryDay]
    case .koha:
      dialect.wire.charset = .utf8
      dialect.wire.terminator = .carriageReturnLineFeed
      dialect.holdCount = .ready
      dialect.expiryFields = [.expiryDay]
    case .symphony:
      dialect.expiryFields = [.expiryDay]
    case .folio:
      dialect.holdModes = []
      dialect.holdCount = .unreliable
      dialect.listsBarcodes = false
      dialect.expiryFields = [.expiryDay]
    case .tlc, .generic: break
    case .wise: dialect.tellsStatus = true
    case .agVerso: dialect.endsSessions = false
    }
    return dialect
  }
}
