import Database
import HTTPClient
import Machine
import Synchronization

/// One ticket's way: address, file, proof, place.
struct Errand: Sendable {
  let claim: Claim
  let porter: Porter
  let reached = Reached()

  var ticket: Ticket { claim.ticket }
  var books: BookStore { porter.books }

  /// How far it has come, told from the client's thread.
  final class Reached: Sendable {
    private let step: Mutex<Download.Progress>

    init() { step = Mutex(Download.Progress(received: 0, total: nil)) }

    var last: Download.Progress { step.withLock { $0 } }
    func set(_ progress: Download.Progress) { step.withLock { $0 = progress } }
  }

  init(_ claim: Claim, by porter: Porter) { (self.claim, self.porter) = (claim, porter) }

  /// Ends with the ticket settled, or in other hands.
  func run() async {
    porter.tell(.started(ticket))
    let ending = await withTaskGroup(of: Ending.self) { group in
      group.addTask {
        do throws(Trouble) { return .arrived(try await fetch()) } catch { return .failed(error) }
      }
      group.addTask { await beat() }
      let first = await group.next() ?? .lost
      group.cancelAll()
      // A file that came in the same moment as the word that nobody wants it is not wanted.
      await group.waitForAll()
      return first
    }
    // Called off or not, the ticket is told what became of it. What fails while it is called off fails
    // because of that.
    if case .failed = ending, Task.isCancelled {
      await Task { await settle(.calledOff) }.value
    } else {
      await Task { await settle(ending) }.value
    }
  }

  private enum Ending: Sendable {
    case arrived(Arrival)
    case failed(Trouble)
    /// The ticket is no longer ours.
    case lost
    /// The worker was called off.
    case calledOff
  }

  // MARK: - The end

  private func settle(_ ending: Ending) async {
    switch ending {
    case .arrived(let arrival):
      do throws(StoreTrouble) {
        let shelved = try await books.shelve(arrival, for: ticket.wish) {
          tx throws(DatabaseError) in
          try porter.queue.complete(claim, arrival.digest, arrival.size, in: tx)
        }
        switch shelved {
        case .stored(let ticket): porter.tell(.ended(ticket))
        case .noRoom: await fail(.noRoom)
        case .unwanted: await clearUp()
        }
      } catch {
        switch error {
        case .database(let error): porter.tell(.stuck(error))
        case .file(let error): await fail(Trouble(error))
        }
      }
    case .failed(let trouble): await fail(trouble)
    case .calledOff: await fail(.stopped)
    case .lost: await clearUp()
    }
  }

  private func fail(_ trouble: Trouble) async {
    await removeWhole()
    let last = reached.last
    do throws(DatabaseError) {
      let ticket = try await porter.queue.settle(
        claim, trouble, received: last.received, total: last.total ?? ticket.total)
      guard let ticket else { return await clearUp() }
      porter.tell(.ended(ticket))
      if ticket.state == .failed, !ticket.willBeTriedAgain { await discard() }
    } catch {
      // The lease ends, and somebody goes on where this one stopped.
      porter.tell(.stuck(error))
    }
  }

  /// A ticket that was paused keeps its part, and one in other hands has other hands on it.
  private func clearUp() async {
    await removeWhole()
    porter.tell(.gone(ticket))
    do throws(DatabaseError) {
      if try await porter.queue.ticket(ticket.id) == nil { await discard() }
    } catch { porter.tell(.stuck(error)) }
  }

  private func discard() async {
    // What cannot be removed now is swept later.
    do throws(StoreTrouble) { try await books.discard(ticket) } catch { return }
  }

  // MARK: - Beside it

  /// Says that the worker is alive, and looks whether the ticket is still its own.
  private func beat() async -> Ending {
    let idle = min(.seconds(2), porter.queue.settings.lease / 4)
    var (told, last) = (porter.time.monotonic(), 0)
    while true {
      do throws(CancellationError) { try await porter.time.sleep(for: porter.settings.beat) } catch
      {
        return .calledOff
      }
      let (now, step) = (porter.time.monotonic(), reached.last)
      guard step.received != last || now - told >= idle else { continue }
      do throws(DatabaseError) {
        let isOurs = try await porter.queue.beat(
          claim, received: step.received, total: step.total)
        guard isOurs else { return .lost }
        (told, last) = (now, step.received)
        porter.tell(.progress(ticket, received: step.received, total: step.total))
      } catch {
        // A database that is away for a moment costs nothing; for longer, it costs the lease.
        if error.reason == .cancelled { return .calledOff }
      }
    }
  }
}
