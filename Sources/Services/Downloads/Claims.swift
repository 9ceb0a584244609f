import Circulation
import Database
import Machine
import ProviderKit

/// A ticket that one worker has for a while.
struct Claim: Sendable, Hashable {
  var ticket: Ticket
  /// Drawn for each claim: a worker that was given up and comes back does not take itself for the one
  /// that came after.
  let owner: String
}

/// How the workers share the line.
extension DownloadQueue {
  /// The next ticket that may be worked on now: one whose worker died, else the first in the line
  /// whose library has a place.
  func claim() async throws(DatabaseError) -> Claim? {
    // Whoever only looks shall not lock others out of writing, once a second for ever.
    guard try await isAnybodyThere() else { return nil }
    let now = now()
    let owner = String(Chance.system.next(), radix: 36)
    return try await store.write { tx throws(DatabaseError) in
      let running = try tx.running()
      let lost = running.filter { !isHeld($0, at: now) }
      guard running.count - lost.count < settings.atOnce else { return nil }
      var found = lost.first
      if found == nil, running.count < settings.atOnce {
        found = try nextInLine(besides: running, at: now, tx)
      }
      guard var ticket = found else { return nil }
      let isNew = ticket.state != .running
      (ticket.state, ticket.changedAt) = (.running, isNew ? now : ticket.changedAt)
      (ticket.nextAt, ticket.owner) = (nil, owner)
      ticket.lease = now + leaseLength
      try tx.keep(ticket)
      if isNew { try moved(tx, ticket, .downloadStarted) }
      return Claim(ticket: ticket, owner: owner)
    }
  }

  private func isAnybodyThere() async throws(DatabaseError) -> Bool {
    try await store.read { tx throws(DatabaseError) in
      try tx.value(
        """
        SELECT EXISTS (SELECT 1 FROM download WHERE state = 'running')
        OR EXISTS (
          SELECT 1 FROM download WHERE state = 'queued' OR state = 'failed' AND next_at IS NOT NULL)
        """, as: Bool.self)
    }
  }

  /// A lease further ahead than a lease is long was given by a clock that has been set back since.
  private func isHeld(_ ticket: Ticket, at now: Int64) -> Bool {
    guard ticket.owner != nil, let lease = ticket.lease else { return false }
    return lease > now && lease <= now + leaseLength
  }

  private var leaseLength: Int64 { settings.lease.milliseconds }

  /// The first that may go now, past libraries that have none to spare. A wait that is longer than
  /// waits are is void, for the same reason.
  func nextInLine(
    besides running: [Ticket], at now: Int64, _ tx: Snapshot
  ) throws(DatabaseError) -> Ticket? {
    let busy = Dictionary(grouping: running, by: \.wish.library)
      .filter { $0.value.count >= settings.perLibrary }.map(\.key.rawValue)
    let farthest = now + max(settings.longestWait, settings.houseWait).milliseconds
    return try tx.first(
      """
      SELECT \(Ticket.columns) FROM download
      WHERE (state = 'queued' OR state = 'failed' AND next_at IS NOT NULL)
      AND (next_at IS NULL OR next_at <= \(now) OR next_at > \(farthest))
      AND library NOT IN (\(busy))
      ORDER BY place, id LIMIT 1
      """, Ticket.init)
  }

  /// Says that the worker is alive, and how far it has come. False when the ticket is no longer its
  /// own: it was cancelled or paused, or the worker was given up for dead.
  func beat(
    _ claim: Claim, received: Int, total: Int?
  ) async throws(DatabaseError) -> Bool {
    let lease = now() + leaseLength
    return try await store.write { tx throws(DatabaseError) in
      try tx.execute(
        """
        UPDATE download SET lease = \(lease), received = \(received), total = \(total)
        WHERE id = \(claim.ticket.id) AND state = 'running' AND owner = \(claim.owner)
        """) == 1
    }
  }

  // MARK: - How it ended

  /// Nil where the ticket is no longer the worker's own: then nothing is written.
  func settle(
    _ claim: Claim, _ trouble: Trouble, received: Int, total: Int?
  ) async throws(DatabaseError) -> Ticket? {
    let (now, chance) = (now(), chance())
    return try await store.write { tx throws(DatabaseError) in
      guard var ticket = try tx.ticket(claim.ticket.id), owns(ticket, claim) else { return nil }
      ticket.reason = trouble.reason
      // A line that breaks again and again, each time further on, does get there.
      if received >= claim.ticket.received + Self.progress { ticket.tries = 0 }
      (ticket.received, ticket.total) = (max(received, claim.ticket.received), total)
      if case .house = trouble.remedy {
        if trouble == .stopped { ticket.reason = nil }
        ticket.nextAt = houseWait(trouble).map { now + $0.milliseconds }
        try move(&ticket, to: .queued, at: now, tx)
        try moved(tx, ticket, .downloadCancelled)
        try moved(tx, ticket, .queued)
        return ticket
      }
      ticket.tries += 1
      ticket.nextAt = wait(after: ticket.tries, trouble, chance).map { now + $0.milliseconds }
      try move(&ticket, to: .failed, at: now, tx)
      try moved(tx, ticket, .downloadFailed)
      if trouble.isOfTheCard { try failOthers(like: ticket, at: now, tx) }
      return ticket
    }
  }

  /// A card that was refused is refused for all that waits in the line with it: asking once more for
  /// each would only bring it nearer to being blocked.
  private func failOthers(
    like failed: Ticket, at now: Int64, _ tx: Transaction
  ) throws(DatabaseError) {
    let others = try tx.rows(
      """
      SELECT \(Ticket.columns) FROM download
      WHERE account = \(failed.wish.account.rawValue) AND state = 'queued' ORDER BY place, id
      """, Ticket.init)
    for var ticket in others {
      (ticket.reason, ticket.nextAt) = (failed.reason, nil)
      try move(&ticket, to: .failed, at: now, tx)
      try moved(tx, ticket, .downloadFailed)
    }
  }

  private static let progress = 1 << 20

  private func houseWait(_ trouble: Trouble) -> Duration? {
    switch trouble {
    case .stopped: nil
    // The other one learns that it was given up before long.
    case .busy: settings.lease
    default: settings.houseWait
    }
  }

  private func wait(after tries: Int, _ trouble: Trouble, _ chance: Double) -> Duration? {
    guard case .later(let notBefore) = trouble.remedy else { return nil }
    let backoff = Backoff(
      base: settings.firstWait, longest: settings.longestWait, tries: settings.tries)
    return backoff.wait(after: tries, retryAfter: notBefore, chance: chance)
      .map { min($0, settings.longestWait) }
  }

  /// The part of storing a file that belongs to the line.
  func complete(
    _ claim: Claim, _ digest: String, _ size: Int, in tx: Transaction
  ) throws(DatabaseError) -> Ticket? {
    guard var ticket = try tx.ticket(claim.ticket.id), owns(ticket, claim) else { return nil }
    (ticket.reason, ticket.digest, ticket.nextAt) = (nil, digest, nil)
    (ticket.received, ticket.total, ticket.tries) = (size, size, 0)
    try move(&ticket, to: .done, at: now(), tx)
    try moved(tx, ticket, .downloadCompleted)
    return ticket
  }

  private func owns(_ ticket: Ticket, _ claim: Claim) -> Bool {
    ticket.state == .running && ticket.owner == claim.owner
  }
}

extension Snapshot {
  func running() throws(DatabaseError) -> [Ticket] {
    try rows(
      "SELECT \(Ticket.columns) FROM download WHERE state = 'running' ORDER BY place, id",
      Ticket.init)
  }
}
