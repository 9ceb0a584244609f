import Circulation
import HTTP
import Items
import ProviderKit
import Registry

extension House {
  /// Pages for a book at those of these accounts whose libraries can only be looked at.
  func outlooks(_ accounts: [Account], on face: Edition) -> [OutlookItem] {
    let book = BookNumbers(isbns: face.isbns, title: face.title, authors: face.authors)
    return accounts.compactMap { account in
      guard let outlook = allProviders.first(where: { $0.id == account.provider })?.outlook,
        let library = try? counter.library(account.library),
        let page = (try? outlook(library, book)) ?? nil
      else { return nil }
      return OutlookItem(account: account.name, library: library.name, address: page.text)
    }
  }
}
