import Circulation
import Desk
import Foundation
import HTTP
import Log
import Machine
import MockKit
import Registry
import Schedule
import Secrets
import TestSupport
import Testing

@testable import Bootstrap

/// A gateway that stays open, minute after minute of simulated time: what is due is done, readers look at
/// their pages and feeds, borrow and give back.
@Suite(.timeLimit(.minutes(600))) struct `A day of a gateway` {
  private static let minutes =
    ProcessInfo.processInfo.environment["DAY"].flatMap { Int($0) } ?? 90

  @Test func `A day of a gateway grows by nothing`() async throws {
    let town = try await Town()
    let campaign = try await Campaign(town: town, seed: 7, name: "day")
    let gateway = try await town.wholeGateway(campaign.house)
    var visitors: [Visitor] = []
    for (_, account) in campaign.accounts {
      guard
        let pass = try await campaign.house.registry.newPass(
          by: .card(account.id), for: .month, request: "day")
      else { continue }
      visitors.append(
        Visitor(
          gateway: gateway, fields: ["Cookie": pass.revealText { "carrel_pass=\($0)" }]))
    }
    // A quarter of the time everything is met once that memory is kept for.
    var readings: [Int] = []
    for minute in 1...Self.minutes {
      try await live(minute, campaign, visitors)
      if minute >= Self.minutes / 4 { readings.append(Self.resident()) }
    }
    await campaign.house.close()
    await town.leave(campaign.path)
    let third = max(1, readings.count / 3)
    let before = readings.prefix(third).max() ?? 0
    let after = readings.suffix(third).min() ?? 0
    print(
      "day: \(Self.minutes) simulated minutes; resident \(before / 1024) MiB in the first third after"
        + " the warm-up, \(after / 1024) MiB in the last")
    #expect(
      Double(after) <= Double(before) * 1.05,
      "resident \(before) KiB at first, \(after) KiB in the end")
  }

  private func live(_ minute: Int, _ campaign: Campaign, _ visitors: [Visitor]) async throws {
    let (house, fate) = (campaign.house, campaign.fate)
    campaign.time.pass(.seconds(60))
    campaign.mocks.main.withState { $0.journal.clear() }
    campaign.log.clear()
    for work in DueWork.all {
      let isDue =
        switch work.kind {
        case .syncing, .lists: minute % 15 == 0
        case .harvesting, .sweeping: minute % 360 == 1
        default: true
        }
      guard isDue else { continue }
      for plan in try await work.plans(house) {
        let outcome = await work.perform(house, plan.subject, .silent)
        #expect(outcome.word != "failed", "\(work.kind.rawValue): \(outcome.note ?? "")")
      }
    }
    let card = fate.draw("card \(minute)", Town.cards.count)
    let account = campaign.accounts[card].account.id
    let item = fate.pick("item \(minute)", campaign.items(at: card))
    let (call, attempt) = (campaign.call, "day-\(minute)")
    let mine = campaign.lending(at: card).loan(of: item.rawValue, by: Town.cards[card].number)
    if mine == nil {
      _ = try? await house.desk.borrow(item, on: account, attempt: attempt, in: call)
    } else {
      _ = try? await house.desk.giveBack(item, on: account, attempt: attempt, in: call)
    }
    for visitor in visitors {
      for target in ["/", "/my-books", "/accounts", "/opds/1", "/search?q=mill\(minute)"] {
        _ = try await visitor.ask(.get, target)
      }
    }
  }

  /// In KiB.
  private static func resident() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * 4
  }
}
