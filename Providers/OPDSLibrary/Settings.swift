import Circulation
import Crypto
import HTTP
import OPDS
import ProviderKit
import Secrets

/// What this adapter needs to know of a catalogue and of a reader, checked once.
struct Settings: Sendable {
  /// Where the catalogue starts.
  let catalog: Address
  let reader: Reader?
  /// Whether the catalogue is a distributor's that knows the library only, which lends to its readers.
  let isDistributor: Bool
  /// How many feeds are read in one harvest: any patron can name a catalog that never ends.
  let mostFeeds: Int

  private static let mostFeedsOfPatrons = 2_000

  struct Reader: Sendable {
    let name: Secret
    let password: Secret

    /// As Basic has it (RFC 7617).
    var basic: String {
      name.revealText { name in
        password.revealText { "Basic " + Base64.standard.encode(Array("\(name):\($0)".utf8)) }
      }
    }

    /// Names both together without being either.
    var digest: [UInt8] { Digest.sha256.hash(basic) }
  }

  init(_ library: Library, _ credentials: Credentials?) throws(SettingsFault) {
    catalog = try library.endpoint("catalog")
    mostFeeds = library.id.isAddress ? Self.mostFeedsOfPatrons : .max
    if let name = library.settings["distributor_user"] {
      guard let password = library.secrets["distributor_password"] else {
        throw SettingsFault(library.id, "distributor_password_file", "is not set")
      }
      (reader, isDistributor) = (Reader(name: Secret(name), password: password), true)
    } else {
      (reader, isDistributor) = (credentials.flatMap(Reader.init), false)
    }
  }

  /// For what was recorded by whomever.
  init(catalog: Address) {
    (self.catalog, reader, isDistributor, mostFeeds) = (catalog, nil, false, .max)
  }

  static let needs = LibraryNeeds(
    settings: [
      .init(
        "distributor_user",
        "The library's name at its distributor, where it lends rights of its own",
        isSecret: false, isRequired: false),
      .init(
        "distributor_password", "The library's password at its distributor", isSecret: true,
        isRequired: false),
    ], addressEndpoint: "catalog")

  // MARK: - Names of items

  func item(of publication: Publication) -> ItemID {
    guard let address = publication.document?.address else {
      return ItemID(Self.nameMark + publication.id)
    }
    return item(at: address)
  }

  /// Relative to where the catalogue starts, so that a catalogue may move without a loss.
  private func item(at address: Address) -> ItemID {
    guard address.origin == catalog.origin else { return ItemID(address.text) }
    let (home, target) = (catalog.path, address.target)
    let folder = home.prefix(through: home.lastIndex(of: "/") ?? home.startIndex)
    let rest = target.dropFirst(folder.count)
    // A colon in its first part would make it look like an address of its own.
    guard folder != "/", target.hasPrefix(folder), !rest.isEmpty,
      !rest.prefix(while: { $0 != "/" && $0 != "?" }).contains(":")
    else { return ItemID(target) }
    return ItemID(String(rest))
  }

  /// Nil for one that is a name and no address, because nothing tells more of it than the lists do.
  func address(of item: ItemID) -> Address? {
    guard !item.rawValue.hasPrefix(Self.nameMark) else { return nil }
    return try? catalog.resolving(item.rawValue)
  }

  /// Stands before the names of entries that have no document of their own.
  static let nameMark = "id:"
}

extension Settings.Reader {
  /// Nil where nothing was given: a catalogue that is open to all.
  init?(_ given: Credentials) {
    guard let name = given["card"], !name.isEmpty else { return nil }
    self.name = name
    password = given["pin"] ?? Secret("")
  }
}
