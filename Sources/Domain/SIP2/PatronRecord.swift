package import Machine

/// What a library's side tells of a patron. It comes even where the password was wrong, so that it is
/// read from an answer only behind `SignIn`, which decides whether anybody may see it.
package struct PatronRecord: Sendable, Hashable {
  /// As the library writes it: a card that was replaced answers with its new number.
  package let barcode: String?
  /// Stays when the card is replaced.
  package let permanentID: String?
  package let name: String?
  package let email: String?
  package let homeLibrary: String?
  package let institution: String?
  package let flags: Set<PatronFlag>
  package let fines: Amount?
  package let currency: String?
  package let limits: Limits
  package let expires: Expiry
  /// Those that are told; a blank count is not.
  package let counts: [Summary: Int]
  /// Of the kind that was asked for: a barcode, a title, or both, by the library.
  package let entries: [Summary: [String]]
  /// For the reader, in the library's own words. They may hold names.
  package let messages: [String]

  package struct Limits: Sendable, Hashable {
    package let holds: Int?
    package let overdue: Int?
    package let charged: Int?
    package let fees: Amount?
  }

  package enum Expiry: Sendable, Hashable {
    case untold
    /// Over, as the library itself says.
    case over(CivilDate?)
    /// At the end of that day.
    case on(CivilDate)
  }

  package init(_ message: Message, in dialect: Dialect = Dialect()) {
    barcode = message.text(.patron)
    permanentID = message.text(.permanentID)
    name = Self.name(message.text(.personalName))
    email = message.text(.email)
    homeLibrary = message.text(.permanentLocation)
    institution = message[.institution]
    flags = PatronFlag.set(in: message[.patronFlags] ?? "")
    fines = message.text(.feeAmount).flatMap { Amount($0) }
    currency = message.text(.currency)
    limits = Limits(
      holds: message.number(.holdLimit), overdue: message.number(.overdueLimit),
      charged: message.number(.chargedLimit),
      fees: message.text(.feeLimit).flatMap { Amount($0) })
    expires = Self.expiry(message, dialect.expiryFields)
    var (counts, entries) = ([Summary: Int](), [Summary: [String]]())
    for kind in Summary.allCases {
      if let part = kind.count { counts[kind] = message.number(part) }
      guard let code = kind.entry else { continue }
      let texts = message.texts(code)
      if !texts.isEmpty { entries[kind] = texts }
    }
    (self.counts, self.entries) = (counts, entries)
    messages = message.texts(.screenMessage)
  }

  /// Some write words of their own where there is no name.
  private static func name(_ text: String?) -> String? {
    guard let text, text.unicodeScalars.contains(where: \.properties.isAlphabetic),
      text != "No Name"
    else { return nil }
    return text
  }

  /// The number in PA is a date only where it looks like one: elsewhere it is a kind of reader.
  private static func expiry(_ message: Message, _ fields: [FieldCode]) -> Expiry {
    var day: CivilDate?
    for code in fields where day == nil && code != .isExpired {
      day = message.text(code).flatMap { Due($0).day }
    }
    if fields.contains(.isExpired), message.flag(.isExpired) == true { return .over(day) }
    return day.map { .on($0) } ?? .untold
  }
}

extension PatronRecord {
  /// Why nothing may be borrowed.
  package enum Block: Sendable, Hashable {
    case cardLost
    case expired(CivilDate?)
    case owes(Amount, limit: Amount)
    case flagged(PatronFlag)
  }

  /// Empty where everything is well. `today` is the day at the library. A lost card stops everything,
  /// whatever flags a library looks at.
  package func blocks(by blocking: Set<PatronFlag>, today: CivilDate) -> [Block] {
    var blocks: [Block] = []
    if flags.contains(.cardLost) { blocks.append(.cardLost) }
    switch expires {
    case .over(let day): blocks.append(.expired(day))
    case .on(let day) where day.daysSinceEpoch < today.daysSinceEpoch:
      blocks.append(.expired(day))
    case .on, .untold: break
    }
    if let fines, let limit = limits.fees, isOverFeeLimit {
      blocks.append(.owes(fines, limit: limit))
    }
    for flag in PatronFlag.allCases
    where flag != .cardLost && blocking.contains(flag) && flags.contains(flag) {
      blocks.append(.flagged(flag))
    }
    return blocks
  }

  /// Where both are told. A limit of nothing is how some write that they have none.
  package var isOverFeeLimit: Bool {
    guard let fines, let limit = limits.fees, limit.tenThousandths > 0 else { return false }
    return fines > limit
  }
}
