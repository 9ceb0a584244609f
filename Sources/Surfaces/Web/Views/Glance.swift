import Catalog
import Circulation
import Desk
import FoundationEssentials
import FrontDesk

/// What a reader wants to know of a book before opening it, in a few words.
struct Glance: Sendable, Hashable {
  /// Settles how it is dressed; the words say the same.
  enum Tone: String, Sendable, Hashable { case mine, now, later, never }

  let words: String
  let tone: Tone

  init(_ ways: [Way], _ now: Int64, _ nameOfLibrary: (LibraryID) -> String) {
    guard let best = ways.first else {
      (words, tone) = ("Not available", .never)
      return
    }
    let first = Self.told(best, now, nameOfLibrary)
    tone = first.tone
    guard tone == .now || tone == .later, ways.count > 1 else {
      words = first.words
      return
    }
    // One more place, where it says something else: `now at County; 3 weeks at City`.
    let other = ways.dropFirst().filter { $0.listed.library != best.listed.library }
      .map { Self.told($0, now, nameOfLibrary) }.first { $0.tone != .never }
    words = other.map { "\(first.words); \(Self.lowered($0.words))" } ?? first.words
  }

  private static func lowered(_ words: String) -> String {
    words.prefix(1).lowercased() + words.dropFirst()
  }

  private static func told(
    _ way: Way, _ now: Int64, _ nameOfLibrary: (LibraryID) -> String
  ) -> (words: String, tone: Tone) {
    let library = nameOfLibrary(way.listed.library)
    if let loan = way.loan {
      return (loan.until.map { "On loan, \(DueTime($0, now).words)" } ?? "On loan", .mine)
    }
    switch way.hold?.status {
    case .ready: return ("Ready for you at \(library)", .mine)
    case .waiting(let place?, _): return ("On hold, place \(place)", .mine)
    case .waiting(nil, _): return ("On hold", .mine)
    case .suspended: return ("On hold, suspended", .mine)
    case .expired, nil: break
    }
    switch way.listed.availability?.status {
    case .openAccess: return ("Free at \(library)", .now)
    case .available:
      return (way.account == nil ? "Now at \(library)" : "Now on your \(library) card", .now)
    case .queued:
      return (way.expectedWait.map { "About \($0) at \(library)" } ?? "Queue at \(library)", .later)
    case .unavailable, .unknownToProvider: return ("Not available", .never)
    case nil: return ("At \(library)", .later)
    }
  }
}

/// How long a loan or an offer still lasts.
struct DueTime: Sendable, Hashable {
  let until: Date
  private let left: Double

  init(_ until: Date, _ now: Int64) {
    self.until = until
    left = until.timeIntervalSince1970 - Double(now) / 1000
  }

  var daysLeft: Int { Int((left / 86_400).rounded(.down)) }
  var isSoon: Bool { left < 3 * 86_400 }

  var words: String {
    if left <= 0 { return "ended" }
    if left < 3_600 { return "ends within the hour" }
    if left < 86_400 { return "\(Words.count(Int(left / 3_600), "hour", "hours")) left" }
    return "\(Words.count(daysLeft, "day", "days")) left"
  }

  /// Of the time there was, how much is left, in hundredths; nil where the start is not known.
  func share(since: Date?) -> Int? {
    guard let since, until > since else { return nil }
    return min(100, max(0, Int(100 * left / until.timeIntervalSince(since))))
  }
}
