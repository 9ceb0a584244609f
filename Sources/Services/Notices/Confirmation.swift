package import Circulation
import Crypto
import Database
import Machine
import Phrasebook
import Registry
package import Secrets

/// A channel that was added.
package struct AddedChannel: Sendable {
  package let channel: Channel
  /// For a webhook whose key was made here, that key: it is shown this once.
  package let key: Secret?
  /// How the code was sent, where one was.
  package let code: ChannelTrial?
}

/// A patron confirms an address by the code that was sent there.
extension Notices {
  package func confirm(
    _ name: String, code typed: Secret, of patron: PatronID
  ) async throws(NoticeError) -> Channel {
    let (folded, now) = (Self.folded(name), now())
    let hash = ChannelCode(typed: typed).hash(of: patron, folded, try await sealingKey())
    // A wrong code is counted, so this is committed also where it fails.
    let result = try await write { tx throws(DatabaseError) -> Result<Channel, NoticeError> in
      guard let channel = try tx.channel(named: folded, of: patron) else {
        return .failure(.unknownChannel(name))
      }
      guard !channel.isConfirmed else { return .failure(.alreadyConfirmed(name)) }
      let valid = try tx.first(
        """
        UPDATE notice_channel SET code_tries = code_tries + 1
        WHERE id = \(channel.id) AND code IS NOT NULL AND code_until > \(now)
          AND code_tries < \(ChannelCode.mostTries)
        RETURNING code
        """
      ) { row throws(DatabaseError) -> [UInt8] in try row[0] }
      guard let valid, constantTimeEqual(valid, hash) else { return .failure(.wrongCode(name)) }
      try tx.execute(
        """
        UPDATE notice_channel SET confirmed_at = \(now), code = NULL, code_until = NULL
        WHERE id = \(channel.id)
        """)
      return try tx.channel(channel.id).map { .success($0) } ?? .failure(.unknownChannel(name))
    }
    return try result.get()
  }

  /// Sends a new code; the one before it is void.
  package func sendCode(
    _ name: String, of patron: PatronID
  ) async throws(NoticeError) -> ChannelTrial {
    let (folded, now, key) = (Self.folded(name), now(), try await sealingKey())
    let found = try await read { snapshot throws(DatabaseError) in
      try snapshot.channel(named: folded, of: patron)
    }
    guard let channel = found else { throw .unknownChannel(name) }
    guard !channel.isConfirmed else { throw .alreadyConfirmed(name) }
    let (target, code) = (try await target(of: channel), ChannelCode())
    let hash = code.hash(of: patron, folded, key)
    let limits = codeLimits(of: patron, to: target, key)
    try await decide { tx throws(DatabaseError) -> Result<Void, NoticeError> in
      if let seconds = try tx.count(limits, at: now) {
        return .failure(.rateLimited(seconds: seconds))
      }
      try tx.execute(
        """
        UPDATE notice_channel
        SET code = \(hash), code_until = \(now + ChannelCode.life), code_tries = 0
        WHERE id = \(channel.id)
        """)
      return .success(())
    }
    return try await send(code, to: target, of: channel)
  }

  /// It is tried once: the patron is waiting for it, and can ask for another one.
  func send(
    _ code: ChannelCode, to target: Target, of channel: Channel
  ) async throws(NoticeError) -> ChannelTrial {
    let courier = courier(to: channel.patron)
    let id = "code-\(Hex.encode(Chance.system.bytes(12)))"
    let tongue = await tongue(channel.patron)
    let end = try await tongue.speaking { () throws(NoticeError) in
      try await courier.bring(code, id: id, to: target)
    }
    switch end {
    case .taken: return ChannelTrial(channel, nil)
    case .later(_, let why), .refused(let why), .gone(let why): return ChannelTrial(channel, why)
    }
  }

  // MARK: - Limits

  /// Of everything that a patron has sent at once, by all channels together.
  func patronLimits(_ patron: PatronID, _ key: Secret) -> [RateLimit] {
    let (hour, day) = (settings.mostPerHour, settings.mostPerDay)
    return [
      RateLimit(
        "notices-hour", of: [patron.rawValue], count: hour, span: 3_600_000, key: key),
      RateLimit("notices-day", of: [patron.rawValue], count: day, span: 86_400_000, key: key),
    ]
  }

  /// The same person is sent few codes, however many patrons ask for one.
  func codeLimits(of patron: PatronID, to target: Target, _ key: Secret) -> [RateLimit] {
    patronLimits(patron, key) + [
      RateLimit(
        "notices-code", of: [target.person], count: settings.mostCodesPerDay, span: 86_400_000,
        key: key)
    ]
  }
}

extension Snapshot {
  fileprivate func channel(
    named folded: String, of patron: PatronID
  ) throws(DatabaseError) -> Channel? {
    try first(
      """
      SELECT \(Channel.columns) FROM notice_channel
      WHERE patron = \(patron.rawValue) AND folded_name = \(folded)
      """, Channel.init(row:))
  }
}
