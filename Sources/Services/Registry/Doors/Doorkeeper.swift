package import Circulation
import Crypto
import Machine
package import ProviderKit
package import Secrets

/// Who may come in, by name and word. Guessing is slowed for each number and from each address; who was
/// let in with card and PIN is known for some minutes, so that an app that signs in with every
/// request does not have a secret unsealed each time.
package final class Doorkeeper: Sendable {
  /// Where somebody knocks with card and PIN.
  package enum Door: Sendable, Hashable {
    /// Whoever has a second factor is asked for a code next.
    case pages
    /// Nobody can be asked for a code there: who has one needs a device's password.
    case apps
  }

  /// Asks the library whose readers come in by their card alone: nil where there is none to ask, and no
  /// standing for whom it does not know.
  package typealias Asking =
    @Sendable (_ knock: Knock, _ request: String) async throws(RegistryError) ->
    Result<CardStanding?, LibrarySilence>?

  let registry: Registry
  /// Those whose cards sign in: the operator configured them, and they check PINs.
  let libraries: [LibraryID: PINCheck]
  let ask: Asking?
  let failures: FailedSignIns
  let queue: SignInQueue
  let memory: RememberedSignIns
  let settings: Settings
  let marks: SignInMarks

  /// A library that checks no PIN proves nobody, and is as good as none.
  package init(
    _ registry: Registry, _ settings: Settings = Settings(), libraries: [LibraryID: PINCheck],
    asking ask: Asking? = nil
  ) {
    (self.registry, self.settings, self.ask) = (registry, settings, ask)
    self.libraries = libraries.filter { $0.value != .never }
    failures = FailedSignIns(registry: registry)
    queue = SignInQueue(.init(patience: settings.patience))
    memory = RememberedSignIns(
      capacity: settings.capacity, span: settings.memory.milliseconds)
    marks = SignInMarks(registry)
  }

  /// The name is a patron's or a card's number, the word a device's password or that card's PIN.
  /// `place` is where they come from, `cookie` what the browser keeps.
  package func admit(
    _ name: Secret, _ word: Secret, from place: ClientAddress, request: String,
    library: LibraryID? = nil, keepsPIN: Bool = false, at door: Door = .apps,
    cookie: DeviceCookie = DeviceCookie(nil)
  ) async throws(RegistryError) -> DoorAnswer {
    guard name.count <= Self.longest, word.count <= Self.longest else { return .refused }
    // Before any limit: an app password cannot be guessed, and a stranger who guesses at a patron's
    // PIN must not lock the patron's apps out.
    let device = try await registry.device(with: word)
    if let (device, owner) = device,
      let entrant = try await entrant(device, of: owner, as: name)
    {
      return .entered(entrant)
    }
    let card = SignInName(name, at: library, among: libraries.keys)
    let pair = RememberedSignIns.Pair(
      mark: marks.own("pair", [name, word, Secret(card.library?.rawValue ?? "")]),
      numberAtPlace: marks.own("number", [card.card.counted, Secret(place.host)]))
    if let entrant = try await remembered(pair, door) { return .entered(entrant) }
    let attempt = CardAttempt(
      name: card, pin: word, keepsPIN: keepsPIN, door: door, request: request,
      pair: pair, isAppPassword: device != nil)
    return try await judge(attempt, await counting(name, place, cookie))
  }

  /// As KOReader's progress sync signs in: with the MD5 of a device's password, in hex. That is no
  /// guess at a PIN, and counts from where it comes alone.
  package func admit(
    _ name: Secret, syncKey: Secret, from place: ClientAddress
  ) async throws(RegistryError) -> DoorAnswer {
    guard name.count <= Self.longest, syncKey.count <= Self.longest else { return .refused }
    if let (device, owner) = try await registry.device(withSyncKey: syncKey),
      let entrant = try await entrant(device, of: owner, as: name)
    {
      return .entered(entrant)
    }
    if let seconds = try await failed(from: place) { return .slowed(seconds: seconds) }
    return .refused
  }

  /// By the secret in a calendar's address. It cannot be guessed, so a right one is answered before any
  /// limit: what else was guessed from there, perhaps by others, keeps no calendar from its app. Wrong
  /// ones are slowed with all that is guessed from there.
  package func admit(
    calendar secret: Secret, from place: ClientAddress
  ) async throws(RegistryError) -> CalendarDoorAnswer {
    let found = secret.count <= Self.longest ? try await registry.calendar(with: secret) : nil
    // A feed is read while the vault is locked: only a guess has it opened, to be counted with others.
    guard let address = found else {
      if let seconds = try await failed(from: place) { return .slowed(seconds: seconds) }
      return .refused
    }
    try await registry.noteUse(of: address)
    return .entered(address.patron)
  }

  /// The cookie with a token for the patron who has just signed in, for the browser it came from; nil
  /// while the vault is locked.
  package func cookie(
    _ cookie: DeviceCookie, adding origin: SessionOrigin, of patron: PatronID
  ) async throws(RegistryError) -> DeviceCookie? {
    guard let key = await registry.subkey(DeviceCookie.keyLabel) else { return nil }
    let id = origin.account ?? AccountID(patron.rawValue)
    let base = try await registry.deviceBases(of: patron).first { $0.account == id }
    return base.map { cookie.adding($0, registry.now(), key) }
  }

  /// How many readers are known at the moment.
  var knownCount: Int { memory.count }
}

extension Doorkeeper {
  static var longest: Int { 256 }

  static func seconds(_ milliseconds: Int64) -> Int { Int((milliseconds + 999) / 1000) }

  static func entrant(_ standing: CardStanding) -> Entrant {
    Entrant(
      patron: standing.patron, key: .card(standing.account), scopes: .all,
      basis: .card(standing.account, version: standing.version))
  }

  /// Nil where the password is another patron's.
  private func entrant(
    _ device: Device, of owner: String, as name: Secret
  ) async throws(RegistryError) -> Entrant? {
    let isOwner =
      name.matches(Secret(owner))
      || CardNumber(name).plain.matches(CardNumber(Secret(owner)).plain)
    if !isOwner {
      let card = SignInName(name, among: libraries.keys)
      guard try await registry.hasCard(card, device.patron) else { return nil }
    }
    try await registry.noteUse(of: device)
    return Entrant(
      patron: Patron(id: device.patron, name: owner), key: .device(device.name),
      scopes: device.scopes, manner: device.manner,
      basis: .appPassword(device.patron, device.name, madeAt: device.madeAt))
  }

  /// What was remembered is held against the account as it is now: a card that was unlinked or got
  /// another PIN opens nothing any more, wherever that was done.
  func remembered(_ pair: RememberedSignIns.Pair, _ door: Door) async throws(RegistryError)
    -> Entrant?
  {
    guard let standing = memory.standing(of: pair, at: registry.now()) else { return nil }
    if try await registry.stillStands(standing, at: door) { return Self.entrant(standing) }
    memory.forget(pair)
    return nil
  }

  /// Counts a failure that says nothing of any card; the seconds to wait where there were too many.
  private func failed(from place: ClientAddress) async throws(RegistryError) -> Int? {
    let counting = await counting(Secret(""), place)
    if let wait = try await failures.counts(counting.places).wait(counting.places) {
      return Self.seconds(wait)
    }
    try await failures.add(counting.places, by: counting.client)
    return nil
  }

  /// Without the library that may stand before it.
  func number(in name: Secret) -> CardNumber {
    SignInName(name, among: libraries.keys).card
  }

  /// What is wrong with this token counts under it, PINs and codes together.
  func mark(of token: DeviceCookie.Token) async -> FailedSignIns.Mark {
    .init(
      bytes: await marks.shared("token", [Secret(token.nonce)]), limit: settings.tokenLimit)
  }

  func counting(
    _ name: Secret, _ place: ClientAddress, _ cookie: DeviceCookie = DeviceCookie(nil)
  ) async -> SignInCounting {
    let number = number(in: name)
    let host = await marks.shared("place", [Secret(place.host)])
    let network = await marks.shared("network", [Secret(place.network)])
    // What is refused as no number is of no card, and only its own client is kept from more of it.
    let counted =
      number.asked.isEmpty ? [Secret(""), Secret(place.host)] : [number.counted]
    // What a spelling is granted more for, it is granted for itself and not for all that count as one.
    let known = await marks.shared("known", [number.plain, Secret(place.host)])
    var tokens: [LibraryID: FailedSignIns.Mark] = [:]
    if !cookie.tokens.isEmpty, let key = await registry.subkey(DeviceCookie.keyLabel),
      let bases = try? await registry.deviceBases(
        of: number.plain, at: cookie.tokens.map(\.library))
    {
      for (library, base) in bases {
        guard let token = cookie.valid(on: [base], at: registry.now(), key) else { continue }
        tokens[library] = await mark(of: token)
      }
    }
    return SignInCounting(
      number: number.plain, client: SignInMarks.short(host),
      host: .init(bytes: host, limit: settings.placeLimit),
      network: .init(bytes: network, limit: settings.networkLimit),
      name: .init(bytes: await marks.shared("name", counted), limit: settings.nameLimit),
      day: .init(bytes: await marks.shared("day", counted), limit: settings.dayLimit),
      knownPlace: .init(bytes: known, limit: settings.knownPlaceLimit), tokens: tokens)
  }
}
