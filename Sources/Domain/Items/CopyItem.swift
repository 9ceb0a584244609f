package import JSON

/// One copy on paper, as the library tells it.
package struct CopyItem: Sendable, Hashable {
  package var branch: String?
  package var branchName: String?
  package var place: String?
  package var callNumber: String?
  package var state: String
  package var due: String?

  package init(
    branch: String?, branchName: String?, place: String?, callNumber: String?, state: String,
    due: String?
  ) {
    (self.branch, self.branchName, self.place) = (branch, branchName, place)
    (self.callNumber, self.state, self.due) = (callNumber, state, due)
  }

  package var json: JSONValue {
    [
      "branch": JSONValue(branch), "branch_name": JSONValue(branchName),
      "place": JSONValue(place), "call_number": JSONValue(callNumber), "state": .string(state),
      "due": JSONValue(due),
    ]
  }
}

/// A branch where a copy can be put aside.
package struct BranchItem: Sendable, Hashable {
  package var id: String
  package var name: String
  package var address: String?
  /// How many copies stand on the shelf there now.
  package var onShelf: Int

  package init(id: String, name: String, address: String?, onShelf: Int) {
    (self.id, self.name, self.address, self.onShelf) = (id, name, address, onShelf)
  }

  package var json: JSONValue {
    [
      "id": .string(id), "name": .string(name), "address": JSONValue(address),
      "on_shelf": .integer(onShelf),
    ]
  }
}
