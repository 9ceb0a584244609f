package import Circulation
import Crypto
import Database
import Registry
package import Secrets

/// Channels of readers.
extension Notices {
  /// An address of a person is sent a code, and nothing else until that was typed.
  package func add(
    _ order: ChannelOrder, of patron: PatronID
  ) async throws(NoticeError) -> AddedChannel {
    let name = order.name ?? order.medium.rawValue
    guard Self.isSound(name) else { throw .badName(name) }
    guard ways.has(order.medium) else { throw .noWay(order.medium) }
    guard isZone(order.hours.zone) else { throw .badField("zone") }
    var fields = order.fields.filter { !$0.value.isEmpty }
    var fresh: Secret?
    let target: Target
    let key = try await sealingKey()
    let sealed: [UInt8]
    do throws(CryptoError) {
      if order.medium == .webhook, fields["key"] == nil {
        fresh = try Target.newKey()
        fields["key"] = fresh
      }
      sealed = try ChannelSealing.seal(fields, patron, Self.folded(name), order.medium, key)
    } catch {
      throw .badField("key")
    }
    target = try Target(order.medium, fields, unencrypted: ways.unencrypted)
    guard target.isPublicMailbox else { throw .badField("address") }
    let (shown, now) = (target.shown, now())
    let code = order.medium.needsConfirmation ? ChannelCode() : nil
    let hash = code?.hash(of: patron, Self.folded(name), key)
    let limits = code.map { _ in codeLimits(of: patron, to: target, key) } ?? []
    let (until, confirmed) = (code.map { _ in now + ChannelCode.life }, code == nil ? now : nil)
    let most = settings.mostChannels
    let channel = try await decide { tx throws(DatabaseError) -> Result<Channel, NoticeError> in
      let (quiet, hours) = (order.hours.quiet, order.hours)
      let kinds = NoticeKind.text(order.kinds)
      let added = try tx.first(
        """
        INSERT INTO notice_channel
          (patron, folded_name, name, medium, shown, sealed, kinds, quiet_start, quiet_end, digest,
           zone, tells_titles, made_at, session, confirmed_at, code, code_until, code_tries)
        VALUES (\(patron.rawValue), \(Self.folded(name)), \(name), \(order.medium.rawValue),
          \(shown), \(sealed), \(kinds), \(quiet?.start), \(quiet?.end), \(hours.digest),
          \(hours.zone), \(order.tellsTitles), \(now), \(order.session), \(confirmed),
          \(hash), \(until), 0)
        ON CONFLICT (patron, folded_name) DO NOTHING RETURNING \(Channel.columns)
        """, Channel.init(row:))
      guard let added else { return .failure(.nameTaken(name)) }
      let count: Int64? = try tx.value(
        "SELECT COUNT(*) FROM notice_channel WHERE patron = \(patron.rawValue)")
      if let count, count > most { return .failure(.tooManyChannels(most)) }
      if let seconds = try tx.count(limits, at: now) {
        return .failure(.rateLimited(seconds: seconds))
      }
      return .success(added)
    }
    guard let code else { return AddedChannel(channel: channel, key: fresh, code: nil) }
    return AddedChannel(
      channel: channel, key: fresh, code: try await send(code, to: target, of: channel))
  }

  /// In the order of their names.
  package func channels(of patron: PatronID) async throws(NoticeError) -> [Channel] {
    try await read { snapshot throws(DatabaseError) in try snapshot.channels(of: patron) }
  }

  /// Nothing goes out by it from now on; what it has told stays in the inbox.
  package func removeChannel(
    named name: String, of patron: PatronID, boundTo session: String? = nil
  ) async throws(NoticeError) -> Channel {
    try await decide { tx throws(DatabaseError) -> Result<Channel, NoticeError> in
      let binding: SQL = session.map { "AND (session = \($0) OR session IS NULL)" } ?? ""
      let place: SQL =
        "WHERE patron = \(patron.rawValue) AND folded_name = \(Self.folded(name)) \(binding)"
      let found = try tx.first(
        "SELECT \(Channel.columns), length(sealed) FROM notice_channel \(place)"
      ) { row throws(DatabaseError) -> (Channel, Int) in (try Channel(row: row), try row[14]) }
      guard let (channel, length) = found else { return .failure(.unknownChannel(name)) }
      try tx.remove(channel: channel.id, length: length)
      return .success(channel)
    }
  }

  func target(of channel: Channel) async throws(NoticeError) -> Target {
    let key = try await sealingKey()
    let sealed = try await read { snapshot throws(DatabaseError) -> [UInt8]? in
      try snapshot.first("SELECT sealed FROM notice_channel WHERE id = \(channel.id)") {
        row throws(DatabaseError) -> [UInt8] in try row[0]
      }
    }
    guard let sealed else { throw .unknownChannel(channel.name) }
    let fields: [String: Secret]
    do throws(CryptoError) {
      fields = try ChannelSealing.open(
        sealed, channel.patron, Self.folded(channel.name), channel.medium, key)
    } catch {
      throw .damaged
    }
    return try Target(channel.medium, fields, unencrypted: ways.unencrypted)
  }

  /// A word that needs no quotes in a shell, and is no option.
  static func isSound(_ name: String) -> Bool {
    let isWord = name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
      default: false
      }
    }
    return isWord && (1...40).contains(name.utf8.count) && name.utf8.first != 0x2D
  }

  static func folded(_ name: String) -> String { name.lowercased() }
}

extension Snapshot {
  func channels(of patron: PatronID) throws(DatabaseError) -> [Channel] {
    try rows(
      """
      SELECT \(Channel.columns) FROM notice_channel WHERE patron = \(patron.rawValue)
      ORDER BY folded_name\(.bytewise)
      """, Channel.init(row:))
  }
}

extension Channel {
  static var columns: SQL {
    """
    id, patron, name, medium, shown, kinds, quiet_start, quiet_end, digest, zone, tells_titles,
    made_at, off_because, (\(confirmed)) AS is_confirmed
    """
  }

  /// Of a row. Servers are no persons, also where a gateway of an earlier version added them.
  static var confirmed: SQL { "(confirmed_at IS NOT NULL OR medium NOT IN ('email', 'sms'))" }

  init(row: borrowing Row) throws(DatabaseError) {
    let start: Int? = try row[6]
    let end: Int? = try row[7]
    var hours = Hours(digest: try row[8], zone: try row[9])
    if let start, let end { hours.quiet = Hours.Quiet(from: start, to: end) }
    self.init(
      id: try row[0], patron: PatronID(try row[1]), name: try row[2],
      medium: Carrier(rawValue: try row[3]) ?? .webhook, shown: try row[4],
      kinds: NoticeKind.set(try row[5]), hours: hours, tellsTitles: try row[10],
      madeAt: try row[11], offBecause: try row[12], isConfirmed: try row[13])
  }
}

extension NoticeKind {
  static func text(_ kinds: Set<NoticeKind>) -> String {
    kinds.map(\.rawValue).sorted().joined(separator: " ")
  }

  static func set(_ text: String) -> Set<NoticeKind> {
    Set(text.split(separator: " ").compactMap { NoticeKind(rawValue: String($0)) })
  }
}
