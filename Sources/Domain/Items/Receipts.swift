package import JSON

/// What became of a command about one title.
package struct ReceiptItem: Sendable, Hashable {
  package enum Result: String, Sendable, Hashable, CaseIterable {
    case borrowed
    case alreadyBorrowed = "already_borrowed"
    /// All copies are out; nothing was done.
    case allOut = "all_out"
    case returned
    case alreadyReturned = "already_returned"
    case renewed
    case waiting
    case alreadyWaiting = "already_waiting"
    case suspended
    case resumed
    case cancelled
    case alreadyCancelled = "already_cancelled"
    case declined
    /// The library has not said; a later sync tells.
    case inDoubt = "in_doubt"
    /// Nothing was done, because only a look was asked for.
    case wouldBorrow = "would_borrow"
  }

  package var result: Result
  package var title: String
  package var account: String
  package var item: String
  package var loan: LoanItem?
  package var hold: HoldItem?
  /// For `allOut`: the offer of the queue.
  package var offer: OfferItem?
  /// For `allOut`: whether there is a queue to join.
  package var canWait = false
  /// The programs that open it, Carrel among them.
  package var opensIn: [String] = []
  /// For `inDoubt`: what went wrong, in the contract's word.
  package var reason: String?

  package init(_ result: Result, title: String, account: String, item: String) {
    (self.result, self.title, self.account, self.item) = (result, title, account, item)
  }

  package var json: JSONValue {
    [
      "result": .string(result.rawValue), "title": .string(title), "account": .string(account),
      "item": .string(item), "loan": loan?.json ?? .null, "hold": hold?.json ?? .null,
      "offer": offer?.json ?? .null, "can_wait": .bool(canWait), "opens_in": .texts(opensIn),
      "reason": JSONValue(reason),
    ]
  }
}

/// What a sync found at one account.
package struct SyncItem: Sendable, Hashable {
  package var account: String
  package var state: String
  package var loans: Int
  package var holds: Int
  package var ready: Int
  package var lastGoodSync: String?
  /// Commands whose outcome had been open: a sentence each.
  package var settled: [String] = []
  package var trouble: ErrorItem?

  package init(account: String, state: String, loans: Int, holds: Int, ready: Int) {
    (self.account, self.state) = (account, state)
    (self.loans, self.holds, self.ready) = (loans, holds, ready)
  }

  package var json: JSONValue {
    [
      "account": .string(account), "state": .string(state), "loans": .integer(loans),
      "holds": .integer(holds), "ready": .integer(ready), "last_good_sync": JSONValue(lastGoodSync),
      "settled": .texts(settled), "error": trouble?.json ?? .null,
    ]
  }
}

/// How a harvest of one library ended.
package struct HarvestItem: Sendable, Hashable {
  package var library: String
  package var provider: String
  package var pages: Int
  package var changed: Int
  package var removed: Int
  package var editions: Int
  /// Titles that the last whole catalogue did not list, and those that should have left but were
  /// too many at once to be believed.
  package var missing = 0
  package var heldBack = 0
  /// What could not be read, as far as a person would read it, and how much that was.
  package var warnings: [String] = []
  package var warningCount = 0
  /// How far a file has been read, and how far there is to read.
  package var bytesRead = 0
  package var bytesInAll = 0
  package var isComplete: Bool
  package var trouble: ErrorItem?

  package init(library: String, provider: String) {
    (self.library, self.provider) = (library, provider)
    (pages, changed, removed, editions) = (0, 0, 0, 0)
    isComplete = false
  }

  package var json: JSONValue {
    [
      "library": .string(library), "provider": .string(provider), "pages": .integer(pages),
      "changed": .integer(changed), "removed": .integer(removed), "editions": .integer(editions),
      "missing": .integer(missing), "held_back": .integer(heldBack),
      "warnings": .texts(warnings), "warning_count": .integer(warningCount),
      "complete": .bool(isComplete), "error": trouble?.json ?? .null,
    ]
  }
}

/// What became of the vault's keys.
package struct VaultItem: Sendable, Hashable {
  package var resealed = 0
  /// Secrets that do not open; their key is kept.
  package var unreadable = 0
  package var retired = 0
  package var activeKey = 0

  package init() {}

  package var json: JSONValue {
    [
      "resealed": .integer(resealed), "unreadable": .integer(unreadable),
      "retired": .integer(retired), "active_key": .integer(activeKey),
    ]
  }
}

/// Why something could not be done, as far as a surface needs to know to say it in its own words.
package struct ErrorItem: Sendable, Hashable, Error {
  /// A reason of the circulation protocol or a word of our own.
  package var code: String
  /// The account, as the reader named it, and the library behind it.
  package var account: String?
  package var library: String?
  package var card: String?
  package var title: String?
  package var operation: String?
  /// A limit, a capability, a setting: what the reason is about.
  package var detail: String?
  package var retryAfter: Int?
  package var providerSays: String?
  /// What the reader may be told besides our sentence.
  package var explanation: String?
  /// For a card that is not linked yet: what `carrel link` would take for it.
  package var unlinked: String?
  /// What the name could also have meant.
  package var choices: [String] = []

  package init(_ code: String) { self.code = code }

  package init(_ code: String, _ detail: String) { (self.code, self.detail) = (code, detail) }

  package var json: JSONValue {
    [
      "code": .string(code), "card": JSONValue(account), "library": JSONValue(library),
      "operation": JSONValue(operation), "detail": JSONValue(detail),
      "retry_after_s": .number(retryAfter), "provider_says": JSONValue(providerSays),
    ]
  }
}
