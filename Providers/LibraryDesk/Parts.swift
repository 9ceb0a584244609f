import Circulation
import Machine
import ProviderKit

/// The parts that a library's desk is put together from. One value for each job; a new system is a
/// case where it can do the job, and a line in each function of it.
struct Parts: Sendable {
  let cards: CardCheck
  let titles: Titles?
  let pickups: PickupPlaces?
  let keeping: HoldKeeping?

  init(_ library: Library, _ settings: Settings, _ session: Session) throws(SettingsFault) {
    let koha = try settings.usesKoha ? Koha(library, settings, session) : nil
    titles = try Titles(library, settings, session, koha)
    let sip2 = try settings.usesSIP2 ? SIP2Desk(library, settings, session, titles) : nil
    cards = try CardCheck(library, settings, session, koha, sip2)
    keeping = try HoldKeeping(library, settings, session, koha, sip2)
    pickups = PickupPlaces(settings, koha)
  }

  /// What this library's desk cannot do though the adapter can.
  var missing: Set<Capability> {
    var missing: Set<Capability> = []
    if titles == nil { missing.formUnion([.search, .lookUp, .availability]) }
    if let keeping {
      missing.formUnion(keeping.missing)
    } else {
      missing.formUnion([.shelf, .renewal, .holds, .suspension, .physicalHolds])
    }
    return missing
  }
}

/// Who proves that a card and a PIN belong together.
enum CardCheck: Sendable {
  case koha(Koha)
  case sip2(SIP2Desk)
  case millennium(Millennium)
  case kansas(Kansas)
  case sirsiDynix(SirsiDynix)
  case list(CardList)

  init(
    _ library: Library, _ settings: Settings, _ session: Session, _ koha: Koha?,
    _ sip2: SIP2Desk?
  ) throws(SettingsFault) {
    switch (settings.signIn, koha, sip2) {
    case (.koha, let koha?, _): self = .koha(koha)
    case (.millennium, _, _): self = .millennium(try Millennium(library, settings, session))
    case (.kansas, _, _): self = .kansas(try Kansas(library, session))
    case (.sirsidynix, _, _): self = .sirsiDynix(try SirsiDynix(library, session))
    case (.list, _, _): self = .list(try CardList(library, settings))
    case (.sip2, _, let sip2?): self = .sip2(sip2)
    default: throw SettingsFault(library.id, "sign_in", "names a system that is not known")
    }
  }

  /// The reader behind a card, proved. A wrong card and a wrong PIN are one and the same answer.
  func prove(
    _ slip: Slip, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> DeskReader {
    switch self {
    case .koha(let koha): try await koha.prove(slip, operation, in: call)
    case .sip2(let sip2): try await sip2.prove(slip, operation, in: call)
    case .millennium(let millennium): try await millennium.prove(slip, operation, in: call)
    case .kansas(let kansas): try await kansas.prove(slip, operation, in: call)
    case .sirsiDynix(let services): try await services.prove(slip, operation, in: call)
    case .list(let list): try list.prove(slip, operation)
    }
  }
}

/// Who finds titles, and tells of their copies.
enum Titles: Sendable {
  case koha(Koha)
  case sru(SRU)

  /// Nil where the library has nobody for it.
  init?(
    _ library: Library, _ settings: Settings, _ session: Session, _ koha: Koha?
  ) throws(SettingsFault) {
    switch (settings.titles, koha) {
    case (.koha?, let koha?): self = .koha(koha)
    case (.sru?, _): self = .sru(try SRU(library, settings, session))
    default: return nil
    }
  }

  func find(_ books: [BookNumbers], in call: Call)
    async throws(CirculationError) -> [FoundEdition]
  {
    switch self {
    case .koha(let koha): try await koha.find(books, in: call)
    case .sru(let catalogue): try await catalogue.find(books, in: call)
    }
  }

  /// What is on paper and bears all of the words, in its title or its author's name.
  func search(_ words: DeskWords, in call: Call)
    async throws(CirculationError) -> [FoundEdition]
  {
    switch self {
    case .koha(let koha): try await koha.search(words, in: call)
    case .sru(let catalogue): try await catalogue.search(words, in: call)
    }
  }

  /// Of at least one, each once; all are answered.
  func availability(of items: [ItemID], in call: Call)
    async throws(CirculationError) -> [ItemID: Availability]
  {
    switch self {
    case .koha(let koha): try await koha.availability(of: items, in: call)
    case .sru(let catalogue): try await catalogue.availability(of: items, in: call)
    }
  }

  func copies(of item: ItemID, in call: Call) async throws(CirculationError) -> [Copy] {
    switch self {
    case .koha(let koha): try await koha.copies(of: item, in: call)
    case .sru(let catalogue): try await catalogue.copies(of: item, in: call)
    }
  }
}

/// Who names the places where a copy may be put aside.
enum PickupPlaces: Sendable {
  /// From the settings, in their order.
  case listed([Branch])
  case koha(Koha)

  init?(_ settings: Settings, _ koha: Koha?) {
    if !settings.branches.isEmpty, settings.holds != .koha {
      self = .listed(settings.branches)
    } else if let koha {
      self = .koha(koha)
    } else {
      return nil
    }
  }

  func branches(in call: Call) async throws(CirculationError) -> [Branch] {
    switch self {
    case .listed(let branches): branches
    case .koha(let koha): try await koha.pickups(in: call)
    }
  }

  /// For this title; and for this reader, where one is known.
  func branches(
    for item: ItemID, _ reader: DeskReader?, in call: Call
  ) async throws(CirculationError) -> [Branch] {
    switch self {
    case .listed(let branches): branches
    case .koha(let koha): try await koha.pickups(for: item, reader, .copies, in: call)
    }
  }
}

/// Who keeps holds and loans.
enum HoldKeeping: Sendable {
  case koha(Koha)
  case sip2(SIP2Desk)

  init?(
    _ library: Library, _ settings: Settings, _ session: Session, _ koha: Koha?,
    _ sip2: SIP2Desk?
  ) throws(SettingsFault) {
    switch (settings.holds, koha, sip2) {
    case (.koha?, let koha?, _): self = .koha(koha)
    case (.sip2?, _, let sip2?): self = .sip2(sip2)
    default: return nil
    }
  }

  /// What this system cannot do.
  var missing: Set<Capability> {
    switch self {
    case .koha: []
    case .sip2(let sip2): sip2.missing
    }
  }

  /// The same, with what only its own description tells.
  func missing(in call: Call) async -> Set<Capability> {
    switch self {
    case .koha(let koha): await koha.features(.checkAccount, in: call).missing
    case .sip2: []
    }
  }

  func shelf(of reader: DeskReader, in call: Call) async throws(CirculationError) -> Shelf {
    switch self {
    case .koha(let koha): try await koha.shelf(of: reader, in: call)
    case .sip2(let sip2): try await sip2.shelf(of: reader, in: call)
    }
  }

  /// The shelf is looked at first: of a hold that is there no second is asked for.
  func place(
    _ item: ItemID, for reader: DeskReader, at branch: BranchID?, in call: Call
  ) async throws(CirculationError) -> Hold {
    switch self {
    case .koha(let koha): try await koha.place(item, for: reader, at: branch, in: call)
    case .sip2(let sip2): try await sip2.place(item, for: reader, at: branch, in: call)
    }
  }

  func cancel(
    _ item: ItemID, of reader: DeskReader, in call: Call
  ) async throws(CirculationError) {
    switch self {
    case .koha(let koha): try await koha.cancel(item, of: reader, in: call)
    case .sip2(let sip2): try await sip2.cancel(item, of: reader, in: call)
    }
  }

  /// Until a day, that day included; for good where none is named.
  func suspend(
    _ item: ItemID, of reader: DeskReader, until day: CivilDate?, in call: Call
  ) async throws(CirculationError) -> Hold {
    switch self {
    case .koha(let koha): try await koha.suspend(item, of: reader, until: day, in: call)
    case .sip2: throw Failures.failure(.unsupported(.suspension), .suspendHold)
    }
  }

  func resume(
    _ item: ItemID, of reader: DeskReader, in call: Call
  ) async throws(CirculationError) -> Hold {
    switch self {
    case .koha(let koha): try await koha.resume(item, of: reader, in: call)
    case .sip2: throw Failures.failure(.unsupported(.suspension), .resumeHold)
    }
  }

  func renew(
    _ item: ItemID, of reader: DeskReader, in call: Call
  ) async throws(CirculationError) -> Loan {
    switch self {
    case .koha(let koha): try await koha.renew(item, of: reader, in: call)
    case .sip2(let sip2): try await sip2.renew(item, of: reader, in: call)
    }
  }
}
