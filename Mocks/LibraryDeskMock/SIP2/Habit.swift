import JSON
import Text

/// How one maker's server behaves; from what is said of these systems, and not from any client.
struct Habit: Sendable {
  var charset = Charset.codePage850
  var end = "\r"
  /// Between the day and the time of a date.
  var zone = "    "
  /// Whether it is hung up on who has not signed in, or signs in wrongly.
  var wantsLogin = true
  var hangsUp = false
  var wantsStatus = false
  /// Whether anything is said of a password that was not sent.
  var judgesNoPassword = true
  /// Of a card that nobody knows: what stands for the name, and whether the password is judged.
  var unknownName = ""
  var judgesUnknown = true
  var blanksForUnknown = false
  var flagsForWrongPIN = ""
  var tellsLimits = true
  var expiry = Expiry.none
  var permanentID = false
  var holdModes: Set<String> = ["+", "-"]
  var count = Count.all
  var entries = Entries.barcode
  /// Some hang up on who ends a session, or do not know what that is.
  var endsSessions = true
  var escapesSeparators = false
  var wordsFirst = false

  enum Expiry: Sendable { case none, day, moment }
  /// What is listed as a hold, and what as one that is not there yet.
  enum Count: Sendable { case all, ready }
  enum Entries: Sendable { case barcode, both, title }

  /// Makers by the names that the ready line gives.
  static let all: [(name: String, habit: Habit)] = [
    ("sierra", sierra), ("polaris", polaris), ("evergreen", evergreen), ("koha", koha),
    ("symphony", symphony), ("folio", folio), ("tlc", tlc), ("wise", wise),
    ("ag_verso", agVerso), ("generic", Habit()),
  ]

  static func of(_ maker: String) -> Habit { all.first { $0.name == maker }?.habit ?? Habit() }

  private static func with(_ change: (inout Habit) -> Void) -> Habit {
    var habit = Habit()
    change(&habit)
    return habit
  }

  private static let sierra = with {
    $0.zone = "0000"
    $0.blanksForUnknown = true
    $0.flagsForWrongPIN = "Y  YYYYYYYYYYY"
    $0.count = .ready
  }
  private static let polaris = with {
    $0.hangsUp = true
    $0.unknownName = ", "
    $0.expiry = .moment
    $0.count = .ready
    $0.holdModes = ["+", "-", "*"]
  }
  private static let evergreen = with {
    ($0.charset, $0.hangsUp) = (.utf8, true)
    ($0.judgesNoPassword, $0.judgesUnknown) = (false, false)
    ($0.tellsLimits, $0.expiry, $0.permanentID) = (false, .day, true)
    $0.holdModes = ["-"]
    $0.entries = .both
    ($0.escapesSeparators, $0.wordsFirst) = (true, true)
  }
  private static let koha = with {
    ($0.charset, $0.end) = (.utf8, "\r\n")
    ($0.judgesNoPassword, $0.judgesUnknown) = (false, false)
    ($0.expiry, $0.permanentID, $0.count) = (.day, true, .ready)
    $0.holdModes = ["+", "-", "*"]
    $0.escapesSeparators = true
  }
  private static let symphony = with { $0.expiry = .day }
  private static let folio = with {
    $0.tellsLimits = false
    $0.expiry = .day
    $0.holdModes = []
    $0.entries = .title
  }
  private static let tlc = with {
    ($0.judgesNoPassword, $0.judgesUnknown) = (false, false)
    $0.unknownName = "No Name"
  }
  private static let wise = with { ($0.wantsStatus, $0.end) = (true, "\n") }
  private static let agVerso = with {
    $0.endsSessions = false
    $0.end = "\n\r"
  }
}
