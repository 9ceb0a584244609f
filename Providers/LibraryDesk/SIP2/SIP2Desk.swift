import Circulation
import Lines
import ProviderKit
import SIP2
import Secrets

/// The part of a desk that is spoken to in SIP2: proves cards, tells what is out and waited for, places,
/// moves and cancels holds, renews. It can neither search nor list copies.
struct SIP2Desk: Sendable {
  let machine: SIP2Machine
  let desk: Settings
  /// Who knows the copies of a title: holds are asked for by the barcode of one.
  let titles: Titles?

  init(
    _ library: Library, _ settings: Settings, _ session: Session, _ titles: Titles? = nil
  ) throws(SettingsFault) {
    guard let lines = session.lines else {
      throw SettingsFault(library.id, "endpoints.sip2", "cannot be reached from here")
    }
    let profile = try Profile(library)
    machine = SIP2Machine.shared(profile, lines, session, settings.calendar)
    (desk, self.titles) = (settings, titles)
  }

  var dialect: Dialect { machine.profile.dialect }

  /// What this maker's server does not do.
  var missing: Set<Capability> {
    var missing: Set<Capability> = [.suspension]
    if !dialect.holdModes.contains(.add) { missing.formUnion([.holds, .physicalHolds]) }
    return missing
  }

  /// Whether a PIN has to be found right. A family name is compared here, and is nobody's password.
  var passwordRule: SignIn.PasswordRule { desk.rules.proof == .pin ? .required : .none }

  /// What else a reader proved themselves with is nobody's password.
  func holder(_ reader: DeskReader) -> Cardholder {
    Cardholder(card: reader.card, pin: passwordRule == .required ? reader.pin : nil)
  }

  // MARK: - Who it is

  func prove(
    _ slip: Slip, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> DeskReader {
    // An empty PIN is a yes to some servers: it never comes as far as a line.
    guard passwordRule == .none || slip.pin?.isEmpty == false else {
      throw Failures.wrongCard(operation)
    }
    let holder = Cardholder(card: slip.card, pin: passwordRule == .required ? slip.pin : nil)
    let (record, kind) = try await machine.errand(for: holder, operation, in: call) {
      visit throws(SIP2Trouble) in
      try await visit.signIn(passwordRule)
    }.welcome(operation)
    if desk.rules.proof == .familyName { try Self.compare(slip.pin, record.name, operation) }
    return reader(record, kind, slip)
  }

  /// `LE CARRE, JOHN` or `John le Carre`: what stands before the comma, else how the name ends.
  private static func compare(
    _ given: Secret?, _ name: String?, _ operation: Circulation.Operation
  ) throws(CirculationError) {
    guard let given = given?.revealText({ $0.trimmingBlanks.lowercased() }), !given.isEmpty,
      let name = name?.lowercased()
    else { throw Failures.wrongCard(operation) }
    let parts = name.split(separator: ",", maxSplits: 1).map { String($0).trimmingBlanks }
    let isRight =
      parts.count == 2 ? parts[0] == given : name == given || name.hasSuffix(" \(given)")
    guard isRight else { throw Failures.wrongCard(operation) }
  }

  private func reader(_ record: PatronRecord, _ kind: String?, _ slip: Slip) -> DeskReader {
    let card = record.barcode ?? slip.card
    var reader = DeskReader(id: record.permanentID ?? card, card: card)
    reader.pin = slip.pin
    (reader.name, reader.home, reader.kind) = (record.name, record.homeLibrary, kind)
    switch record.expires {
    case .untold: break
    case .on(let day): reader.lastDay = day
    case .over(let day):
      reader.lastDay = day
      reader.blocks.append(AccountBlock(.expired))
    }
    (reader.owed, reader.currency) = (record.fines, record.currency)
    // A limit of nothing is how some write that they have none.
    reader.feeLimit = record.limits.fees.flatMap { $0.tenThousandths > 0 ? $0 : nil }
    reader.loanLimit = record.limits.charged.flatMap { $0 > 0 ? $0 : nil }
    reader.holdLimit = record.limits.holds.flatMap { $0 > 0 ? $0 : nil }
    reader.blocks += Self.blocks(record.flags, dialect.blockingFlags)
    return reader
  }

  /// A lost card blocks whatever flags the library looks at.
  private static func blocks(
    _ flags: Set<PatronFlag>, _ blocking: Set<PatronFlag>
  ) -> [AccountBlock] {
    let counted = flags.intersection(blocking.union([.cardLost]))
    var kinds: [AccountBlock.Kind] = []
    for flag in PatronFlag.allCases where counted.contains(flag) && !kinds.contains(flag.kind) {
      kinds.append(flag.kind)
    }
    // That nothing may be borrowed is told only where nothing says why.
    if kinds.count > 1 { kinds.removeAll { $0 == .noBorrowing } }
    return kinds.map { AccountBlock($0) }
  }
}

extension PatronFlag {
  fileprivate var kind: AccountBlock.Kind {
    switch self {
    case .chargeDenied, .renewalDenied, .recallDenied, .holdDenied: .noBorrowing
    case .cardLost: .cardLost
    case .tooManyCharged: .tooManyLoans
    case .tooManyOverdue: .tooManyOverdue
    case .tooManyRenewals: .tooManyRenewals
    case .tooManyClaimsReturned, .tooManyLost: .tooManyLost
    case .excessiveFines, .excessiveFees: .fines
    case .recallOverdue: .recallOverdue
    case .tooManyBilled: .billed
    }
  }
}

/// Who signed in, with the library's word for what kind of reader it is.
enum Admission: Sendable {
  case welcome(PatronRecord, kind: String?)
  case wrongCredentials
  case passwordNotChecked

  func welcome(_ operation: Circulation.Operation) throws(CirculationError) -> (
    PatronRecord, String?
  ) {
    switch self {
    case .welcome(let record, let kind): return (record, kind)
    case .wrongCredentials: throw Failures.wrongCard(operation)
    case .passwordNotChecked:
      throw Failures.failure(
        .notConfigured(what: "that its SIP2 server checks PINs"), operation)
    }
  }
}

extension Visit {
  /// What the library's side tells of the reader, with the entries of one list. Nothing of the answer
  /// is used where the PIN was not right.
  func signIn(
    _ rule: SignIn.PasswordRule, listing summary: Summary? = nil
  ) async throws(SIP2Trouble) -> Admission {
    let question = reader.lend { card, pin in
      Message.patronInformation(
        card, password: pin, listing: summary, entries: summary.map { _ in 1...200 }, from: sender)
    }
    let answer: Message
    do throws(SIP2Trouble) { answer = try await ask(question) } catch {
      // What its letters cannot write cannot be right, and is told as anything else that is wrong.
      if case .unwritable = error { return .wrongCredentials }
      throw error
    }
    switch SignIn(answer, asking: rule, in: profile.dialect) {
    case .welcome(let record): return .welcome(record, kind: Self.kind(answer))
    case .wrongCredentials:
      foundNobody()
      return .wrongCredentials
    case .passwordNotChecked:
      foundNobody()
      return .passwordNotChecked
    }
  }

  /// Whoever extended the paper had a field of their own for it.
  private static func kind(_ answer: Message) -> String? {
    ["PC", "PT", "ZY", "FU"].lazy.compactMap { FieldCode($0) }.compactMap { answer.text($0) }.first
  }
}
