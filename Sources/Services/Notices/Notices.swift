package import Circulation
import Crypto
package import Database
package import Machine
package import Phrasebook
package import Secrets
package import Vault

/// What readers are told, each thing once.
///
/// A fact is a row with a key; whoever reports it again changes nothing. In the same transaction a
/// sending is written for each channel that wants it, so that nothing is told of that is not known, and
/// nothing known goes untold. A sending is `waiting`, then `sending` under a lease, then `sent`,
/// `failed` or `dropped`; when it cannot be done now it waits again.
///
/// `sending` is written before the first byte goes out, and what became of it after the last came back.
/// Who is killed before that write has sent nothing; who is killed after the settling has told once.
/// Between the two lies the only window in which nobody can know: when the lease has run out it is sent
/// again, under the same name, so that nothing is lost and whoever looks at names drops the second. The
/// same holds for an answer that never came.
package struct Notices: Sendable {
  package struct Settings: Sendable {
    /// For how long nobody else sends what one has begun to send: longer than any try lasts.
    package var lease = Duration.seconds(180)
    /// For one try.
    package var patience = Duration.seconds(10)
    /// Between tries; the last one is taken again and again.
    package var pauses: [Duration] = [
      .seconds(30), .seconds(120), .seconds(600), .seconds(3_600), .seconds(6 * 3_600),
    ]
    /// After failing for so long a channel is switched off.
    package var longestFailure = Duration.seconds(3 * 86_400)
    /// How long a fact is remembered, and with it that it was told.
    package var memory = Duration.seconds(400 * 86_400)
    /// How many facts go out together at most.
    package var mostTogether = 50
    /// Codes and tests that one patron has sent, by all channels together.
    package var mostPerHour = 10
    package var mostPerDay = 20
    /// Codes to one address, of all patrons together.
    package var mostCodesPerDay = 3
    package var mostChannels = PatronLimits.standard.channels
    /// In a day, of all patrons together; with 0 none is sent.
    package var mostShortMessages = 500
    package var mostShortMessagesOfPatron = 30

    package init() {}
  }

  let store: Store
  package let settings: Settings
  package let ways: Ways
  let now: @Sendable () -> Int64
  private let clocks: @Sendable (String?) -> Clockwork?
  let jitter: @Sendable () -> Double
  /// In which a reader is told.
  let tongue: @Sendable (PatronID) async -> Tongue
  private let key: @Sendable () async throws(VaultError) -> Secret

  /// `key` is asked for each time, so that a vault that is locked meanwhile stays locked; `now` is in
  /// milliseconds since 1970.
  package init(
    store: Store, ways: Ways, settings: Settings = Settings(),
    now: @escaping @Sendable () -> Int64,
    clocks: @escaping @Sendable (String?) -> Clockwork? = Notices.systemClocks,
    jitter: @escaping @Sendable () -> Double = Chance.system.fraction,
    tongue: @escaping @Sendable (PatronID) async -> Tongue = { _ in .english },
    key: @escaping @Sendable () async throws(VaultError) -> Secret
  ) {
    (self.store, self.ways, self.settings) = (store, ways, settings)
    (self.now, self.clocks, self.jitter, self.key) = (now, clocks, jitter, key)
    self.tongue = tongue
  }

  /// What to derive the key from a vault with.
  package static var keyLabel: String { ChannelSealing.label }

  /// The clock of a zone by its name, or of where the machine stands.
  package static let systemClocks: @Sendable (String?) -> Clockwork? = { name in
    guard let name else { return { LocalTime.secondsEast(at: $0) } }
    guard let zone = Zone(named: name) else { return nil }
    return { zone.secondsEast(at: $0) }
  }

  // MARK: - For the other files

  func courier(to patron: PatronID) -> Courier {
    Courier(
      ways: ways, vapid: { () throws(NoticeError) in try await pushKey() },
      countShortMessage: { () throws(NoticeError) in
        try await countShortMessage(to: patron)
      }, now: now(), patience: settings.patience)
  }

  func isZone(_ name: String?) -> Bool { clocks(name) != nil }

  /// By the machine's clock, where the zone is known no more.
  func clockwork(_ zone: String?) -> Clockwork { clocks(zone) ?? clocks(nil) ?? { _ in 0 } }

  func sealingKey() async throws(NoticeError) -> Secret {
    do throws(VaultError) { return try await key() } catch { throw .locked(error) }
  }

  func read<T: Sendable>(
    _ body: @escaping @Sendable (Snapshot) throws(DatabaseError) -> T
  ) async throws(NoticeError) -> T {
    do throws(DatabaseError) { return try await store.read(body) } catch { throw .database(error) }
  }

  func write<T: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws(DatabaseError) -> T
  ) async throws(NoticeError) -> T {
    do throws(DatabaseError) { return try await store.write(body) } catch { throw .database(error) }
  }

  func decide<T: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws(DatabaseError) -> Result<T, NoticeError>
  ) async throws(NoticeError) -> T {
    let result: Result<T, NoticeError>
    do throws(DatabaseError) { result = try await store.decide(body) } catch {
      throw .database(error)
    }
    return try result.get()
  }
}
