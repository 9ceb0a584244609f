import Circulation
import Database
package import Items
import Log
import Registry
import Schedule
package import Setup
import Synchronization

extension LinkedEngine {
  package func doDue(at seat: Seat) async throws(ErrorItem) -> [DueItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      let house = visit.house
      let account = Mutex<DueAccount>(DueAccount())
      do {
        try await house.planDueWork()
      } catch let error as DatabaseError {
        throw ErrorItem(error)
      } catch let error as RegistryError {
        throw ErrorItem(error)
      } catch {
        var item = ErrorItem("unexpected")
        item.detail = "\(error)"
        throw item
      }
      await house.worker(.silent) { event in account.withLock { $0.note(event) } }.runDue()
      if let error = account.withLock({ $0.trouble }) { throw ErrorItem(error) }
      let patrons = try await told { () throws(RegistryError) in
        try await house.registry.patrons()
      }
      let names = Dictionary(patrons.map { ($0.id.rawValue, $0.name) }, uniquingKeysWith: { $1 })
      return account.withLock(\.ended)
        .map { job, outcome in
          DueItem(
            kind: job.kind.rawValue, subject: names[job.subject] ?? job.subject,
            outcome: outcome.word, note: outcome.note)
        }
        .sorted { ($0.kind, $0.subject) < ($1.kind, $1.subject) }
    }
  }
}

/// What was done, as it was told.
private struct DueAccount: Sendable {
  var ended: [(Job, JobOutcome)] = []
  var trouble: DatabaseError?

  mutating func note(_ event: WorkEvent) {
    switch event {
    case .ended(let job, let outcome): ended.append((job, outcome))
    case .database(let error): trouble = trouble ?? error
    case .lost: break
    }
  }
}
