import Circulation
import Database
import Desk
import Items
import Log
import Machine
import Notices
import ProviderKit
import Registry
import Schedule
import Setup
import Synchronization
import Vault

extension House {
  /// Puts on the schedule what there is to do now; tells how many jobs that is.
  @discardableResult
  func planDueWork() async throws -> Int {
    var count = 0
    var failure: (any Error)?
    for work in DueWork.all {
      // Work that cannot be planned keeps no other from being.
      do {
        let plans = try await work.plans(self)
        try await schedule.plan(plans)
        count += plans.count
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return count
  }

  /// What does the work of this process. Each has a name of its own: the lease of one that was killed
  /// must not look like the lease of the one that was started after it.
  func worker(
    _ logger: Logger, tell: @escaping @Sendable (WorkEvent) -> Void = { _ in },
    alive: @escaping @Sendable () -> Void = {}
  ) -> Worker {
    var crafts: [JobKind: Craft] = [:]
    for work in DueWork.all {
      crafts[work.kind] = Craft(limit: work.limit, atOnce: work.atOnce) { subject, _ in
        await work.perform(self, subject, logger)
      }
    }
    let isTroubled = Mutex(false)
    return Worker(
      schedule, crafts: crafts, name: "w" + String(Chance.system.next(), radix: 32), time: time,
      tell: { event in
        // Said once, and not every few seconds while a database is away.
        let isNews = isTroubled.withLock { was in
          defer { was = event.isTrouble }
          return !(was && event.isTrouble)
        }
        if isNews { Self.note(event, logger) }
        tell(event)
      }, alive: alive)
  }

  /// Subjects are readers and libraries, and notes name their cards: the schedule itself keeps them for
  /// its operator, the log only in detail. The reason names none.
  private static func note(_ event: WorkEvent, _ logger: Logger) {
    switch event {
    case .ended(let job, .failed(let note, let reason)):
      logger.warn(
        "due work failed",
        [.pair("kind", job.kind.rawValue), .pair("why", reason ?? "it did not say")])
      logger.debug(
        "why due work failed", [.pair("kind", job.kind.rawValue), .pair("note", note)])
    case .ended(let job, let outcome):
      logger.debug(
        "due work done", [.pair("kind", job.kind.rawValue), .pair("outcome", outcome.word)])
    case .lost(let job):
      logger.debug("due work was taken over", [.pair("kind", job.kind.rawValue)])
    case .database:
      logger.warn("the schedule cannot be read or written: it is tried again")
    }
  }

  // MARK: - For whom

  /// Readers with those of their accounts that are fit for something; none without any.
  func readers(
    _ isFit: (House, Account) -> Bool
  ) async throws(RegistryError) -> [(Patron, [Account])] {
    let accounts = Dictionary(
      grouping: try await registry.accounts().filter { isFit(self, $0) }, by: \.patron)
    return try await registry.patrons().compactMap { patron in
      accounts[patron.id].map { (patron, $0) }
    }
  }

  func harvestable() async throws(RegistryError) -> [(patron: Patron, account: Account)] {
    try await readers { $0.can(.harvest, $1) }.flatMap { patron, accounts in
      accounts.map { (patron: patron, account: $0) }
    }
  }

  func can(_ capability: Capability, _ account: Account) -> Bool {
    allProviders.contains { $0.id == account.provider && $0.capabilities.contains(capability) }
  }

  /// Whether anything can be had there. Where readers only keep lists nothing is.
  func hasBooks(_ account: Account) -> Bool {
    let ways: [Capability] = [
      .harvest, .search, .lookUp, .availability, .shelf, .lending, .fulfilment,
    ]
    return ways.contains { can($0, account) }
  }

  /// Work for one reader, where there still is one, and where the secrets can be opened.
  func visiting(
    _ patron: String, _ errand: (Visit) async throws(ErrorItem) -> JobOutcome
  ) async -> JobOutcome {
    do throws(ErrorItem) {
      let known = try await told { () throws(RegistryError) in
        try await registry.patron(PatronID(patron))
      }
      guard let patron = known else {
        return .over(note: "no such reader any more")
      }
      if let locked = await vaultTrouble() { return JobOutcome(failed: [locked]) }
      return try await errand(Visit(house: self, patron: patron, seat: seat))
    } catch {
      return JobOutcome(failed: [error])
    }
  }

  /// Why no secret can be opened; nil when they can.
  func vaultTrouble() async -> ErrorItem? {
    do throws(VaultError) {
      _ = try await door.vault()
      return nil
    } catch {
      return ErrorItem(error)
    }
  }
}

extension WorkEvent {
  fileprivate var isTrouble: Bool { if case .database = self { true } else { false } }
}

extension ErrorItem {
  /// For the note of a job: the contract's word, with what it is about where no secret can be in
  /// that. What a library says of itself is left out, since it may name the reader.
  var note: String { account.map { "\($0): \(reason)" } ?? reason }

  /// The same for the log, where no account is named.
  var reason: String {
    let about = Self.speaking.contains(code) ? detail : nil
    return [code, about].compactMap { $0 }.joined(separator: ": ")
  }

  /// Codes whose details hold paths and the words of an engine, and nothing that a patron said.
  private static let speaking = [
    "vault_locked", "vault_key_wrong", "vault_unusable", "database_unavailable",
  ]

  /// Whether trying again soon may help: a card that was refused stays refused.
  var mayPass: Bool {
    !["credentials_rejected", "account_expired", "account_blocked", "unsupported"].contains(code)
  }
}

extension JobOutcome {
  /// With the reason for the log, each said once.
  init(failed troubles: [ErrorItem]) {
    self = .failed(
      note: troubles.map(\.note).uniqued().joined(separator: "; "),
      reason: troubles.map(\.reason).uniqued().joined(separator: "; "))
  }

  init(failed error: any Error) {
    switch error {
    case let error as ErrorItem: self.init(failed: [error])
    case let error as DatabaseError: self.init(failed: [ErrorItem(error)])
    case let error as RegistryError: self.init(failed: [ErrorItem(error)])
    case let error as DeskError: self.init(failed: [ErrorItem(error)])
    case let error as NoticeError: self.init(failed: [ErrorItem(error)])
    // Of what is not known here only the kind is said in the log.
    default: self = .failed(note: "\(error)", reason: "\(type(of: error))")
    }
  }

  init(_ syncs: [SyncItem]) {
    let troubles = syncs.compactMap(\.trouble)
    if troubles.contains(where: \.mayPass) {
      self.init(failed: troubles)
    } else {
      let note = troubles.map(\.note).joined(separator: "; ")
      self = .done(note: troubles.isEmpty ? nil : note)
    }
  }

  init(_ harvest: HarvestItem) {
    if let trouble = harvest.trouble, trouble.code != "catalogue_shrunk" {
      self.init(failed: [trouble])
    } else {
      self = .done(
        note: harvest.trouble?.note ?? "\(harvest.changed) new or changed, \(harvest.removed) gone")
    }
  }
}

extension JobOutcome {
  init(_ steps: [PaceItem]) {
    let troubles = steps.compactMap(\.trouble)
    guard troubles.isEmpty else {
      self.init(failed: troubles)
      return
    }
    let rested = steps.count { $0.step == "suspend" }
    self = .done(note: steps.isEmpty ? nil : "\(rested) put to rest, \(steps.count - rested) woken")
  }
}

extension [String] {
  /// Each once, in their order.
  fileprivate func uniqued() -> [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
