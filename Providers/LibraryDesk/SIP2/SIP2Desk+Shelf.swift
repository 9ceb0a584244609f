import Circulation
import FoundationEssentials
import Machine
import ProviderKit
import SIP2

// What a reader has out and waits for.

extension SIP2Desk {
  func shelf(of reader: DeskReader, in call: Call) async throws(CirculationError) -> Shelf {
    let seen = try await machine.errand(for: holder(reader), .shelf, in: call) {
      visit throws(SIP2Trouble) -> Told<Seen> in
      try await told { () async throws(Gone) in try await look(visit) }
    }.value(.shelf)
    try await learnTitles(of: seen.loans.map(\.entry) + seen.holds.map(\.entry), in: call)
    var shelf = Shelf()
    for (entry, copy) in seen.loans {
      let loan = loan(entry, copy, isRenewable: seen.canRenew)
      // Two copies of one title stand as the one that is due first.
      if let place = shelf.loans.firstIndex(where: { $0.item == loan.item }) {
        if loan.until ?? .distantFuture < shelf.loans[place].until ?? .distantFuture {
          shelf.loans[place] = loan
        }
      } else {
        shelf.loans.append(loan)
      }
    }
    for (entry, copy, isReady) in seen.holds {
      let hold = hold(entry, copy, isReady: isReady, card: reader.card)
      if shelf.hold(on: hold.item) == nil { shelf.holds.append(hold) }
    }
    return shelf
  }

  /// What the lists say, with what is told of each copy on them.
  private struct Seen: Sendable {
    var loans: [(entry: Listed, copy: ItemRecord?)] = []
    var holds: [(entry: Listed, copy: ItemRecord?, isReady: Bool)] = []
    var canRenew = true
  }

  private func look(_ visit: Visit) async throws(Gone) -> Seen {
    var seen = Seen()
    let holds = try await visit.holds(passwordRule)
    let loans = try await visit.loans(passwordRule)
    seen.canRenew = loans.canRenew
    // When something has to come back must be known; for the rest there is an end of asking.
    for entry in loans.out { seen.loans.append((entry, try await visit.copy(entry))) }
    for (place, entry) in holds.all.enumerated() {
      let copy = place < Self.mostLookedUp ? try await visit.copy(entry) : nil
      seen.holds.append((entry, copy, holds.ready.contains(entry)))
    }
    return seen
  }

  private static let mostLookedUp = 60

  /// A copy stands for its title where whoever finds titles knows it.
  private func learnTitles(of entries: [Listed], in call: Call) async throws(CirculationError) {
    let unknown = entries.map(\.barcode).filter { machine.known.title(of: $0) == nil }.distinct
    guard let titles, dialect.listsBarcodes, !unknown.isEmpty else { return }
    for (barcode, item) in try await titles.titles(ofCopies: unknown, .shelf, in: call) {
      machine.known.learn([barcode], of: item)
    }
  }

  private func loan(_ entry: Listed, _ copy: ItemRecord?, isRenewable: Bool) -> Loan {
    var loan = Loan(item: name(of: entry), until: copy?.due.flatMap { end(of: $0) })
    (loan.formats, loan.lockedFormat) = ([.paper], .paper)
    loan.title = copy?.title ?? entry.title
    (loan.isRenewable, loan.isReturnable) = (isRenewable, false)
    return loan
  }

  private func hold(_ entry: Listed, _ copy: ItemRecord?, isReady: Bool, card: String) -> Hold {
    var hold = Hold(
      item: name(of: entry),
      status: isReady
        ? .ready(until: copy?.pickupDate.flatMap { end(of: $0) })
        : .waiting(position: nil, total: nil))
    hold.title = copy?.title ?? entry.title
    // What is ready lies where it is to be fetched; of what is on its way the lists say nothing.
    hold.pickup =
      machine.known.pickup(of: entry.barcode, for: card)
      ?? (isReady ? copy?.currentLocation.map { BranchID($0) } : nil)
    return hold
  }

  /// The item as it was asked for, where this house knows that; else the copy.
  func name(of entry: Listed) -> ItemID {
    machine.known.title(of: entry.barcode) ?? ItemName.copy(entry.barcode).item
  }

  /// Until the end of a day, by the library's clocks, where only a day is told; never for words.
  func end(of due: Due) -> Date? {
    switch due {
    case .words: return nil
    case .day(let day): return desk.calendar.end(of: day)
    case .moment(let moment):
      if moment.secondOfDay == 0 { return desk.calendar.end(of: moment.day) }
      let stamp = moment.timestamp { desk.calendar.secondsEast(at: $0) }
      return Date(timeIntervalSince1970: Double(stamp.secondsSinceEpoch))
    }
  }
}

/// An entry of a list, which holds a barcode, a title, or both.
struct Listed: Sendable, Hashable {
  let barcode: String
  let title: String?

  init(_ text: String, in dialect: Dialect) {
    let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard dialect.listsBarcodes, let first = parts.first else {
      // A title with who knows what: it names the entry, and no copy.
      (barcode, title) = (text, text)
      return
    }
    barcode = String(first)
    title = parts.count > 1 ? String(parts[1]).trimmingBlanks : nil
  }

  static func == (one: Listed, other: Listed) -> Bool { one.barcode == other.barcode }
  func hash(into hasher: inout Hasher) { hasher.combine(barcode) }
}

/// What is waited for, and what of it is on the shelf.
struct HoldEntries: Sendable {
  var all: [Listed] = []
  var ready: Set<Listed> = []
  private let limit: Int?

  /// `held` are those of the first summary, `waiting` those of the sixth.
  init(held: PatronRecord, waiting: PatronRecord, in dialect: Dialect) {
    let first = (held.entries[.holds] ?? []).map { Listed($0, in: dialect) }
    let later = (waiting.entries[.unavailableHolds] ?? []).map { Listed($0, in: dialect) }
    limit = held.limits.holds
    all = first + later.filter { !first.contains($0) }
    switch dialect.holdCount {
    case .unreliable: ready = []
    case .ready: ready = Set(first).subtracting(later)
    case .all:
      // Where those that wait are counted and not listed, nobody knows which of them are ready.
      let count = waiting.counts[.unavailableHolds]
      ready = count == later.count ? Set(first).subtracting(later) : []
    }
  }

  /// How many holds there may be, where there are as many.
  var reachedLimit: Int? { limit.flatMap { $0 > 0 && all.count >= $0 ? $0 : nil } }

  func first(among names: Set<String>) -> Listed? { all.first { names.contains($0.barcode) } }
}

struct LoanEntries: Sendable {
  var out: [Listed]
  /// What is overdue is among what is out at some systems, and beside it at others.
  init(charged: PatronRecord, overdue: PatronRecord, in dialect: Dialect) {
    out = (charged.entries[.charged] ?? []).map { Listed($0, in: dialect) }
    for text in overdue.entries[.overdue] ?? [] where !out.contains(Listed(text, in: dialect)) {
      out.append(Listed(text, in: dialect))
    }
    canRenew = !charged.flags.contains(.renewalDenied)
  }

  let canRenew: Bool
}

/// An errand that came to an end of its own: the answer was no, or trouble.
enum Gone: Error, Sendable {
  case trouble(SIP2Trouble)
  /// What the library itself said.
  case refused(CirculationError.Reason, explanation: String?)
}

/// What an errand brought home.
enum Told<Value: Sendable>: Sendable {
  case value(Value)
  case refused(CirculationError.Reason, explanation: String?)

  func value(_ operation: Circulation.Operation) throws(CirculationError) -> Value {
    switch self {
    case .value(let value): return value
    case .refused(let reason, let explanation):
      var error = Failures.failure(reason, operation)
      error.explanation = explanation
      throw error
    }
  }
}

/// Refusals are answers: only trouble counts against the server.
func told<Value: Sendable>(
  _ body: () async throws(Gone) -> Value
) async throws(SIP2Trouble) -> Told<Value> {
  do throws(Gone) { return .value(try await body()) } catch {
    switch error {
    case .trouble(let trouble): throw trouble
    case .refused(let reason, let explanation): return .refused(reason, explanation: explanation)
    }
  }
}

extension Visit {
  /// The reader's record with one list.
  func record(
    _ rule: SignIn.PasswordRule, listing summary: Summary
  ) async throws(Gone) -> PatronRecord {
    let admission: Admission
    do throws(SIP2Trouble) { admission = try await signIn(rule, listing: summary) } catch {
      throw .trouble(error)
    }
    switch admission {
    case .welcome(let record, _): return record
    case .wrongCredentials: throw .refused(.credentialsRejected, explanation: nil)
    case .passwordNotChecked:
      throw .refused(.notConfigured(what: "that its SIP2 server checks PINs"), explanation: nil)
    }
  }

  func holds(_ rule: SignIn.PasswordRule) async throws(Gone) -> HoldEntries {
    let held = try await record(rule, listing: .holds)
    let waiting = try await record(rule, listing: .unavailableHolds)
    return HoldEntries(held: held, waiting: waiting, in: profile.dialect)
  }

  func loans(_ rule: SignIn.PasswordRule) async throws(Gone) -> LoanEntries {
    let charged = try await record(rule, listing: .charged)
    let isLate = (charged.counts[.overdue] ?? 1) > 0
    let overdue = isLate ? try await record(rule, listing: .overdue) : charged
    return LoanEntries(charged: charged, overdue: overdue, in: profile.dialect)
  }

  /// Nil for what the library does not know, and where lists hold no barcodes.
  func copy(_ entry: Listed) async throws(Gone) -> ItemRecord? {
    guard profile.dialect.listsBarcodes else { return nil }
    return try await copy(entry.barcode)
  }

  func copy(_ barcode: String) async throws(Gone) -> ItemRecord? {
    let answer = try await asked(.itemInformation(barcode, from: sender))
    return ItemRecord(answer)
  }

  func asked(_ message: Message) async throws(Gone) -> Message {
    do throws(SIP2Trouble) { return try await ask(message) } catch {
      if case .unwritable(.unwritable(.item)) = error {
        throw .refused(.titleGone, explanation: nil)
      }
      throw .trouble(error)
    }
  }
}
