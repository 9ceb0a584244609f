package import Circulation
package import Database
package import Desk
package import HTTPClient
package import LCP
package import Machine

/// Fetches what stands in the line, some at a time. Any number of porters in any number of processes
/// work on one line; none needs to know of another.
package struct Porter: Sendable {
  /// How a loan turns into an address: asked just in time.
  package typealias Fulfilling =
    @Sendable (AccountID, ItemID, Format?, Call) async throws(DeskError) -> Fulfilment

  /// What is told while it works, for whoever watches in this process.
  package enum News: Sendable {
    case started(Ticket)
    case progress(Ticket, received: Int, total: Int?)
    /// Settled: the ticket tells how.
    case ended(Ticket)
    /// There is no file: this is the page where it is read. Kept nowhere else.
    case page(Ticket, address: String)
    /// Cancelled, paused, or taken over by another worker.
    case gone(Ticket)
    /// Nothing can be worked on now. It goes on by itself.
    case stuck(DatabaseError)
  }

  package struct Settings: Sendable, Hashable {
    /// How often it is looked whether something has come into the line.
    package var look = Duration.seconds(1)
    /// How often progress is written down, at the most.
    package var beat = Duration.milliseconds(500)
    /// How long asking for an address may take.
    package var patience = Duration.seconds(30)
    /// The most that any file may have.
    package var mostBytes = 4 << 30

    package init() {}
  }

  let queue: DownloadQueue
  let books: BookStore
  /// By the library that named the file.
  let transport: @Sendable (LibraryID) -> Transport
  let time: Time
  let settings: Settings
  let fulfil: Fulfilling
  let tell: @Sendable (News) -> Void
  /// Whose licences are opened here; nobody's, where they are only handed on.
  let trusted: @Sendable () -> LicenseRoots
  /// A failing disk, played; nil outside of tests.
  let disk: Download.DiskTrial?
  /// Nil where nobody looks for malware.
  let sentry: Sentry?

  /// `tell` may be called from any thread, and must not wait.
  package init(
    _ queue: DownloadQueue, into books: BookStore,
    over transport: @escaping @Sendable (LibraryID) -> Transport,
    time: Time,
    settings: Settings = Settings(), disk: Download.DiskTrial? = nil, sentry: Sentry? = nil,
    tell: @escaping @Sendable (News) -> Void = { _ in },
    trusting trusted: @escaping @Sendable () -> LicenseRoots = { LicenseRoots() },
    fulfil: @escaping Fulfilling
  ) {
    (self.queue, self.books, self.transport, self.time) = (queue, books, transport, time)
    (self.settings, self.tell, self.fulfil, self.trusted) = (settings, tell, fulfil, trusted)
    (self.disk, self.sentry) = (disk, sentry)
  }

  /// Until the task is cancelled. What is under way then goes back into the line.
  package func work() async {
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        if let claim = await next() {
          group.addTask { await goOn(with: claim) }
          continue
        }
        do throws(CancellationError) { try await time.sleep(for: settings.look) } catch { return }
      }
    }
  }

  /// Until nothing can be worked on at once: what waits for a later moment, or is in other hands,
  /// stays. For a command that fetches what was asked for, without a gateway.
  package func workOff() async {
    await withDiscardingTaskGroup { group in
      while let claim = await next() { group.addTask { await goOn(with: claim) } }
    }
  }

  private func goOn(with first: Claim) async {
    var claim = first
    while true {
      await Errand(claim, by: self).run()
      guard let next = await next() else { return }
      claim = next
    }
  }

  private func next() async -> Claim? {
    guard !Task.isCancelled else { return nil }
    do throws(DatabaseError) { return try await queue.claim() } catch {
      if error.reason != .cancelled { tell(.stuck(error)) }
      return nil
    }
  }
}
