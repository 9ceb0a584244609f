package import JSON

/// A world as JSON: what `GET /__admin/state` shows, and what `PUT` changes.
extension WorldState {
  package var json: JSONValue {
    [
      "scenario": .string(scenario), "seed": .string(String(seed)), "clock": clock.json,
      "libraries": .array(libraries.map(\.json)), "faults": .array(faults.faults.map(\.json)),
      "requests": .integer(journal.entries.count),
      "tokens": .array(tokens.handedOut.sorted().map(JSONValue.string)),
    ]
  }

  /// What no journal may show: the PINs and partner secrets of this world, and its tokens.
  package var redaction: Redaction {
    var redaction = Redaction(.journal, tokens: tokens.handedOut)
    for library in libraries {
      for patron in library.cards { redaction.learn(patron.pin) }
      for member in library.settings.members where SecretNames.promise(member.name, in: .journal) {
        if let secret = member.value.string { redaction.learn(secret) }
      }
    }
    return redaction
  }

  /// Adds and changes what is named and leaves everything else as it is. Nothing is changed when
  /// any part of it is wrong.
  package mutating func merge(_ json: JSONValue) throws(AdminRefusal) {
    guard let object = json.object else { throw AdminRefusal("expected an object") }
    for name in object.names where name != "libraries" {
      throw AdminRefusal("cannot set \"\(name)\" here; only libraries can be changed")
    }
    var changed = self
    for entry in object["libraries"]?.array ?? [] {
      guard let id = entry["id"]?.string,
        let index = changed.libraries.firstIndex(where: {
          $0.id == id && (entry["provider"]?.string ?? $0.provider) == $0.provider
        })
      else { throw AdminRefusal("no library \"\(entry["id"]?.string ?? "")\"") }
      try changed.libraries[index].merge(entry, at: now)
    }
    self = changed
  }
}

extension MockLibrary {
  package var json: JSONValue {
    let titles = lending.order.compactMap { lending.titles[$0] }.map { title -> JSONValue in
      var object: JSONObject = [
        "id": .string(title.id), "name": .string(title.name), "medium": .string(title.medium),
        "formats": .array(title.formats.map(JSONValue.string)),
        "available": .integer(lending.copiesAvailable(of: title.id)),
        "waiting": .integer(lending.queue(for: title.id).count),
      ]
      if case .counted(let count) = title.copies { object["copies"] = .integer(count) }
      return .object(object)
    }
    var object: JSONObject = [
      "id": .string(id), "provider": .string(provider), "name": .string(name),
      "settings": .object(settings), "titles": .array(titles),
      "cards": .array(cards.map(\.json)),
      "loans": .array(lending.loans.map(\.json)), "holds": .array(lending.holds.map(\.json)),
    ]
    if !reading.readers.isEmpty { object["readers"] = reading.json }
    return .object(object)
  }

  /// The demonstration cards; the crowd has none that anybody could use.
  package var cards: [Patron] {
    lending.patrons.values.filter { !$0.pin.isEmpty }.sorted { $0.card < $1.card }
  }

  mutating func merge(_ json: JSONValue, at now: Moment) throws(AdminRefusal) {
    for name in json.object?.names ?? [] where !Self.members.contains(name) {
      throw AdminRefusal("unknown member \"\(name)\" of a library")
    }
    for member in json["settings"]?.object?.members ?? [] { settings[member.name] = member.value }
    for card in json["cards"]?.array ?? [] { try mergeCard(card) }
    for title in json["titles"]?.array ?? [] { try mergeTitle(title, at: now) }
    for reader in json["readers"]?.array ?? [] { try reading.merge(reader, at: now) }
    for id in json["withdraw"]?.array ?? [] { lending.withdraw(id.string ?? "") }
    for loan in json["loans"]?.array ?? [] {
      let (title, card) = (loan["title"]?.string ?? "", loan["card"]?.string ?? "")
      do throws(LendingRefusal) {
        _ = try lending.borrow(title, by: card, format: loan["format"]?.string, at: now)
      } catch { throw AdminRefusal("\(card) cannot borrow \(title): \(error)") }
    }
    for hold in json["holds"]?.array ?? [] {
      let (title, card) = (hold["title"]?.string ?? "", hold["card"]?.string ?? "")
      do throws(LendingRefusal) {
        _ = try lending.placeHold(
          on: title, by: card, email: hold["email"]?.string, pickup: hold["pickup"]?.string,
          at: now)
      } catch { throw AdminRefusal("\(card) cannot wait for \(title): \(error)") }
    }
    for deed in json["desk"]?.array ?? [] { try carryOut(deed, at: now) }
  }

  /// What people do at the library itself: `{do: transit|ready|fetch|return|cancel, title, card}`.
  private mutating func carryOut(_ deed: JSONValue, at now: Moment) throws(AdminRefusal) {
    let (title, card) = (deed["title"]?.string ?? "", deed["card"]?.string ?? "")
    let verb = deed["do"]?.string ?? ""
    guard ["transit", "ready", "fetch", "return", "cancel"].contains(verb) else {
      throw AdminRefusal("nobody does \"\(verb)\" at a desk")
    }
    do throws(LendingRefusal) {
      switch verb {
      case "transit": try lending.putAside(title, for: card, arrived: false, at: now)
      case "ready": try lending.putAside(title, for: card, arrived: true, at: now)
      case "fetch": _ = try lending.borrow(title, by: card, at: now)
      case "return": try lending.giveBack(title, by: card, at: now)
      default: try lending.cancelHold(on: title, by: card, at: now)
      }
    } catch {
      throw AdminRefusal("\(card) at the desk with \(title): \(error)")
    }
  }

  private static let members: Set<String> = [
    "id", "provider", "settings", "cards", "titles", "withdraw", "loans", "holds", "readers",
    "desk",
  ]

  private mutating func mergeCard(_ json: JSONValue) throws(AdminRefusal) {
    guard let card = json["card"]?.string else { throw AdminRefusal("a card needs a number") }
    if lending.patrons[card] == nil { lending.add(Patron(card: card, pin: "", name: card)) }
    lending.change(card) { patron in
      if let pin = json["pin"]?.string { patron.pin = pin }
      if let name = json["name"]?.string { patron.name = name }
      if let email = json["email"] { patron.email = email.string }
      if let expires = json["expires"] { patron.expires = expires.string.flatMap { Moment($0) } }
      if let block = json["block"] {
        patron.block = block.string.flatMap { Patron.Block(rawValue: $0) }
      }
      if let owes = json["owes"]?.integer { patron.owes = Int64(owes) }
      if let home = json["home"]?.string { patron.home = home }
      if let limit = json["loanLimit"] { patron.loanLimit = limit.integer }
      if let limit = json["holdLimit"] { patron.holdLimit = limit.integer }
    }
  }

  private mutating func mergeTitle(_ json: JSONValue, at now: Moment) throws(AdminRefusal) {
    guard let id = json["id"]?.string else { throw AdminRefusal("a title needs an id") }
    var title =
      lending.titles[id]
      ?? Title(id: id, name: id, authors: ["Anonymous"], copies: .counted(1), added: now)
    if let name = json["name"]?.string { title.name = name }
    if let authors = json["authors"]?.array { title.authors = authors.compactMap(\.string) }
    if let formats = json["formats"]?.array { title.formats = formats.compactMap(\.string) }
    if let medium = json["medium"]?.string { title.medium = medium }
    title.changed = now
    lending.add(title)
    switch json["copies"] {
    case .string("unlimited")?: lending.setCopies(.unlimited, of: id, at: now)
    case let count?:
      guard let number = count.integer, (0...100_000).contains(number) else {
        throw AdminRefusal("copies must be a number or \"unlimited\"")
      }
      lending.setCopies(.counted(number), of: id, at: now)
    case nil: break
    }
  }
}

extension Patron {
  package var json: JSONValue {
    var object: JSONObject = [
      "card": .string(card), "pin": .string(pin), "name": .string(name),
    ]
    if let block { object["block"] = .string(block.rawValue) }
    if let expires { object["expires"] = .string(expires.text) }
    if let loanLimit { object["loanLimit"] = .integer(loanLimit) }
    if let holdLimit { object["holdLimit"] = .integer(holdLimit) }
    return .object(object)
  }
}

extension Loan {
  var json: JSONValue {
    [
      "title": .string(title), "card": .string(card), "since": .string(since.text),
      "until": .string(until.text), "format": JSONValue(format),
    ]
  }
}

extension Hold {
  var json: JSONValue {
    [
      "title": .string(title), "card": .string(card), "placed": .string(placed.text),
      "readyUntil": JSONValue(readyUntil?.text), "suspended": .bool(suspension != nil),
      "pickup": JSONValue(pickup), "inTransit": .bool(isInTransit),
    ]
  }
}
