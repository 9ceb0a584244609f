package import JSON

/// How the lists of one account came in step with the service.
package struct ListSyncItem: Sendable, Hashable {
  package let account: String
  package let state: String
  /// Questions that were asked to read.
  package var requests = 0
  /// Whether everything was read, and not only what changed.
  package var isWhole = false
  package var books = 0
  /// Titles with the list they came to or left, as `Emma (to-read)`.
  package var arrived: [String] = []
  package var left: [String] = []
  package var changed = 0
  package var missed = 0
  package var conflicts: [ListConflictItem] = []
  package var unfound: [String] = []
  package var released: [String] = []
  /// What was written at the service, or would be.
  package var writes: [ListWriteItem] = []
  package var trouble: ErrorItem?

  package init(account: String, state: String) { (self.account, self.state) = (account, state) }

  package var json: JSONValue {
    [
      "account": .string(account), "state": .string(state), "requests": .integer(requests),
      "whole": .bool(isWhole), "books": .integer(books),
      "arrived": .array(arrived.map(JSONValue.string)),
      "left": .array(left.map(JSONValue.string)), "changed": .integer(changed),
      "missed": .integer(missed), "conflicts": .array(conflicts.map(\.json)),
      "unfound": .array(unfound.map(JSONValue.string)),
      "released": .array(released.map(JSONValue.string)), "writes": .array(writes.map(\.json)),
      "error": trouble?.json ?? .null,
    ]
  }
}

/// The same thing, changed here and there.
package struct ListConflictItem: Sendable, Hashable {
  package let title: String
  package let matter: String
  package let here: String
  package let there: String
  /// here or there.
  package let stands: String

  package init(title: String, matter: String, here: String, there: String, stands: String) {
    (self.title, self.matter, self.here) = (title, matter, here)
    (self.there, self.stands) = (there, stands)
  }

  package var json: JSONValue {
    [
      "title": .string(title), "matter": .string(matter), "here": .string(here),
      "there": .string(there), "stands": .string(stands),
    ]
  }
}

/// One write at a service.
package struct ListWriteItem: Sendable, Hashable {
  /// Nil for one that is only planned.
  package var id: Int?
  package let account: String
  package let title: String
  /// add, remove, move, rate or note.
  package let deed: String
  /// In words: `from 'to-read' to 'read'`.
  package let words: String
  /// planned, done, roughly or failed; sent where nobody knows yet.
  package let state: String
  package var note: String?
  package var at: String?

  package init(account: String, title: String, deed: String, words: String, state: String) {
    (self.account, self.title, self.deed) = (account, title, deed)
    (self.words, self.state) = (words, state)
  }

  package var json: JSONValue {
    [
      "id": id.map(JSONValue.integer) ?? .null, "account": .string(account),
      "title": .string(title), "deed": .string(deed), "words": .string(words),
      "state": .string(state), "note": JSONValue(note), "at": JSONValue(at),
    ]
  }
}

/// What is said at a service of what the reader does here.
package struct ListCarryItem: Sendable, Hashable {
  package let account: String
  /// Of finished, rated and saved.
  package let carried: [String]
  /// Changes made here that the service does not know yet.
  package let waiting: Int
  package let canWrite: Bool

  package init(account: String, carried: [String], waiting: Int, canWrite: Bool) {
    (self.account, self.carried, self.waiting) = (account, carried, waiting)
    self.canWrite = canWrite
  }

  package var json: JSONValue {
    [
      "account": .string(account), "carried": .array(carried.map(JSONValue.string)),
      "waiting": .integer(waiting), "writable": .bool(canWrite),
    ]
  }
}
