/// The members of an object, in the order they were written. Most objects are small and searched
/// from the front; a large one carries an index, so that ten thousand names sent by a stranger do
/// not cost ten thousand squared.
package struct JSONObject: Sendable, ExpressibleByDictionaryLiteral {
  package struct Member: Sendable, Hashable {
    package let name: String
    package var value: JSONValue

    package init(_ name: String, _ value: JSONValue) { (self.name, self.value) = (name, value) }
  }

  static let indexedFrom = 17

  package private(set) var members: [Member]
  private var index: [String: Int]?

  /// Of members with the same name the last one counts.
  package init(_ members: [Member] = []) {
    self.members = []
    self.members.reserveCapacity(members.count)
    for member in members { self[member.name] = member.value }
  }

  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.map { Member($0.0, $0.1) })
  }

  /// For the parser, which has already seen to it that no name comes twice.
  init(distinct members: [Member], index: [String: Int]?) {
    (self.members, self.index) = (members, index)
  }

  package var count: Int { members.count }
  package var isEmpty: Bool { members.isEmpty }
  package var names: [String] { members.map(\.name) }

  /// Setting `nil` takes the member out: an absent key is left out, an unknown one is `.null`.
  package subscript(_ name: String) -> JSONValue? {
    get { position(of: name).map { members[$0].value } }
    set {
      switch (position(of: name), newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil):
        members.remove(at: place)
        index = members.count < Self.indexedFrom ? nil : Self.index(of: members)
      case (nil, let value?): append(Member(name, value))
      case (nil, nil): break
      }
    }
  }

  static func index(of members: [Member]) -> [String: Int] {
    var index = [String: Int](minimumCapacity: members.count)
    for (place, member) in members.enumerated() { index[member.name] = place }
    return index
  }

  private mutating func append(_ member: Member) {
    members.append(member)
    if index != nil {
      index?[member.name] = members.count - 1
    } else if members.count >= Self.indexedFrom {
      index = Self.index(of: members)
    }
  }

  private func position(of name: String) -> Int? {
    if let index { return index[name] }
    for place in members.indices where members[place].name == name { return place }
    return nil
  }
}

/// Objects are equal when they say the same, in whatever order.
extension JSONObject: Hashable {
  package static func == (one: JSONObject, other: JSONObject) -> Bool {
    one.count == other.count && one.members.allSatisfy { other[$0.name] == $0.value }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    hasher.combine(members.reduce(0) { $0 ^ $1.hashValue })
  }
}
