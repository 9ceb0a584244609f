import Circulation
import Desk
import Downloads
import FoundationEssentials
import Log
import Machine
import MockKit
import Registry
import Schedule

@testable import Bootstrap

/// What readers, their apps, the gateway and strangers do.
extension Campaign {
  enum Deed: CustomStringConvertible {
    case command(Attempt)
    case sync(Int)
    case ask(Int, ItemID)
    case fetch, follow
    case work(JobKind)
    case stranger(Int, ItemID)

    var name: String { if case .command(let attempt) = self { attempt.name } else { "" } }

    var description: String {
      switch self {
      case .command(let attempt):
        "\(Town.cards[attempt.card].name) \(attempt.verb.rawValue) \(attempt.item) as \(attempt.name)"
      case .sync(let card): "\(Town.cards[card].name) sync"
      case .ask(let card, let item): "\(Town.cards[card].name) wants the file of \(item)"
      case .fetch: "files are fetched"
      case .follow: "books are followed"
      case .work(let kind): "work: \(kind.rawValue)"
      case .stranger(let card, let item):
        "a stranger at \(Town.cards[card].library) takes or brings \(item)"
      }
    }
  }

  func choose(_ number: Int) -> Deed {
    let card = fate.draw("card \(number)", Town.cards.count)
    var item = fate.pick("item \(number)", items(at: card))
    switch fate.draw("deed \(number)", 24) {
    case 0...12:
      let verb = fate.pick("verb \(number)", sensible(number, card, item))
      let attempt = Attempt(
        verb: verb, card: card, item: item, name: "s\(seed)-\(number)-\(verb.rawValue)",
        madeAt: time.passed)
      attempts.append(attempt)
      return .command(attempt)
    case 13, 14:
      // The same once more: a double click, or an app that heard no answer.
      // A key is kept for a week; who comes later with it asks anew.
      let last = attempts.last.flatMap { last in
        time.passed - last.madeAt < .seconds(6 * 86_400) ? last : nil
      }
      return last.map { .command($0) } ?? .sync(card)
    case 15, 16, 17: return .sync(card)
    case 18:
      // Rather a book that is there to be fetched.
      let loans = lending(at: card).loans(by: Town.cards[card].number).map { ItemID($0.title) }
      if !loans.isEmpty { item = fate.pick("file \(number)", loans) }
      return .ask(card, item)
    case 19, 20: return .fetch
    case 21: return .follow
    case 22: return .work(fate.pick("work \(number)", [.settling, .expiring, .sweeping, .pacing]))
    default: return .stranger(card, item)
    }
  }

  /// What can be done comes more often than what cannot.
  private func sensible(_ number: Int, _ card: Int, _ item: ItemID) -> [Verb] {
    guard fate.draw("sense \(number)", 4) > 0 else { return Verb.allCases }
    let (lending, mine) = (lending(at: card), Town.cards[card].number)
    if lending.loan(of: item.rawValue, by: mine) != nil { return [.giveBack, .giveBack, .renew] }
    if let hold = lending.hold(on: item.rawValue, by: mine) {
      if hold.isReady { return [.borrow, .cancelHold] }
      return hold.suspension == nil ? [.cancelHold, .suspendHold] : [.resumeHold, .cancelHold]
    }
    return lending.copiesAvailable(of: item.rawValue) > 0 ? [.borrow] : [.placeHold, .borrow]
  }

  func items(at card: Int) -> [ItemID] {
    lending(at: card).order.prefix(Town.titles).map { ItemID($0) }
  }

  func lending(at card: Int) -> LendingLibrary {
    let library = Town.libraries.first { $0.0 == Town.cards[card].library }
    return mocks.main.withState { state in
      state.library(library?.2 ?? "", of: library?.1 ?? "")?.lending ?? LendingLibrary()
    }
  }

  func perform(_ deed: Deed) async -> String {
    switch deed {
    case .command(let attempt): return await perform(attempt)
    case .sync(let card):
      let account = accounts[card].account.id
      let sync = await house.desk.sync([account], in: call)
      return sync.map(\.word).joined()
    case .ask(let card, let item): return await ask(card, item)
    case .fetch:
      await house.porter().workOff()
      return "worked"
    case .follow: return await follow()
    case .work(let kind):
      guard let work = DueWork.all.first(where: { $0.kind == kind }) else { return "no such work" }
      let subject = kind == .pacing ? accounts[0].account.patron.rawValue : wholeHouse
      return await work.perform(house, subject, .silent).word
    case .stranger(let card, let item):
      visit(card, item)
      return "so it is"
    }
  }

  var call: Call {
    Call(patron: nil, deadline: house.time.monotonic() + .seconds(10), requestID: "sim")
  }

  private func perform(_ attempt: Attempt) async -> String {
    let (desk, account) = (house.desk, accounts[attempt.card].account.id)
    let (item, name, call) = (attempt.item, attempt.name, call)
    do throws(DeskError) {
      switch attempt.verb {
      case .borrow: return try await desk.borrow(item, on: account, attempt: name, in: call).word
      case .giveBack:
        return try await desk.giveBack(item, on: account, attempt: name, in: call).word
      case .renew: return try await desk.renew(item, on: account, attempt: name, in: call).word
      case .placeHold:
        return try await desk.placeHold(
          on: item, options: HoldOptions(email: "reader@example.org"), on: account, attempt: name,
          in: call
        ).word
      case .cancelHold:
        return try await desk.cancelHold(on: item, on: account, attempt: name, in: call).word
      case .suspendHold:
        return try await desk.suspendHold(
          on: item, days: 30, on: account, attempt: name, in: call
        ).word
      case .resumeHold:
        return try await desk.resumeHold(on: item, on: account, attempt: name, in: call).word
      }
    } catch {
      return error.word
    }
  }

  private func ask(_ card: Int, _ item: ItemID) async -> String {
    let account = accounts[card].account
    do {
      guard
        let kept = try await house.desk.loans(of: [account.id]).first(where: {
          $0.loan.item.isSame(as: item)
        })
      else { return "no loan" }
      let wish = Downloads.Wish(
        kept.loan, on: account.id, of: account.library, for: account.patron, edition: nil,
        isOpenAccess: false)
      switch try await house.storeroom.queue.ask(wish) {
      case .taken: return "taken"
      case .waiting: return "in the line"
      case .already: return "there"
      }
    } catch {
      return "not asked"
    }
  }

  private func follow() async -> String {
    for reader in Set(accounts.map(\.account.patron)).sorted(by: { $0.rawValue < $1.rawValue }) {
      let cards = accounts.map(\.account).filter { $0.patron == reader }
      guard (try? await house.followed(cards, of: reader)) != nil else { return "not followed" }
    }
    return "followed"
  }

  private func visit(_ card: Int, _ item: ItemID) {
    let library = Town.libraries.first { $0.0 == Town.cards[card].library }
    let now = Moment(milliseconds: time.now.millisecondsSinceEpoch)
    mocks.main.withState { state in
      state.clock.set(to: now)
      _ = state.change(library?.2 ?? "", of: library?.1 ?? "") { library, now in
        if library.lending.loan(of: item.rawValue, by: "stranger") != nil {
          try? library.lending.giveBack(item.rawValue, by: "stranger", at: now)
        } else {
          _ = try? library.lending.borrow(item.rawValue, by: "stranger", at: now)
        }
      }
    }
  }
}

extension ItemID {
  /// Some vendors' ids are written in either case.
  func isSame(as other: ItemID) -> Bool {
    rawValue.lowercased() == other.rawValue.lowercased()
  }
}
