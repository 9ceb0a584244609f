/// A reader who is to be forgotten here, with the accounts that they had.
package struct Leaver: Sendable, Hashable {
  package let patron: PatronID
  package let accounts: [AccountID]

  package init(_ patron: PatronID, _ accounts: [AccountID]) {
    (self.patron, self.accounts) = (patron, accounts)
  }
}
