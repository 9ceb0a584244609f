package import Catalog
package import Circulation
import Crypto
package import Desk
package import HTTP
package import HTTPServer
import Phrasebook
package import Registry

/// Who asks for a feed.
package enum Visitor: Sendable, Hashable {
  case anonymous
  case reader(Reader)

  /// Somebody who has signed in.
  package struct Reader: Sendable, Hashable {
    package let patron: PatronID
    package let profile: Profile
    /// What the password is made for.
    package let scopes: Set<Device.Scope>

    package init(
      patron: PatronID, profile: Profile = .borrows, scopes: Set<Device.Scope> = .all
    ) {
      (self.patron, self.profile, self.scopes) = (patron, profile, scopes)
    }
  }

  /// What the reader's app can do.
  package enum Profile: String, Sendable, Hashable, CaseIterable {
    /// It follows borrow links.
    case borrows
    /// It opens feeds and downloads files, and nothing else (§9).
    case downloads
  }

  package var reader: Reader? { if case .reader(let reader) = self { reader } else { nil } }

  /// Their own reading lists and those of friends.
  package var seesLists: Bool { reader?.scopes.contains(.lists) == true }
}

/// What sign-in makes of a request.
package enum Admission: Sendable {
  case visitor(Visitor)
  /// Credentials that nobody takes: 401 with the document again, never 403 (§5).
  case unknown
  /// A card that fits more than one library: the document says how to name one.
  case needsLibrary
  /// Known, but turned away: a problem document.
  case refused(Problem)
  /// Wrong too often lately.
  case slowed(seconds: Int)
}

/// What one reader has, as the house knows it now.
package struct ReaderShelf: Sendable, Hashable {
  package let accounts: [Account]
  package let holdings: Holdings
  /// Accounts whose library did not answer when it was asked last.
  package let stale: Set<AccountID>
  /// Works that the reader does not want to see.
  package let hidden: [CatalogItem]
  /// Works that the reader keeps in mind for later.
  package let saved: [CatalogItem]
  /// Genres that the reader likes outright.
  package let liked: [String]
  /// How far what is on loan is downloaded here, in words.
  package let downloads: [CatalogItem: String]
  /// When copies on paper are among the ways to a title.
  package let paper: PaperRule
  /// Another number for an account after every command on it.
  package let turns: [AccountID: Int64]

  package init(
    accounts: [Account], loans: [KeptLoan], holds: [KeptHold], stale: Set<AccountID>,
    hidden: [CatalogItem] = [], saved: [CatalogItem] = [], downloads: [CatalogItem: String] = [:],
    liked: [String] = [], paper: PaperRule = .otherwise, turns: [AccountID: Int64] = [:]
  ) {
    (self.liked, self.paper, self.turns) = (liked, paper, turns)
    (self.accounts, self.stale, self.hidden) = (accounts, stale, hidden)
    (self.saved, self.downloads) = (saved, downloads)
    holdings = Holdings(loans: loans, holds: holds)
  }

  package var loans: [KeptLoan] { holdings.loans }
  package var holds: [KeptHold] { holdings.holds }

  package var libraries: [LibraryID] { accounts.map(\.library).distinct.sorted() }
}

extension ReaderShelf {
  /// With one card only.
  func narrowed(to account: AccountID) -> ReaderShelf {
    ReaderShelf(
      accounts: accounts.filter { $0.id == account }, loans: loans.filter { $0.account == account },
      holds: holds.filter { $0.account == account }, stale: stale, hidden: hidden, saved: saved,
      downloads: downloads, liked: liked, paper: paper, turns: turns)
  }

  /// For the forms of a page: sent twice they ask for one thing, and the page after has another key,
  /// since every command moves a turn and none comes back.
  package var formKey: String {
    let words = turns.map { "\($0.key.rawValue) \($0.value)" }.sorted().joined(separator: "\0")
    return Hex.encode(Array(Digest.sha256.hash(words).prefix(12)))
  }

  package func hides(_ entry: CatalogEntry) -> Bool { Self.holds(hidden, entry) }
  package func saves(_ entry: CatalogEntry) -> Bool { Self.holds(saved, entry) }

  private static func holds(_ marked: [CatalogItem], _ entry: CatalogEntry) -> Bool {
    marked.contains { entry.lists($0.item, at: $0.library) }
  }

  /// Of any of the editions of a work.
  package func download(of entry: CatalogEntry) -> String? {
    entry.editions.lazy.compactMap { listed in
      downloads[CatalogItem(library: listed.library, item: listed.edition.item)]
    }.first
  }
}

extension Request {
  /// Where it comes from, as failed sign-ins are counted.
  package var origin: ClientAddress {
    guard let address = clientAddress else { return .local }
    return ClientAddress(host: "\(address.household)", network: "\(address.network)")
  }
}
