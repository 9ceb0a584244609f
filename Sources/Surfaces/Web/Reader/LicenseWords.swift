import LCP
import Phrasebook

extension LicenseRefusal {
  /// For pages. What only a lender can mend is told in the words it has for those who do.
  var words: String {
    switch reason {
    case .notYet: said("The book can be read from \(detail) on.")
    case .ended: said("The licence ended at \(detail).")
    case .endedByStatus: said("The lender says that the licence is \(detail).")
    case .passphraseNeeded: said("The book opens with its reader's passphrase.")
    case .passphraseWrong: said("That passphrase does not open the book.")
    case .profileUnknown:
      said("Open this in an LCP-certified app: its scheme is not one we can open.")
    case .publicationChanged: said("The file of the book is not the one that the licence is for.")
    case .anotherLicense: said("The new licence is for another loan.")
    default: said("The licence of the book is not good: \(sentence)")
    }
  }
}
