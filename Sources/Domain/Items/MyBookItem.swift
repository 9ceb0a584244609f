package import JSON

/// A book of the reader's own, in the one state it is in.
package struct MyBookItem: Sendable, Hashable {
  /// What commands take for its title.
  package var name: String
  /// Nil for a book that no catalogue here has.
  package var work: String?
  package var title: String
  package var authors: [String] = []
  /// One of the twelve.
  package var state: String
  /// The same for people.
  package var stateWord: String
  /// Since when it is in this state.
  package var since: String?
  /// When the loan or the offer ends, or ended.
  package var until: String?
  package var account: String?
  package var item: String?
  package var isIgnored = false
  package var rating: Int?
  package var finished: String?
  /// Commands that the state allows.
  package var actions: [String] = []
  /// Whether what was asked for stood so before.
  package var isUnchanged = false

  package init(name: String, title: String, state: String, stateWord: String) {
    (self.name, self.title) = (name, title)
    (self.state, self.stateWord) = (state, stateWord)
  }

  package var json: JSONValue {
    [
      "id": .string(name), "work": JSONValue(work), "title": .string(title),
      "authors": .texts(authors), "state": .string(state), "since": JSONValue(since),
      "until": JSONValue(until), "account": JSONValue(account), "item": JSONValue(item),
      "ignored": .bool(isIgnored), "rating": .number(rating), "finished": JSONValue(finished),
      "actions": .texts(actions),
    ]
  }
}
