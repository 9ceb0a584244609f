package import Circulation
import Crypto
import Database
import Machine
import Phrasebook
import Registry

/// What a run of deliveries did, counted by what goes out together.
package struct DeliveryTally: Sendable, Hashable {
  package internal(set) var sent = 0
  package internal(set) var postponed = 0
  package internal(set) var failed = 0

  package var isNothing: Bool { sent + postponed + failed == 0 }
}

/// How a channel did in a test.
package struct ChannelTrial: Sendable, Hashable {
  package let channel: Channel
  /// Why nothing came of it, for the operator; nil when it was taken over.
  package let trouble: String?
  /// The same for its patron.
  package let told: String?
  /// It failed without an answer, which says something of the network by how soon it did.
  package let isSilence: Bool

  init(_ channel: Channel, _ failure: TryEnd.Failure?) {
    self.channel = channel
    (trouble, told) = (failure?.note, failure?.told)
    isSilence = failure?.isSilence == true
  }
}

extension Notices {
  /// Sends what is due, at most so many messages, one after the other.
  package func deliver(limit: Int) async throws(NoticeError) -> DeliveryTally {
    var tally = DeliveryTally()
    while tally.sent + tally.postponed + tally.failed < limit, !Task.isCancelled {
      guard let dispatch = try await claim() else { break }
      let end = try await sent(dispatch)
      try await settle(dispatch, end)
      switch end {
      case .taken: tally.sent += 1
      case .later: tally.postponed += 1
      case .refused, .gone: tally.failed += 1
      }
    }
    return tally
  }

  func sent(_ dispatch: Dispatch) async throws(NoticeError) -> TryEnd {
    let channel = dispatch.channel
    let message = Message(
      id: "notice-\(try await mark())-\(dispatch.batch)", facts: dispatch.rows.map(\.fact),
      site: ways.site, tellsTitles: channel.tellsTitles, east: clockwork(channel.hours.zone))
    // Whose notices go out together have one reader, and one tongue.
    let tongue =
      if let reader = dispatch.rows.first?.fact.fact.patron { await tongue(reader) } else {
        Tongue.english
      }
    return try await tongue.speaking { () throws(NoticeError) in
      try await bring(message, by: channel)
    }
  }

  private func bring(_ message: Message, by channel: Channel) async throws(NoticeError) -> TryEnd {
    let target: Target
    do throws(NoticeError) { target = try await self.target(of: channel) } catch {
      switch error {
      case .database, .locked: throw error
      // One row that does not open must not keep all others waiting.
      default: return .gone("it cannot be opened")
      }
    }
    return try await courier(to: channel.patron).bring(message, to: target)
  }

  /// Tells two gateways apart that send to the same receiver: it must not take one's third notice for
  /// the other's.
  private func mark() async throws(NoticeError) -> String {
    let key = try await sealingKey()
    return Hex.encode(
      Array(Digest.sha256.authenticate(Array("mark".utf8), key: key).prefix(6)))
  }

  /// Sends a test at once, by one channel or by all, at any hour. It is tried once. An address
  /// that is not confirmed gets none.
  package func test(
    _ name: String?, of patron: PatronID
  ) async throws(NoticeError) -> [ChannelTrial] {
    let all = try await channels(of: patron)
    let chosen = all.filter { name == nil || Self.folded($0.name) == name.map(Self.folded) }
    if let name, chosen.isEmpty { throw .unknownChannel(name) }
    let limits = patronLimits(patron, try await sealingKey())
    var trials: [ChannelTrial] = []
    for channel in chosen {
      guard channel.isConfirmed else {
        trials.append(ChannelTrial(channel, TryEnd.Failure(Self.unconfirmed)))
        continue
      }
      let (now, until) = (now(), now() + settings.lease.milliseconds)
      let change = Hex.encode(Chance.system.bytes(12))
      let fact = Fact(.test, for: patron, about: "\(channel.id)", change: change, Matter())
      let row = try await decide { tx throws(DatabaseError) -> Result<Dispatch.Row?, NoticeError> in
        if let seconds = try tx.count(limits, at: now) {
          return .failure(.rateLimited(seconds: seconds))
        }
        guard let id = try tx.insert(fact, at: now) else { return .success(nil) }
        let sending = try tx.first(
          """
          INSERT INTO notice_sending
            (fact, channel, state, not_before, give_up_at, turn, leased_until)
          VALUES (\(id), \(channel.id), 'sending', \(now), \(now), 1, \(until)) RETURNING id
          """
        ) { row throws(DatabaseError) -> Int64 in try row[0] }
        try tx.execute("UPDATE notice_sending SET batch = id WHERE fact = \(id)")
        return .success(
          try sending.flatMap { number throws(DatabaseError) in
            try tx.dispatched([number]).first
          })
      }
      guard let row else { continue }
      let dispatch = Dispatch(channel: channel, batch: row.id, rows: [row])
      let end = try await sent(dispatch)
      // No second try: who asked looks now.
      let only: TryEnd = if case .later(_, let why) = end { .refused(why) } else { end }
      try await settle(dispatch, only)
      switch only {
      case .taken: trials.append(ChannelTrial(channel, nil))
      case .later(_, let why), .refused(let why), .gone(let why):
        trials.append(ChannelTrial(channel, why))
      }
    }
    return trials
  }

  private static let unconfirmed = phrase("the address is not confirmed yet")
}
