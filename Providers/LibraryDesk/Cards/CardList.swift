import Circulation
import Crypto
import Machine
import ProviderKit
import Secrets

/// Readers of a library without any system: a file with one line for each,
/// `CARD,HASH,NAME,KIND,EXPIRES`. The hash is `scrypt$N$R$P$SALT$KEY` in hexadecimal, or nothing
/// where cards have no PIN.
struct CardList: Sendable {
  private struct Entry: Sendable {
    let hash: Hash?
    let reader: DeskReader
  }

  private struct Hash: Sendable {
    let cost: KeyDerivation.ScryptCost
    let salt: [UInt8]
    let key: [UInt8]

    init?(_ text: String) {
      let parts = text.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 6, parts[0] == "scrypt", let n = UInt64(parts[1]),
        let r = UInt32(parts[2]), let p = UInt32(parts[3]), n <= 1 << 17,
        let cost = try? KeyDerivation.ScryptCost(n: n, r: r, p: p),
        let salt = try? Hex.decode(parts[4]), let key = try? Hex.decode(parts[5]),
        (8...64).contains(salt.count), (16...64).contains(key.count)
      else { return nil }
      (self.cost, self.salt, self.key) = (cost, salt, key)
    }

    func matches(_ pin: Secret) -> Bool {
      guard
        let derived = try? KeyDerivation.scrypt(pin, salt: salt, cost: cost, length: key.count)
      else { return false }
      return derived.matches(Secret(key))
    }
  }

  private let entries: [String: Entry]
  private let needsPIN: Bool

  static let needs: [ProviderListing.Field] = [
    Settings.field("cards", "The list of cards, where the library has no system", isSecret: true)
  ]

  init(_ library: Library, _ settings: Settings) throws(SettingsFault) {
    let text = try library.secret("cards").revealText { $0 }
    var entries: [String: Entry] = [:]
    for (number, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let line = String(raw).trimmingBlanks
      if line.isEmpty || line.hasPrefix("#") { continue }
      let parts = line.parts(at: ",")
      func fault(_ what: String) -> SettingsFault {
        SettingsFault(library.id, "cards_file", "has a line \(number + 1) that \(what)")
      }
      guard (2...5).contains(parts.count), !parts[0].isEmpty else {
        throw fault("is not CARD,HASH,NAME,KIND,EXPIRES")
      }
      let hash = parts[1].isEmpty ? nil : Hash(parts[1])
      guard hash != nil || settings.rules.proof == .none else {
        throw fault("has no hash such as scrypt$16384$8$1$SALT$KEY")
      }
      var reader = DeskReader(id: parts[0], card: parts[0])
      if parts.count > 2, !parts[2].isEmpty { reader.name = parts[2] }
      if parts.count > 3, !parts[3].isEmpty { reader.kind = parts[3] }
      if parts.count > 4, !parts[4].isEmpty {
        guard let day = CivilDate(written: parts[4]) else {
          throw fault("has no day such as 2027-01-31")
        }
        reader.lastDay = day
      }
      guard entries.updateValue(Entry(hash: hash, reader: reader), forKey: parts[0]) == nil else {
        throw fault("names a card for the second time")
      }
    }
    self.entries = entries
    needsPIN = settings.rules.proof != .none
  }

  /// Costs the same for a card that is not in the list, so that nobody learns which are.
  func prove(_ slip: Slip, _ operation: Circulation.Operation)
    throws(CirculationError) -> DeskReader
  {
    let entry = entries[slip.card]
    guard needsPIN else {
      guard let entry else { throw Failures.wrongCard(operation) }
      return entry.reader
    }
    guard let pin = slip.pin,
      let hash = entry?.hash ?? entries.values.lazy.compactMap(\.hash).first,
      hash.matches(pin), let entry
    else { throw Failures.wrongCard(operation) }
    return entry.reader
  }
}
