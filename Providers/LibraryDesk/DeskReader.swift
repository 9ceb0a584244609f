import Circulation
import FoundationEssentials
import Machine
import SIP2
import Secrets

/// A reader, as the library's system told of them after card and PIN were found right.
struct DeskReader: Sendable {
  /// What the system calls the reader for ever; the card number where it has nothing better.
  let id: String
  /// As the system writes it now.
  var card: String
  /// What has to be said again with every command, where the system wants that.
  var pin: Secret?
  var name: String?
  /// The code of the home library.
  var home: String?
  var kind: String?
  /// The last day on which the card is good.
  var lastDay: CivilDate?
  var born: CivilDate?
  var owed: Amount?
  /// The library's own limit, where its system tells one.
  var feeLimit: Amount?
  var currency: String?
  /// What the system itself says is wrong; dates and money are looked at besides.
  var blocks: [AccountBlock] = []
  var loanLimit: Int?
  var holdLimit: Int?
  /// Whether this is all that the system can tell, and not only that the card is good.
  var isWhole = true

  init(id: String, card: String) { (self.id, self.card) = (id, card) }

  var identity: ReaderIdentity {
    var identity = ReaderIdentity(id: id)
    (identity.card, identity.name, identity.kind) = (card, name, kind)
    identity.home = home.map { BranchID($0) }
    return identity
  }

  /// All that keeps the reader from having anything new.
  func blocks(by settings: Settings, today: CivilDate) -> [AccountBlock] {
    var found = blocks
    if let lastDay, lastDay.daysSinceEpoch < today.daysSinceEpoch {
      found.removeAll { $0.kind == .expired }
      found.insert(AccountBlock(.expired, "The card expired on \(lastDay.text)."), at: 0)
    }
    if let owed, let limit = feeLimit ?? settings.feeLimit, owed > limit {
      found.removeAll { $0.kind == .fines }
      let money = currency ?? settings.currency
      let unit = money.map { " \($0)" } ?? ""
      found.append(
        AccountBlock(.fines, "\(owed)\(unit) are owed; the limit is \(limit)\(unit)."))
    }
    return found + settings.blockRules.compactMap { $0.block(self, today: today) }
  }

  func standing(by settings: Settings, today: CivilDate, withheld: Set<Capability>)
    -> AccountStanding
  {
    var standing = AccountStanding(loanLimit: loanLimit, holdLimit: holdLimit)
    standing.expires = lastDay.map { settings.calendar.end(of: $0) }
    standing.blocks = blocks(by: settings, today: today)
    standing.withheld = withheld
    standing.identity = identity
    return standing
  }
}
