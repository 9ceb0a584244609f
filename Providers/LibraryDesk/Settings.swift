import Circulation
import HTTP
import ProviderKit
import SIP2

/// What a library's desk is made of, checked once.
struct Settings: Sendable {
  /// Who proves card and PIN.
  enum SignIn: String, Sendable, CaseIterable {
    case koha, millennium, kansas, sirsidynix, list, sip2
  }
  enum TitleSource: String, Sendable, CaseIterable { case koha, sru }
  enum HoldSource: String, Sendable, CaseIterable { case koha, sip2 }

  let signIn: SignIn
  let titles: TitleSource?
  let holds: HoldSource?
  let rules: CardRules
  /// Where copies may be fetched, in the library's order and words.
  let branches: [Branch]
  /// What may be owed, where the system itself has no limit.
  let feeLimit: Amount?
  let currency: String?
  let blockRules: [BlockRule]
  let calendar: LibraryCalendar

  init(_ library: Library) throws(SettingsFault) {
    signIn = try Self.word(library, "sign_in") ?? .koha
    titles = try Self.word(library, "titles")
    holds = try Self.word(library, "holds")
    rules = try CardRules(library)
    branches = try Self.branches(library)
    feeLimit = try library.settings["fine_limit"].map { text throws(SettingsFault) in
      guard let amount = Amount(text) else {
        throw SettingsFault(library.id, "fine_limit", "is no sum such as 10.00")
      }
      return amount
    }
    currency = library.settings["currency"]
    blockRules = try BlockRule.rules(library)
    calendar = LibraryCalendar(zone: library.zone)
  }

  var usesKoha: Bool { signIn == .koha || titles == .koha || holds == .koha }
  var usesSIP2: Bool { signIn == .sip2 || holds == .sip2 }

  /// By its name in the settings; the code itself where nobody named it.
  func branch(_ code: String) -> Branch {
    branches.first { $0.id.rawValue == code } ?? Branch(id: BranchID(code), name: code)
  }

  private static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ library: Library, _ key: String
  ) throws(SettingsFault) -> Word? {
    guard let text = library.settings[key] else { return nil }
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw SettingsFault(library.id, key, "is none of \(words)")
    }
    return word
  }

  /// `MTH = Mott Haven; CPL = Central Library, 1 Main Street`: the code in the system, the name,
  /// and behind a comma the address.
  private static func branches(_ library: Library) throws(SettingsFault) -> [Branch] {
    var branches: [Branch] = []
    for entry in (library.settings["branches"] ?? "").words(at: ";") {
      let parts = entry.parts(at: "=")
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw SettingsFault(
          library.id, "branches", "is no list such as 'MTH = Mott Haven; CPL = Central Library'")
      }
      let told = parts[1].split(separator: ",", maxSplits: 1).map { String($0).trimmingBlanks }
      branches.append(
        Branch(
          id: BranchID(parts[0]), name: told.first ?? parts[0],
          address: told.count > 1 ? told[1] : nil))
    }
    guard Set(branches.map(\.id)).count == branches.count else {
      throw SettingsFault(library.id, "branches", "names a branch twice")
    }
    return branches
  }
}
