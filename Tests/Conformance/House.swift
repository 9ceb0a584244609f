package import Circulation
import HTTP
package import MockKit
package import ProviderKit
package import Secrets

/// What binds a provider to the contract: its adapter, the mock that plays its service, and the few
/// words in which the two differ from all others.
package struct House: Sendable {
  package let listing: ProviderListing
  package let dialect: Dialect
  /// The mock's own name of the library that is visited.
  package let mockLibrary: String
  /// What the adapter is told of that library, from what the mock tells of itself under its names.
  package var library: @Sendable (_ told: [String: String]) throws -> Library
  /// What a reader gives when linking an account.
  package var credentials: @Sendable (_ card: String, _ pin: String) -> [String: Secret] = {
    ["card": Secret($0), "pin": Secret($1)]
  }
  /// How the service numbers its titles; always the same for the same number.
  package var titleID: @Sendable (Int) -> String = { number in
    var random = SeededRandom(seed: 0, for: "conformance \(number)")
    return random.guid()
  }
  /// How the adapter spells a title's name, which may be an address below where the mock stands.
  package var item: @Sendable (_ title: String, _ base: String) -> ItemID = { title, _ in
    ItemID(title)
  }
  /// The medium of a book, and its formats where it can be had as a plain file, in the mock's
  /// words.
  package var medium = "ebook"
  package var openFormats: [String]
  /// Whether there are plain files at all: some services hand out licences and nothing else.
  var handsOutFiles: Bool { !openFormats.isEmpty }
  /// How many items one question about availability may name.
  package var batch = 25
  /// What of our own must never be seen, besides what readers bring and what is sent with requests.
  package var secrets: Set<String> = []
  /// Whom the service turns away by itself. One that trusts the gateway knows no PIN and no fines.
  package var turnsAway: Set<Doubt> = [.wrongPIN, .expiredCard, .blockedCard]
  /// Whom it lets in, and lets have nothing new: at a desk a block keeps nobody from their loans.
  package var holdsBack: Set<Doubt> = []
  /// A branch where paper can be fetched.
  package var branch = "1"
  /// What the mock calls the commands that go out as GET.
  package var commandsByGet: Set<String> = []
  /// What the mock calls the command that leaves a line, where it can only be sent after a look at
  /// the shelf: a fault that is to lose its answer must let the look pass.
  package var leavingAfterLook = ""
  /// Where readers keep lists: what two of those are called that anybody may put a book on.
  package var lists = ListNames()
  /// What is answered from the settings, whatever the service does.
  package var answersAlone: Set<Circulation.Operation> = []
  /// Whether lists of holds tell how far a reader has come.
  package var tellsPlaces = true
  /// Who speaks for the library in lines, where its adapter does that.
  package var lines: Dialect?
  /// What this library's service cannot do though the adapter can.
  package var lacking: Set<Capability> = []
  /// How many titles make the harvest turn its pages at least twice.
  package var severalPages = 30

  /// `settings` and `secrets` lead from the adapter's names to the mock's; `endpoints` are called
  /// alike on both sides. What the library has settled for itself, no service tells: `always`.
  package init(
    _ listing: ProviderListing, playedBy dialect: Dialect, mockLibrary: String,
    openFormats: [String], endpoints: [String], settings: [String: String] = [:],
    secrets: [String: String] = [:], always: [String: String] = [:]
  ) {
    (self.listing, self.dialect, self.mockLibrary) = (listing, dialect, mockLibrary)
    self.openFormats = openFormats
    library = { told in
      var addresses: [String: Address] = [:]
      for name in endpoints { addresses[name] = try Address(told[name] ?? "") }
      return Library(
        id: LibraryID("conformance"), provider: listing.id, name: told["name"] ?? "",
        endpoints: addresses,
        settings: settings.compactMapValues { told[$0] }.merging(always) { $1 },
        secrets: secrets.compactMapValues { told[$0].map { Secret($0) } })
    }
  }
}

/// Two lists that stand for all, under the names that adapter and mock know them by.
package struct ListNames: Sendable {
  package var here = ListID("read")
  package var there = ListID("to-read")
  /// How many books make a list turn its pages at least twice.
  package var severalPages = 450

  package init() {}

  package init(here: String, there: String, severalPages: Int) {
    (self.here, self.there) = (ListID(here), ListID(there))
    self.severalPages = severalPages
  }
}

extension House {
  /// What may be wrong with who comes to the desk.
  package enum Doubt: Sendable, Hashable { case wrongPIN, expiredCard, blockedCard }
}

/// Who comes to the desk. Numbers and PINs are such as nothing else in a run can look like.
enum Reader: String, CaseIterable, Sendable {
  case ada, bruno, chinua
  /// Ada's card, and a PIN that is not hers.
  case mistyped
  case expired, blocked

  var card: String {
    switch self {
    case .ada, .mistyped: "23000000000001"
    case .bruno: "23000000000002"
    case .chinua: "23000000000003"
    case .expired: "23000000000004"
    case .blocked: "23000000000005"
    }
  }

  var pin: String {
    switch self {
    case .ada: "70419358"
    case .bruno: "26809173"
    case .chinua: "95137240"
    case .expired: "31675082"
    case .blocked: "84260597"
    case .mistyped: "19283746"
    }
  }

  /// The readers that the mock knows.
  static var known: [Patron] {
    [ada, bruno, chinua, expired, blocked].map { reader in
      var patron = Patron(card: reader.card, pin: reader.pin, name: reader.rawValue)
      if reader == .expired { patron.expires = Moment(milliseconds: 0) }
      if reader == .blocked { patron.block = .fines }
      if reader == .ada { patron.email = "ada@example.org" }
      return patron
    }
  }
}
