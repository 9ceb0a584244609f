import JSON
import MockKit

/// Copies and queues, counted as the consortium or one of its branches sees them.
extension Visit {
  func availability(_ title: Title, in collection: Collection, version: Int) -> JSONValue {
    let lending = collection.library.lending
    let own = "collections/\(collection.token)/products/\(title.id)/availability"
    var object: JSONObject =
      version == 2
      ? ["reserveId": .string(title.id)]
      : ["id": .string(title.id), "crossRefId": .integer(Self.number(of: title.id))]
    object["links"] = ["self": link("/v\(version)/\(own)")]
    let accounts: [JSONValue]
    switch title.copies {
    case .unlimited:
      object["availabilityType"] = "AlwaysAvailable"
      object["available"] = true
      (object["copiesOwned"], object["copiesAvailable"]) = (999_999, 999_999)
      accounts = [["id": -1, "copiesOwned": 999_999, "copiesAvailable": 999_999]]
    case .counted(let owned):
      let free = lending.copiesAvailable(of: title.id)
      object["availabilityType"] = "Normal"
      // Some records send a word for it.
      object["available"] =
        Self.number(of: title.id) % 7 == 0 ? .string(free > 0 ? "true" : "false") : .bool(free > 0)
      (object["copiesOwned"], object["copiesAvailable"]) = (.integer(owned), .integer(free))
      accounts = split(title.id, owned, free, in: collection)
    }
    object["numberOfHolds"] = .integer(lending.holds.count { $0.title == title.id })
    object["isOwnedByCollections"] = true
    object[version == 2 ? "accounts" : "collections"] = .array(accounts)
    return .object(object)
  }

  /// The consortium's stock is account −1; a branch stands beside it with what it has bought.
  private func split(_ id: String, _ owned: Int, _ free: Int, in collection: Collection)
    -> [JSONValue]
  {
    func account(_ number: Int, _ owned: Int, _ free: Int, _ shared: JSONValue?) -> JSONValue {
      var object: JSONObject = [
        "id": .integer(number), "copiesOwned": .integer(owned), "copiesAvailable": .integer(free),
      ]
      object["shared"] = shared
      return .object(object)
    }
    guard let share = collection.share(of: id) else { return [account(-1, owned, free, nil)] }
    let theirs = min(share["owned"]?.integer ?? 0, owned)
    let theirsFree = min(theirs, free)
    let child = account(share["account"]?.integer ?? 0, theirs, theirsFree, share["shared"])
    if share["only"]?.bool == true { return [child] }
    return [account(-1, owned - theirs, free - theirsFree, nil), child]
  }
}
