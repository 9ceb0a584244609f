import JSON
import MockKit

/// The shelves behind one collection token: the consortium's, or an Advantage account's on top.
struct Collection {
  let token: String
  let library: MockLibrary
  /// The Advantage account whose token was used.
  let account: Int?

  init(_ token: String, _ state: WorldState) throws(Failure) {
    for library in state.libraries where library.provider == OverDriveDialect.name {
      if library.settings["collection_token"]?.string == token {
        (self.token, self.library, account) = (token, library, nil)
        return
      }
      for child in library.settings["advantage"]?.array ?? []
      where child["collectionToken"]?.string == token {
        (self.token, self.library, account) = (token, library, child["id"]?.integer)
        return
      }
    }
    throw Failure.notFound
  }

  func share(of id: String) -> JSONValue? { library.settings["shares"]?[id] }

  /// What one branch has bought for itself is not the consortium's.
  func owns(_ id: String) -> Bool {
    guard library.lending.titles[id] != nil else { return false }
    guard let share = share(of: id), share["only"]?.bool == true else { return true }
    return account != nil && share["account"]?.integer == account
  }

  func title(_ id: String) throws(Failure) -> Title {
    let id = try Visit.guid(id)
    guard owns(id), let title = library.lending.titles[id] else { throw .notFound }
    return title
  }

  var titles: [Title] {
    library.lending.order.filter(owns).compactMap { library.lending.titles[$0] }
  }
}
