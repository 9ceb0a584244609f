import Catalog
import Circulation
import Desk
import FoundationEssentials
import FrontDesk
import Phrasebook

/// What a reader wants to know of a book before opening it, in a few words.
struct Glance: Sendable, Hashable {
  /// Settles how it is dressed; the words say the same.
  enum Tone: String, Sendable, Hashable { case mine, now, later, never }

  let words: String
  let tone: Tone
  /// Below a cover, where there is no room for the names of libraries.
  let brief: String

  init(_ ways: [Way], _ now: Int64, _ nameOfLibrary: (LibraryID) -> String) {
    guard let best = ways.first else {
      (words, tone, brief) = (said("Not available"), .never, said("Not available"))
      return
    }
    let first = Self.told(best, now, nameOfLibrary)
    (tone, brief) = (first.tone, first.brief ?? first.words)
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
  ) -> (words: String, tone: Tone, brief: String?) {
    let library = nameOfLibrary(way.listed.library)
    if let loan = way.loan {
      return (
        loan.until.map { said("On loan, \(DueTime($0, now).words)") } ?? said("On loan"), .mine, nil
      )
    }
    switch way.hold?.status {
    case .ready: return (said("Ready for you at \(library)"), .mine, said("Ready for you"))
    case .waiting(let place?, _): return (said("On hold, place \(place)"), .mine, nil)
    case .waiting(nil, _): return (said("On hold"), .mine, nil)
    case .suspended: return (said("On hold, suspended"), .mine, nil)
    case .expired, nil: break
    }
    switch way.listed.availability?.status {
    case .openAccess: return (said("Free at \(library)"), .now, said("Free", "of charge"))
    case .available:
      let words =
        way.account == nil ? said("Now at \(library)") : said("Now on your \(library) card")
      return (words, .now, said("Available now"))
    case .queued:
      guard let wait = way.expectedWait else {
        return (said("Queue at \(library)"), .later, said("Queue"))
      }
      return (said("About \(wait) at \(library)"), .later, said("About \(wait)"))
    case .unavailable, .unknownToProvider: return (said("Not available"), .never, nil)
    case nil: return (said("At \(library)"), .later, nil)
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
    if left <= 0 { return said("ended") }
    if left < 3_600 { return said("ends within the hour") }
    if left < 86_400 { return Self.hours(Int(left / 3_600)) }
    return counted(daysLeft, one: "\(daysLeft) day left", many: "\(daysLeft) days left")
  }

  private static func hours(_ hours: Int) -> String {
    counted(hours, one: "\(hours) hour left", many: "\(hours) hours left")
  }

  /// Of the time there was, how much is left, in hundredths; nil where the start is not known.
  func share(since: Date?) -> Int? {
    guard let since, until > since else { return nil }
    return min(100, max(0, Int(100 * left / until.timeIntervalSince(since))))
  }
}
