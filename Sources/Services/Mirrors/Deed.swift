package import Circulation

/// One write at a service.
package enum Deed: Sendable, Hashable {
  case add(ListID)
  case remove(ListID)
  case move(from: ListID, to: ListID)
  case rate
  case note(Set<ListEntry.Part>)

  /// First where a book comes to, then what is said of it, last where it goes from: who is
  /// interrupted has too much, and never too little.
  var turn: Int {
    switch self {
    case .add: 0
    case .move: 1
    case .rate: 2
    case .note: 3
    case .remove: 4
    }
  }

  /// As a row keeps it.
  var written: String {
    switch self {
    case .add(let list): "add\n\(list.rawValue)"
    case .remove(let list): "remove\n\(list.rawValue)"
    case .move(let from, let to): "move\n\(from.rawValue)\n\(to.rawValue)"
    case .rate: "rate"
    case .note(let parts): "note\n" + parts.map(\.rawValue).sorted().joined(separator: "\n")
    }
  }

  init?(read text: String) {
    let words = text.split(separator: "\n").map { String($0) }
    switch (words.first, words.count) {
    case ("add", 2): self = .add(ListID(words[1]))
    case ("remove", 2): self = .remove(ListID(words[1]))
    case ("move", 3): self = .move(from: ListID(words[1]), to: ListID(words[2]))
    case ("rate", 1): self = .rate
    case ("note", _): self = .note(Set(words.dropFirst().compactMap { .init(rawValue: $0) }))
    default: return nil
    }
  }

  /// Of one book what the other does not undo.
  package var lists: [ListID] {
    switch self {
    case .add(let list), .remove(let list): [list]
    case .move(let from, let to): [from, to]
    case .rate, .note: []
    }
  }
}

/// A write as it is noted down, before it is sent and after.
package struct MirrorWrite: Sendable, Hashable {
  package let id: Int64
  package let account: AccountID
  package let item: ItemID
  package let title: String
  package let deed: Deed
  /// What the service had of the book, and what it shall have.
  package let before: ListEntry
  package let wanted: ListEntry
  package let state: State
  package let note: String?
  /// Milliseconds since 1970, here and below.
  package let at: Int64
  package let endedAt: Int64?

  package enum State: String, Sendable, Hashable {
    case planned, sent, done, failed
    /// It was taken, and is not quite as it was meant: less is kept there.
    case roughly
  }
}
