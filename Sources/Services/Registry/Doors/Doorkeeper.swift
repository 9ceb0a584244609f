package import Circulation
import Crypto
import Machine
package import ProviderKit
package import Secrets
import Synchronization

/// Who may come in, by name and word. Guessing is slowed for each name and from each place; who was
/// let in with card and PIN is known for some minutes, so that an app that signs in with every
/// request does not have a secret unsealed each time.
package final class Doorkeeper: Sendable {
  private struct Known: Sendable {
    let standing: CardStanding
    let until: Int64
  }

  private struct State: Sendable {
    var known: [[UInt8]: Known] = [:]
    /// What attempts are counted under; nil while the vault is shut.
    var shared: Secret?
  }

  /// Where somebody knocks with card and PIN.
  package enum Door: Sendable, Hashable {
    /// Whoever has a second factor is asked for a code next.
    case pages
    /// Nobody can be asked for a code there: who has one needs a device's password.
    case apps
  }

  /// Asks the libraries whose readers come in by their card alone; nil for whom they do not know.
  package typealias Asking =
    @Sendable (_ knock: Knock, _ request: String) async throws(RegistryError) ->
    Result<CardStanding?, LibrarySilence>

  let registry: Registry
  private let settings: Settings
  /// Those whose cards sign in: the operator configured them, and they check PINs.
  private let libraries: [LibraryID: PINCheck]
  private let ask: Asking?
  private let attempts: Attempts
  private let state = Mutex(State())
  /// Of this process alone: what is kept in mind is worth nothing elsewhere.
  private let key = Secret(Chance.system.bytes(32))

  /// A library that checks no PIN proves nobody, and is as good as none.
  package init(
    _ registry: Registry, _ settings: Settings = Settings(), libraries: [LibraryID: PINCheck],
    asking ask: Asking? = nil
  ) {
    (self.registry, self.settings, self.ask) = (registry, settings, ask)
    self.libraries = libraries.filter { $0.value != .never }
    attempts = Attempts(registry: registry)
  }

  /// The name is a patron's or a card's number, the word a device's password or that card's PIN.
  /// `place` is the network address they came from.
  package func admit(
    _ name: Secret, _ word: Secret, from place: String, request: String,
    library: LibraryID? = nil, keepsPIN: Bool = false, at door: Door = .apps
  ) async throws(RegistryError) -> DoorAnswer {
    guard name.count <= Self.longest, word.count <= Self.longest else { return .refused }
    let card = SignInName(name, at: library, among: libraries.keys)
    let mark = mark("pair", [name, word, Secret(card.library?.rawValue ?? "")])
    if let entrant = try await remembered(mark, door) { return .entered(entrant) }
    let marks = await marks("name", name, place)
    if let wait = try await wait([marks.place]) { return .slowed(seconds: wait) }
    // Before names are slowed: nobody guesses a device's password, and a stranger who guesses at a
    // reader's PIN must not shut the reader's devices out.
    if let (device, owner) = try await registry.device(with: word) {
      return try await admit(device, of: owner, as: name, marks)
    }
    if let wait = try await wait(marks.ofName) { return .slowed(seconds: wait) }
    switch try await registry.match(card, pin: word, at: libraries, request: request) {
    case .one(let found):
      guard try await registry.suffices(found, at: door) else { return try await refused(marks) }
      try await remember(mark, found, marks)
      return .entered(Self.entrant(found))
    // Said only to those who gave a right pair, so it is no help to those who guess.
    case .several: return .needsLibrary
    case .none: break
    }
    let knock = Knock(
      card: card.number, pin: word, library: card.library, keepsPIN: keepsPIN)
    guard let ask, !name.isEmpty, !word.isEmpty else { return try await refused(marks) }
    // Counted before it is judged: a library takes its time, and many at once are no way around the
    // count.
    if let wait = try await counted(marks) { return .slowed(seconds: wait) }
    let answer: Result<CardStanding?, LibrarySilence>
    do throws(RegistryError) { answer = try await ask(knock, request) } catch {
      try await attempts.takeBack(marks.all)
      throw error
    }
    switch answer {
    case .success(let standing?):
      guard try await registry.suffices(standing, at: door) else { return .refused }
      try await attempts.takeBack(marks.all)
      try await remember(mark, standing, marks)
      return .entered(Self.entrant(standing))
    case .success(nil): return .refused
    case .failure(let silence):
      try await attempts.takeBack(marks.all)
      return .unreachable(silence)
    }
  }

  /// A try with secrets that are judged elsewhere, by a library or by a sealed record: nil where it
  /// may be made, else the seconds to wait. Counted as one that failed until it is told otherwise,
  /// so that many at once are no way around the count.
  package func tries(_ name: Secret, from place: String) async -> Int? {
    let marks = await marks("try", name, place)
    do throws(RegistryError) { return try await counted(marks) } catch {
      // What cannot be counted is not tried.
      return 1
    }
  }

  /// What was counted and cannot be taken back now is slowed a little later; nothing is lost.
  package func succeeded(_ name: Secret, from place: String) async {
    let marks = await marks("try", name, place)
    try? await attempts.takeBack([marks.place])
    try? await attempts.forget(marks.ofName)
  }

  /// A try that said nothing of the secrets, neither for nor against them.
  package func undecided(_ name: Secret, from place: String) async {
    try? await attempts.takeBack(await marks("try", name, place).all)
  }

  /// As KOReader's progress sync signs in: with the MD5 of a device's password, in hex.
  package func admit(
    _ name: Secret, syncKey: Secret, from place: String
  ) async throws(RegistryError) -> DoorAnswer {
    guard name.count <= Self.longest, syncKey.count <= Self.longest else { return .refused }
    let marks = await marks("name", name, place)
    if let wait = try await wait([marks.place]) { return .slowed(seconds: wait) }
    guard let (device, owner) = try await registry.device(withSyncKey: syncKey) else {
      return try await refused(marks)
    }
    return try await admit(device, of: owner, as: name, marks)
  }

  /// By the secret in a calendar's address. Whoever guesses at one is slowed with all that is guessed
  /// from there.
  package func admit(
    calendar secret: Secret, from place: String
  ) async throws(RegistryError) -> CalendarDoorAnswer {
    let found = secret.count <= Self.longest ? try await registry.calendar(with: secret) : nil
    // A feed is read while the vault is locked: only a guess has it opened, to be counted with others.
    if found == nil || state.withLock({ $0.shared }) != nil {
      let mark = Attempts.Mark(
        bytes: await sharedMark("place", [Secret(place)]), limit: settings.placeLimit)
      if let wait = try await wait([mark]) { return .slowed(seconds: wait) }
      if found == nil { try await attempts.note([mark]) }
    }
    guard let address = found else { return .refused }
    try await registry.noteUse(of: address)
    return .entered(address.patron)
  }

  /// How many readers are known at the moment.
  var knownCount: Int { state.withLock { $0.known.count } }
}

extension Doorkeeper {
  private static var longest: Int { 256 }

  private struct Marks {
    let name: Attempts.Mark
    /// Of the card alone, whichever way it is tried and at whichever library whose cards sign in.
    let day: Attempts.Mark
    let place: Attempts.Mark

    var ofName: [Attempts.Mark] { [name, day] }
    var all: [Attempts.Mark] { [place, name, day] }
  }

  private func admit(
    _ device: Device, of owner: String, as name: Secret, _ marks: Marks
  ) async throws(RegistryError) -> DoorAnswer {
    let isOwner =
      name.matches(Secret(owner)) || Self.folded(name).matches(Self.folded(Secret(owner)))
    let number = SignInName(name, among: libraries.keys).number
    if !isOwner, try await !registry.hasCard(number, device.patron) {
      return try await refused(marks)
    }
    try await registry.noteUse(of: device)
    return .entered(
      Entrant(
        patron: Patron(id: device.patron, name: owner), key: .device(device.name),
        scopes: device.scopes, manner: device.manner))
  }

  private static func entrant(_ standing: CardStanding) -> Entrant {
    Entrant(patron: standing.patron, key: .card(standing.account), scopes: .all)
  }

  /// Names that differ in case or in the blanks of a card number are one name to be guessed at.
  private static func folded(_ name: Secret) -> Secret { Card.plain(name) }

  /// Without the library in front of it: `town/21234000000018`. What is given for any other library or
  /// catalog is counted with its name, so that nothing done there counts here.
  private func number(in name: Secret) -> Secret {
    Card.plain(SignInName(name, among: libraries.keys).number)
  }

  // MARK: - What is kept in mind

  /// What was remembered is held against the account as it is now: a card that was unlinked or got
  /// another PIN opens nothing any more, wherever that was done.
  private func remembered(_ mark: [UInt8], _ door: Door) async throws(RegistryError) -> Entrant? {
    let now = registry.now()
    guard let known = state.withLock({ $0.known[mark] }) else { return nil }
    let isFresh = known.until > now && known.until <= now + settings.memory.milliseconds
    if isFresh, try await registry.stillStands(known.standing, at: door) {
      return Self.entrant(known.standing)
    }
    state.withLock { $0.known[mark] = nil }
    return nil
  }

  private func remember(
    _ mark: [UInt8], _ standing: CardStanding, _ marks: Marks
  ) async throws(RegistryError) {
    let now = registry.now()
    let until = now + settings.memory.milliseconds
    state.withLock { state in
      if state.known.count >= settings.capacity {
        state.known = state.known.filter { $0.value.until > now }
        if state.known.count >= settings.capacity { state.known = [:] }
      }
      state.known[mark] = Known(standing: standing, until: until)
    }
    try await attempts.forget(marks.ofName)
  }

  private func refused(_ marks: Marks) async throws(RegistryError) -> DoorAnswer {
    try await attempts.note(marks.all)
    return .refused
  }

  private func counted(_ marks: Marks) async throws(RegistryError) -> Int? {
    try await attempts.count(marks.all).map(Self.seconds)
  }

  private func wait(_ marks: [Attempts.Mark]) async throws(RegistryError) -> Int? {
    try await attempts.wait(marks).map(Self.seconds)
  }

  private static func seconds(_ milliseconds: Int64) -> Int { Int((milliseconds + 999) / 1000) }

  private func marks(_ kind: String, _ name: Secret, _ place: String) async -> Marks {
    Marks(
      name: .init(bytes: await sharedMark(kind, [Self.folded(name)]), limit: settings.nameLimit),
      day: .init(bytes: await sharedMark("day", [number(in: name)]), limit: settings.dayLimit),
      place: .init(bytes: await sharedMark("place", [Secret(place)]), limit: settings.placeLimit))
  }

  /// The same at all gateways of the house. While the vault is shut each counts for itself.
  private func sharedMark(_ kind: String, _ parts: [Secret]) async -> [UInt8] {
    if let shared = state.withLock({ $0.shared }) { return mark(kind, parts, shared) }
    guard let shared = await registry.subkey(Attempts.keyLabel) else {
      return mark(kind, parts, key)
    }
    state.withLock { $0.shared = shared }
    return mark(kind, parts, shared)
  }

  /// Each part is preceded by its length, so that no two lists of parts are the same bytes.
  private func mark(_ kind: String, _ parts: [Secret], _ key: Secret? = nil) -> [UInt8] {
    var bytes = Array("\(kind)\0".utf8)
    defer { wipe(&bytes) }
    for part in parts {
      bytes += Array("\(part.count):".utf8)
      part.revealBytes { bytes += $0 }
    }
    return Digest.sha256.authenticate(bytes, key: key ?? self.key)
  }
}
