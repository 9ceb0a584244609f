import Circulation
import Items
import Registry
import Schedule
import Setup

extension JobKind {
  static let lists: JobKind = "lists"
}

extension DueWork {
  /// The lists that each reader keeps elsewhere.
  static let lists = DueWork(
    kind: .lists, limit: .seconds(3600),
    plans: { house in
      let every = house.configuration.schedule.listsEvery
      return try await house.readers { $0.can(.lists, $1) }.map { patron, _ in
        Plan(.lists, of: patron.id.rawValue, every: every)
      }
    },
    perform: { house, subject, _ in
      await house.visiting(subject) { visit throws(ErrorItem) in
        let accounts = try await visit.listAccounts(named: nil)
        if accounts.isEmpty { return .over(note: "no account with lists is linked") }
        var syncs: [ListSyncItem] = []
        for account in accounts { syncs.append(await visit.inStep(account)) }
        return JobOutcome(syncs)
      }
    })
}

extension JobOutcome {
  init(_ syncs: [ListSyncItem]) {
    let troubles = syncs.compactMap(\.trouble)
    if troubles.contains(where: \.mayPass) {
      self.init(failed: troubles)
      return
    }
    let (arrived, written) = (
      syncs.reduce(0) { $0 + $1.arrived.count }, syncs.reduce(0) { $0 + $1.writes.count }
    )
    let news = arrived + written == 0 ? nil : "\(arrived) came, \(written) written"
    self = .done(note: troubles.isEmpty ? news : troubles.map(\.note).joined(separator: "; "))
  }
}
