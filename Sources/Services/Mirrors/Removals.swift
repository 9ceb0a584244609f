package import Circulation
package import Database

extension Mirrors {
  /// What was agreed on with other services. The lists themselves are the reader's like any other.
  package static func removals(of leaver: Leaver) -> [Removal] {
    let accounts: SQL = "account IN (\(leaver.accounts.map(\.rawValue)))"
    return .each(
      "agreements with other services",
      of: [
        "mirror_place", "mirror_list", "mirror_friend", "mirror_book", "mirror_write",
        "mirror_carried",
      ], where: accounts)
      + [
        Removal(
          "agreements with other services", from: "mirror_account",
          where: "patron = \(leaver.patron.rawValue) OR \(accounts)")
      ]
  }
}
