import Database
import FrontDesk
import Log
import Machine

extension House {
  /// Gateways on one database call each other: what a reader did at one is shown by the next at once,
  /// and not after the second for which a look is good. The line also says that somebody is here, so
  /// that nobody puts a backup in the place of a database that is in use. SQLite has no lines; there
  /// the lock on the data folder says the same.
  ///
  /// While the line is down every look is a second old at most, as it is without; when it stands again
  /// everything is looked at anew.
  func keepCompany(_ watch: Watch, _ logger: Logger) async {
    let news: AsyncStream<StoreNews>?
    do throws(DatabaseError) { news = try store.news(holding: DataFolder.presence) } catch {
      logger.warn("the line to the database cannot be made: changes elsewhere show a second later")
      return
    }
    guard let news else { return }
    let name = String(Chance.system.next(), radix: 32)
    // However much is done meanwhile, one call says it.
    let (calls, call) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    watch.share { call.yield() }
    let store = store
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await _ in calls {
          // Where it cannot be said the others see it by themselves.
          _ = try? await store.write(isolation: .readCommitted) { tx throws(DatabaseError) in
            try tx.tell(name)
          }
        }
      }
      group.addTask {
        var isDeaf = false
        for await one in news {
          switch one {
          case .told(let who): if who != name { watch.forgetHere() }
          case .listening:
            isDeaf = false
            watch.forgetHere()
          case .deaf:
            if !isDeaf { logger.warn("the line to the database is down: it is made again") }
            isDeaf = true
          }
        }
      }
      await group.waitForAll()
    }
  }
}
