import Catalog
import Circulation
import Desk
import FoundationEssentials
import Items
import Registry

/// What became of a command, as an item: said of the card and the edition that it was about.
extension Offers.Way {
  func receipt(_ result: ReceiptItem.Result) -> ReceiptItem {
    var receipt = ReceiptItem(
      result, title: listed.edition.title, account: account.name,
      item: listed.edition.item.rawValue)
    receipt.opensIn =
      listed.edition.formats.map { format in
        format.isReadableHere ? "Carrel" : format.opener ?? "any program for \(format.content)"
      }.distinct
    return receipt
  }

  func receipt(_ result: ReceiptItem.Result, _ loan: Loan) -> ReceiptItem {
    var receipt = receipt(result)
    receipt.loan = LoanItem(
      KeptLoan(account: account.id, loan: loan, asOf: Date()), of: account, known: entry,
      isStale: false)
    return receipt
  }

  func receipt(_ result: ReceiptItem.Result, _ hold: Hold) -> ReceiptItem {
    var receipt = receipt(result)
    receipt.hold = HoldItem(
      KeptHold(account: account.id, hold: hold, asOf: Date()), of: account, known: entry,
      isStale: false)
    return receipt
  }

  func receipt(
    of outcome: Outcome<Hold>, _ done: ReceiptItem.Result, _ already: ReceiptItem.Result
  ) -> ReceiptItem {
    switch outcome {
    case .done(let hold): receipt(done, hold)
    case .already(let hold): receipt(already, hold)
    case .inDoubt(let error): doubt(error)
    }
  }

  func doubt(_ error: CirculationError) -> ReceiptItem {
    var receipt = receipt(.inDoubt)
    receipt.reason = error.reason.code
    return receipt
  }

  private var entry: CatalogEntry { CatalogEntry(work: WorkID(""), editions: [listed]) }
}
