package import Circulation
package import Database
import ReadingLists

/// What shall be done once a wish can be had, or waited for.
package enum WishRule: String, Sendable, Hashable, CaseIterable {
  case tell
  /// Joins the queue where there is one.
  case hold
  /// Borrows it as soon as a copy is there.
  case borrow
}

/// A list whose books are wishes.
package struct WishList: Sendable, Hashable {
  package let list: ListID
  package let patron: PatronID
  /// For those without a rule of their own.
  package let rule: WishRule
}

/// Which of the works that the catalogue knows a wish is.
package enum WishMatch: Sendable, Hashable {
  /// Nobody looked yet.
  case unread
  case sure(WorkID)
  case unsure([WishChoice])
  case none

  package var work: WorkID? { if case .sure(let work) = self { work } else { nil } }

  /// As it is kept.
  var word: String {
    switch self {
    case .unread: "unread"
    case .sure: "sure"
    case .unsure: "unsure"
    case .none: "none"
    }
  }
}

package struct WishChoice: Sendable, Hashable {
  package let work: WorkID
  /// How likely it is, from 0 to 1.
  package let score: Double
  package let why: String

  package init(work: WorkID, score: Double, why: String) {
    (self.work, self.score, self.why) = (work, score, why)
  }
}

package struct Wish: Sendable, Hashable {
  /// The same as long as the book is on the list.
  package let id: String
  package let list: ListID
  package let member: String
  package let patron: PatronID
  package let title: String
  package let authors: [String]
  package let isbns: [ISBN]
  /// Its own, or the one of its list.
  package let rule: WishRule
  package let match: WishMatch
  /// Whether the reader said which work it is, or that it is none.
  package let isDecided: Bool
  package let watch: Watch
  /// When the reader was told of it last, in milliseconds since 1970, as all moments here.
  package let toldAt: Int64?
  /// What was done by its rule.
  package let deed: WishDeed?
  /// When that was, or was last tried.
  package let deedAt: Int64?
  let version: Int64
}

/// What a rule brought about, or is about to: that is written down before a library is asked, so that
/// whoever is killed meanwhile does not leave the reader untold.
package enum WishDeed: String, Sendable, Hashable {
  case borrowing
  case borrowed
  case holding
  case held

  package var isOpen: Bool { self != ended }

  package var ended: WishDeed {
    switch self {
    case .borrowing, .borrowed: .borrowed
    case .holding, .held: .held
    }
  }
}

extension Wish {
  static let columns: SQL = """
    w.id, w.list, w.member, w.patron, w.title, w.authors, w.isbns, w.rule, l.rule, w.match, w.work,
    w.choices, w.decided, w.state, w.seen_at, w.since, w.turn, w.done_turn, w.told_at, w.deed,
    w.version, w.deed_at
    """

  init(row: borrowing Row) throws(DatabaseError) {
    id = try row[0]
    list = ListID(try row[1])
    member = try row[2]
    patron = PatronID(try row[3])
    title = try row[4]
    authors = Words.parts(try row[5])
    isbns = Words.parts(try row[6]).compactMap { ISBN($0) }
    let (own, common): (String?, String) = (try row[7], try row[8])
    // A rule that a later program wrote is told, and nothing is done by it.
    rule = WishRule(rawValue: own ?? common) ?? .tell
    let (word, work): (String, String?) = (try row[9], try row[10])
    switch (word, work) {
    case ("sure", let work?): match = .sure(WorkID(work))
    case ("unsure", _): match = .unsure(WishChoice.read(try row[11]))
    case ("none", _): match = .none
    default: match = .unread
    }
    isDecided = try row[12] != 0
    let state: String = try row[13]
    watch = Watch(
      state: Watch.State(rawValue: state) ?? .unknown, seenAt: try row[14], since: try row[15],
      turn: try row[16], doneTurn: try row[17])
    toldAt = try row[18]
    let deed: String? = try row[19]
    self.deed = deed.flatMap { WishDeed(rawValue: $0) }
    version = try row[20]
    deedAt = try row[21]
  }
}

extension WishChoice {
  /// As a row keeps them: work, score and reason, parted by blanks, a line each.
  static func written(_ choices: [WishChoice]) -> String {
    Words.lines(choices.map { "\($0.work.rawValue) \($0.score) \($0.why)" })
  }

  static func read(_ text: String) -> [WishChoice] {
    Words.parts(text).compactMap { line in
      let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      guard words.count == 3, let score = Double(words[1]) else { return nil }
      return WishChoice(work: WorkID(String(words[0])), score: score, why: String(words[2]))
    }
  }
}
