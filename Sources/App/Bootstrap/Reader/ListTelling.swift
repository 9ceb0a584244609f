import Circulation
import FoundationEssentials
import Items
import Machine
import Mirrors
import Registry
import Setup

/// What lists are called at their services.
struct ListNames {
  private var names: [AccountID: [ListID: String]] = [:]

  init(_ lists: [(AccountID, ListID, String)]) {
    for (account, list, name) in lists { names[account, default: [:]][list] = name }
  }

  func words(_ deed: Deed, on account: AccountID) -> String {
    func name(_ list: ListID) -> String { "'\(names[account]?[list] ?? list.rawValue)'" }
    return switch deed {
    case .add(let list): "put on \(name(list))"
    case .remove(let list): "taken off \(name(list))"
    case .move(let from, let to): "moved from \(name(from)) to \(name(to))"
    case .rate: "rated"
    case .note(let parts):
      parts.map { $0 == .readings ? "dates of reading" : $0.rawValue }.sorted()
        .joined(separator: " and ")
    }
  }
}

extension Deed {
  fileprivate var word: String {
    switch self {
    case .add: "add"
    case .remove: "remove"
    case .move: "move"
    case .rate: "rate"
    case .note: "note"
    }
  }
}

extension ListWriteItem {
  init(_ write: MirrorWrite, _ accounts: [Account], _ names: ListNames) {
    let account = accounts.first { $0.id == write.account }
    var words = names.words(write.deed, on: write.account)
    if write.deed == .rate {
      let rating = write.wanted.rating.map { "\($0)" } ?? "nothing"
      words += " \(rating.replacing(".0", with: ""))"
    }
    self.init(
      account: account?.name ?? "", title: write.title, deed: write.deed.word, words: words,
      state: write.state.rawValue)
    id = Int(write.id)
    note = write.note
    at = Date(milliseconds: write.at).rfc3339
  }
}

extension ListSyncItem {
  init(_ outcome: MirrorOutcome, _ account: Account, _ names: ListNames) {
    self.init(account: account.name, state: outcome.trouble == nil ? "fresh" : "stale")
    (requests, isWhole, books) = (outcome.requests, outcome.wasWhole, outcome.books)
    (arrived, left, changed) = (outcome.arrived, outcome.left, outcome.changed)
    (missed, unfound, released) = (outcome.missed, outcome.unfound, outcome.released)
    conflicts = outcome.conflicts.map { conflict in
      ListConflictItem(
        title: conflict.title, matter: conflict.matter, here: conflict.here,
        there: conflict.there, stands: conflict.stands.rawValue)
    }
    writes =
      outcome.writes.map { ListWriteItem($0, [account], names) }
      + outcome.planned.map { plan in
        ListWriteItem(
          account: account.name, title: plan.title, deed: plan.deed.word,
          words: names.words(plan.deed, on: account.id), state: "planned")
      }
  }
}

extension ListSyncProgress {
  init(_ progress: MirrorProgress, of account: String) {
    self =
      switch progress {
      case .read(let pages): .read(account: account, pages: pages)
      case .written(let done, let all): .written(account: account, done: done, of: all)
      }
  }
}
