package import JSON

package struct LoanItem: Sendable, Hashable {
  package var work: String?
  package var title: String
  package var authors: [String] = []
  package var account: String
  package var provider: String
  package var item: String
  package var since: String?
  package var until: String?
  package var state: String
  package var format: String?
  package var isRenewable = false
  package var isReturnable = true
  package var asOf: String?
  /// Whether the library could not be asked since.
  package var isStale = false

  package init(title: String, account: String, provider: String, item: String, state: String) {
    (self.title, self.account, self.provider) = (title, account, provider)
    (self.item, self.state) = (item, state)
  }

  package var json: JSONValue {
    [
      "work": JSONValue(work), "title": .string(title), "authors": .texts(authors),
      "account": .string(account), "provider": .string(provider), "item": .string(item),
      "since": JSONValue(since), "until": JSONValue(until), "state": .string(state),
      "format": JSONValue(format), "renewable": .bool(isRenewable),
      "returnable": .bool(isReturnable),
      "source": .string(account), "as_of": JSONValue(asOf), "stale": .bool(isStale),
    ]
  }
}

package struct HoldItem: Sendable, Hashable {
  package var work: String?
  package var title: String
  package var authors: [String] = []
  package var account: String
  package var provider: String
  package var item: String
  package var since: String?
  /// waiting, ready, suspended or expired.
  package var status: String
  package var position: Int?
  package var total: Int?
  package var until: String?
  package var estimate: EstimateItem?
  package var pickup: String?
  package var asOf: String?
  package var isStale = false

  package init(title: String, account: String, provider: String, item: String, status: String) {
    (self.title, self.account, self.provider) = (title, account, provider)
    (self.item, self.status) = (item, status)
  }

  package var json: JSONValue {
    [
      "work": JSONValue(work), "title": .string(title), "authors": .texts(authors),
      "account": .string(account), "provider": .string(provider), "item": .string(item),
      "since": JSONValue(since), "status": .string(status), "position": .number(position),
      "total": .number(total), "until": JSONValue(until), "estimate": estimate?.json ?? .null,
      "pickup": JSONValue(pickup), "source": .string(account), "as_of": JSONValue(asOf),
      "stale": .bool(isStale),
    ]
  }
}

package struct AccountItem: Sendable, Hashable {
  package var name: String
  package var provider: String
  package var library: String
  /// The library's name for people.
  package var libraryName: String
  /// Masked but for its last four.
  package var card: String?
  package var state: String
  package var loans = Count()
  package var holds = Count()
  package var lastGoodSync: String?
  /// Why the last try failed, in the contract's word.
  package var trouble: String?

  package struct Count: Sendable, Hashable {
    package var used: Int
    package var limit: Int?

    package init(used: Int = 0, limit: Int? = nil) { (self.used, self.limit) = (used, limit) }

    var json: JSONValue { ["used": .integer(used), "limit": .number(limit)] }
  }

  package init(
    name: String, provider: String, library: String, libraryName: String, state: String
  ) {
    (self.name, self.provider, self.library) = (name, provider, library)
    (self.libraryName, self.state) = (libraryName, state)
  }

  package var json: JSONValue {
    [
      "name": .string(name), "provider": .string(provider), "library": .string(library),
      "library_name": .string(libraryName), "card": JSONValue(card), "state": .string(state),
      "loans": loans.json, "holds": holds.json, "last_good_sync": JSONValue(lastGoodSync),
      "trouble": JSONValue(trouble),
    ]
  }
}

/// A kind of service, what it can do and what an account at it needs.
package struct ProviderItem: Sendable, Hashable {
  package var id: String
  package var title: String
  package var capabilities: [Capability]
  /// What an account needs, as a form would label it.
  package var needs: [String]
  /// The same by the names that credentials are given under.
  package var fields: [String] = []
  /// What the settings of a library must or may say.
  package var settings: [String] = []
  /// fields, or page where one signs in at the provider's own.
  package var signIn: String
  package var libraries: [LibraryItem] = []

  package struct Capability: Sendable, Hashable {
    package let word: String
    package let sentence: String

    package init(_ word: String, _ sentence: String) {
      (self.word, self.sentence) = (word, sentence)
    }
  }

  package init(
    id: String, title: String, capabilities: [Capability], needs: [String], signIn: String
  ) {
    (self.id, self.title, self.capabilities) = (id, title, capabilities)
    (self.needs, self.signIn) = (needs, signIn)
  }

  package var json: JSONValue {
    [
      "id": .string(id), "title": .string(title),
      "capabilities": .texts(capabilities.map(\.word)), "needs": .texts(needs),
      "fields": .texts(fields), "settings": .texts(settings),
      "sign_in": .string(signIn), "libraries": .array(libraries.map(\.json)),
    ]
  }
}

/// An institution that is configured.
package struct LibraryItem: Sendable, Hashable {
  package var id: String
  package var name: String

  package init(id: String, name: String) { (self.id, self.name) = (id, name) }

  package var json: JSONValue { ["id": .string(id), "name": .string(name)] }
}

/// An account that was just asked about.
package struct CheckItem: Sendable, Hashable {
  package var account: AccountItem
  /// Nil when all is well.
  package var trouble: ErrorItem?

  package init(_ account: AccountItem, trouble: ErrorItem? = nil) {
    (self.account, self.trouble) = (account, trouble)
  }

  package var json: JSONValue {
    guard case .object(var object) = account.json else { return account.json }
    object["error"] = trouble?.json ?? .null
    return .object(object)
  }
}
