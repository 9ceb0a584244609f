import Circulation
import Database
import Desk
import FoundationEssentials
import Items
import Log
import Machine
import Mirrors
import Notices
import Registry
import Schedule
import Setup

extension JobKind {
  static let notices: JobKind = "notices"
  static let watching: JobKind = "watch"
}

extension DueWork {
  /// Brings what is to be told to whom it is for.
  static let notices = DueWork(
    kind: .notices,
    plans: { _ in [Plan(.notices, of: wholeHouse, every: .seconds(60))] },
    perform: { house, _, logger in
      do throws(NoticeError) {
        let tally = try await house.notices.deliver(limit: 500)
        if tally.isNothing { return .done(note: nil) }
        logger.info("notices delivered", [.pair("count", tally.sent)])
        return .done(
          note: "\(tally.sent) sent, \(tally.postponed) put off, \(tally.failed) failed")
      } catch {
        return JobOutcome(failed: error)
      }
    })

  /// Sees what there is to tell each reader.
  static let watching = DueWork(
    kind: .watching,
    plans: { _ in [Plan(.watching, of: wholeHouse, every: .seconds(300))] },
    perform: { house, _, _ in
      var (news, troubles): (Int, [ErrorItem]) = (0, [])
      do {
        for patron in try await house.stirred() {
          do throws(ErrorItem) {
            let visit = Visit(house: house, patron: patron, seat: house.seat)
            let facts = try await visit.facts(asOf: house.time.now())
            news += try await toldOfNotices { () throws(NoticeError) in
              try await house.notices.tell(facts)
            }
          } catch {
            // One reader's trouble is not the others'.
            troubles.append(error)
          }
        }
        try await house.notices.tidy()
      } catch {
        return JobOutcome(failed: error)
      }
      if !troubles.isEmpty { return JobOutcome(failed: troubles) }
      return .done(note: news == 0 ? nil : "\(news) to tell")
    })
}

extension House {
  /// Readers of whom there may be something to tell. In a large house they are few, and to look at each
  /// of the others would take longer than the time until the next look.
  fileprivate func stirred() async throws -> [Patron] {
    let (now, day) = (time.now().millisecondsSinceEpoch, Int64(86_400_000))
    // A day more on both sides: what is told is decided of each loan by itself.
    let stirred = try await desk.stirred(
      from: now - day, to: now + configuration.notices.loanDue.milliseconds + day)
    return try await readers { house, account in
      house.can(.lists, account) || (house.can(.shelf, account) && stirred.contains(account.id))
    }.map(\.0)
  }
}

extension Visit {
  /// What is so and may be told, from what was last heard of the reader's shelves.
  func facts(asOf now: Timestamp) async throws(ErrorItem) -> [Fact] {
    let accounts = try await accounts()
    let cards = Dictionary(accounts.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    let notices = house.configuration.notices
    var facts: [Fact] = []
    for loan in try await lent() {
      guard let end = Self.moment(loan.until), end > now, end <= now + notices.loanDue,
        let account = cards[loan.account]
      else { continue }
      facts.append(
        fact(.loanDue, loan.item, on: account, (loan.title, loan.format), change: end, until: end))
    }
    for hold in try await held() where hold.kept.hold.isReady {
      let end = Self.moment(hold.item.until)
      if let end, end <= now { continue }
      let since = Self.moment(hold.item.since)
      var ready = fact(
        .holdReady, hold.item.item, on: hold.account, (hold.item.title, nil),
        change: end ?? since, until: end)
      ready = ready.with(pickup: hold.item.pickup)
      facts.append(ready)
      guard let end, end <= now + notices.offerEnds else { continue }
      facts.append(
        fact(
          .holdExpiring, hold.item.item, on: hold.account, (hold.item.title, nil), change: end,
          until: end
        ).with(pickup: hold.item.pickup))
    }
    return facts + (try await silences(accounts, asOf: now))
  }

  /// Cards whose library has not answered well for long.
  private func silences(
    _ accounts: [Account], asOf now: Timestamp
  ) async throws(ErrorItem) -> [Fact] {
    let heard: [Freshness]
    do throws(DeskError) {
      heard = try await house.desk.freshness(of: accounts.map(\.id))
    } catch {
      throw ErrorItem(error)
    }
    var facts = heard.compactMap { freshness -> Fact? in
      guard let trouble = freshness.trouble,
        let account = accounts.first(where: { $0.id == freshness.account })
      else { return nil }
      return silence(of: account, trouble, since: freshness.goodAt?.milliseconds, asOf: now)
    }
    for account in accounts where can(.lists, account) {
      let standing = try await toldOfDatabase { () throws(DatabaseError) in
        try await house.mirrors.standing(of: account.id)
      }
      if let trouble = standing.trouble,
        let fact = silence(of: account, trouble, since: standing.readAt, asOf: now)
      {
        facts.append(fact)
      }
    }
    return facts
  }

  private func silence(
    of account: Account, _ trouble: String, since good: Int64?, asOf now: Timestamp
  ) -> Fact? {
    let last = Timestamp(millisecondsSinceEpoch: good ?? account.linkedAt)
    guard last + house.configuration.notices.syncBroken <= now else { return nil }
    var matter = Matter(library: house.counter.name(of: account.library), card: account.name)
    matter.reason = trouble.replacing("_", with: " ")
    return Fact(
      .syncBroken, for: patron.id, about: account.id.rawValue,
      change: "silent since \(last.millisecondsSinceEpoch)", matter)
  }

  /// A day is what a change is told by: libraries reckon the end of the same loan a little differently
  /// each time.
  private func fact(
    _ kind: NoticeKind, _ item: String, on account: Account,
    _ book: (title: String, format: String?), change: Timestamp?, until end: Timestamp?
  ) -> Fact {
    let day = change.map { "day \($0.secondsSinceEpoch / 86_400)" } ?? "once"
    return Fact(
      kind, for: patron.id, about: "\(account.id.rawValue) \(item)", change: day,
      Matter(
        title: book.title, library: house.counter.name(of: account.library), card: account.name,
        format: book.format), until: end?.millisecondsSinceEpoch)
  }

  private static func moment(_ text: String?) -> Timestamp? {
    text.flatMap { Timestamp(rfc3339: $0) }
  }
}

extension Fact {
  fileprivate func with(pickup: String?) -> Fact {
    var matter = matter
    matter.pickup = pickup
    return Fact(kind, for: patron, about: subject, change: change, matter, until: until)
  }
}
