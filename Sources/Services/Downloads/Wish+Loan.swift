package import Circulation

extension Wish {
  /// A loan as a file. What is bound to a format is had in no other; of several, one that Carrel opens
  /// comes first, and a page to read at only where there is no file. The edition tells what the loan
  /// itself does not.
  package init(
    _ loan: Loan, on account: AccountID, of library: LibraryID, for patron: PatronID,
    edition: Edition?, isOpenAccess: Bool, as format: Format? = nil
  ) {
    self.init(
      loan.item, on: account, of: library, for: patron,
      title: loan.title ?? edition?.title ?? loan.item.rawValue,
      authors: loan.authors.isEmpty ? edition?.authors ?? [] : loan.authors)
    self.format = format ?? loan.bestFormat(edition)
    self.isOpenAccess = isOpenAccess && loan.until == nil
    until = loan.until?.milliseconds
  }
}

extension Loan {
  /// All that it can be had as.
  package func formats(_ edition: Edition?) -> [Format] {
    formats.isEmpty ? edition?.formats ?? [] : formats
  }

  package func bestFormat(_ edition: Edition?) -> Format? {
    let formats = formats(edition)
    return lockedFormat ?? formats.first(where: \.isReadableHere) ?? formats.first(where: \.isFile)
  }
}
