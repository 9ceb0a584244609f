import Circulation
import FoundationEssentials
package import Items
import JSON
import ProviderKit
package import Setup

extension LinkedEngine {
  package func decode(_ order: DecodeOrder, at seat: Seat) async throws(ErrorItem) -> DecodedItem {
    guard let listing = allProviders.first(where: { $0.id.rawValue == order.provider.lowercased() })
    else { throw ErrorItem(HouseError.unknownProvider(ProviderID(order.provider))) }
    var operation: Circulation.Operation?
    if let word = order.during {
      guard let known = Circulation.Operation(rawValue: word) else {
        var error = ErrorItem("unknown_kind")
        (error.detail, error.choices) = (word, Circulation.Operation.allCases.map(\.rawValue))
        throw error
      }
      operation = known
    }
    let now = Date()
    let decoded = listing.decode(order.kind, order.status, operation, order.body, now)
    return try DecodedMaking(provider: order.provider.lowercased()).item(decoded, kind: order.kind)
  }
}

/// What an adapter understood, as JSON. Nothing of an account is known here, so the provider's name
/// stands where an account's would.
private struct DecodedMaking {
  let provider: String

  func item(_ decoded: Decoded, kind: String) throws(ErrorItem) -> DecodedItem {
    switch decoded {
    case .editions(let editions, let next, let total):
      return DecodedItem(
        items: editions.map(json),
        members: [
          .init("next", JSONValue(next)), .init("total", total.map(JSONValue.integer) ?? .null),
        ])
    case .edition(let edition): return one(json(edition))
    case .availability(let answers):
      let all = answers.sorted { $0.key < $1.key }.map { item, availability in
        with(item, AvailabilityItem(availability, source: provider).json)
      }
      return all.count == 1 ? one(all[0]) : DecodedItem(items: all)
    case .loans(let loans):
      let all = loans.map(json)
      return kind == "loan" && all.count == 1 ? one(all[0]) : DecodedItem(items: all)
    case .holds(let holds): return DecodedItem(items: holds.map(json))
    case .shelf(let shelf):
      return one([
        "loans": .array(shelf.loans.map(json)), "holds": .array(shelf.holds.map(json)),
      ])
    case .fulfilment(let fulfilment): return one(json(fulfilment))
    case .lists(let lists): return DecodedItem(items: lists.map(\.json))
    case .listed(let entries, let total):
      return DecodedItem(
        items: entries.map(\.json),
        members: [.init("total", total.map(JSONValue.integer) ?? .null)])
    case .friends(let friends):
      return DecodedItem(
        items: friends.map { ["id": .string($0.id), "name": .string($0.name)] })
    case .token(let lifetime, let scope):
      return one([
        "token": "•••", "expires_in": lifetime.map(JSONValue.integer) ?? .null,
        "scope": .array(scope.map(JSONValue.string)),
      ])
    case .account(let standing): return one(json(standing))
    case .failure(let error):
      var object: JSONObject = ["reason": .string(error.reason.code)]
      object["provider_says"] = JSONValue(error.providerSays)
      object["operation"] = .string(error.operation.rawValue)
      if case .providerBusy(let after?) = error.reason {
        object["retry_after_s"] = .integer(Int(after.components.seconds))
      }
      return DecodedItem(items: [], members: [.init("error", .object(object))])
    case .noFailure: return DecodedItem(items: [], members: [.init("error", .null)])
    case .unknownKind(let known):
      var error = ErrorItem("unknown_kind")
      (error.detail, error.choices) = (kind, known)
      throw error
    }
  }

  /// A document about one thing has its keys at the top, too.
  private func one(_ value: JSONValue) -> DecodedItem {
    DecodedItem(items: [value], members: value.object?.members ?? [])
  }

  private func with(_ item: ItemID, _ value: JSONValue) -> JSONValue {
    guard case .object(var object) = value else { return value }
    object["item"] = .string(item.rawValue)
    return .object(object)
  }

  private func json(_ edition: Edition) -> JSONValue {
    [
      "item": .string(edition.item.rawValue), "title": .string(edition.title),
      "subtitle": JSONValue(edition.subtitle), "sort_title": JSONValue(edition.sortTitle),
      "alternative_titles": .array(edition.alternativeTitles.map(JSONValue.string)),
      "authors": .array(edition.authors.map(JSONValue.string)),
      "contributors": .array(
        edition.contributors.map { person in
          [
            "name": .string(person.name), "sort_name": JSONValue(person.sortName),
            "role": .string(person.role.rawValue),
            "born": person.born.map(JSONValue.integer) ?? .null,
            "died": person.died.map(JSONValue.integer) ?? .null,
          ]
        }),
      "series": edition.series.map { SeriesItem(name: $0.name, position: $0.position).json }
        ?? .null,
      "medium": .string(edition.medium.rawValue),
      "languages": .array(edition.languages.map(JSONValue.string)),
      "subjects": .array(edition.subjects.map(JSONValue.string)),
      "audience": JSONValue(edition.audience?.rawValue),
      "summary": JSONValue(edition.summary.map(PlainSummary.text)),
      "publisher": JSONValue(edition.publisher),
      "published": JSONValue(edition.published?.description),
      "isbns": .array(edition.isbns.map { .string("\($0)") }),
      "related_isbns": .array(edition.relatedISBNs.map { .string("\($0)") }),
      "identifiers": .array(
        edition.identifiers.map { ["scheme": .string($0.scheme), "value": .string($0.value)] }),
      "formats": .array(edition.formats.map { FormatItem($0).json }),
      "cover": JSONValue(edition.covers.large ?? edition.covers.small),
      "samples": .array(edition.samples.map(JSONValue.string)),
      "popularity": edition.popularity.map { JSONValue($0) } ?? .null,
      "added": JSONValue(edition.added), "rights": JSONValue(edition.rights),
      "owned": edition.owned.map(JSONValue.bool) ?? .null,
    ]
  }

  private func json(_ loan: Loan) -> JSONValue {
    var item = LoanItem(
      title: loan.title ?? loan.item.rawValue, account: provider, provider: provider,
      item: loan.item.rawValue, state: BookState.notDownloaded.rawValue)
    item.authors = loan.authors
    item.since = loan.since?.rfc3339
    item.until = loan.until?.rfc3339
    item.format = (loan.lockedFormat ?? loan.formats.first)?.content.rawValue
    item.isRenewable = loan.isRenewable
    item.isReturnable = loan.isReturnable
    guard case .object(var object) = item.json else { return item.json }
    object["title"] = JSONValue(loan.title)
    object["formats"] = .array(loan.formats.map { FormatItem($0).json })
    object["locked_format"] = loan.lockedFormat.map { FormatItem($0).json } ?? .null
    return .object(object)
  }

  private func json(_ hold: Hold) -> JSONValue {
    var item = HoldItem(
      title: hold.title ?? hold.item.rawValue, account: provider, provider: provider,
      item: hold.item.rawValue, status: hold.word)
    item.authors = hold.authors
    item.since = hold.since?.rfc3339
    switch hold.status {
    case .waiting(let place, let length): (item.position, item.total) = (place, length)
    case .ready(let end), .suspended(let end): item.until = end?.rfc3339
    case .expired: break
    }
    item.pickup = hold.pickupName ?? hold.pickup?.rawValue
    guard case .object(var object) = item.json else { return item.json }
    object["title"] = JSONValue(hold.title)
    return .object(object)
  }

  private func json(_ fulfilment: Fulfilment) -> JSONValue {
    let kind =
      switch fulfilment {
      case .file: "file"
      case .licence: "licence"
      case .handOff: "hand_off"
      case .manifest: "manifest"
      }
    let link = fulfilment.link
    return [
      "kind": .string(kind), "address": .string(link.address),
      "format": FormatItem(link.format).json, "expires": JSONValue(link.expires?.rfc3339),
      "single_use": .bool(link.singleUse),
      "length": link.length.map(JSONValue.integer) ?? .null,
    ]
  }

  private func json(_ standing: AccountStanding) -> JSONValue {
    [
      "loans": ["limit": standing.loanLimit.map(JSONValue.integer) ?? .null],
      "holds": ["limit": standing.holdLimit.map(JSONValue.integer) ?? .null],
      "expires": JSONValue(standing.expires?.rfc3339),
      "withheld": .array(standing.withheld.map(\.rawValue).sorted().map(JSONValue.string)),
      "lending_periods": .array(
        standing.lendingPeriods.map {
          ["medium": .string($0.medium.rawValue), "seconds": .integer($0.seconds)]
        }),
    ]
  }
}
