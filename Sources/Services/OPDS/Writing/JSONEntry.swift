import Circulation
import FoundationEssentials
import HTTP
import JSON
import Markup
import ProviderKit

extension JSONWriting {
  static func publication(_ publication: Publication) -> JSONValue {
    var object = JSONObject()
    object["metadata"] = .object(metadata(of: publication))
    object["links"] = .array(
      publication.links.map(link) + publication.acquisitions.map(acquisition))
    object.add("images", publication.images.map(link))
    return .object(object)
  }

  private static func metadata(of publication: Publication) -> JSONObject {
    var object = JSONObject()
    object.add("@type", publication.kind)
    object.add("title", publication.title)
    object.add("sortAs", publication.sortTitle)
    object.add("subtitle", publication.subtitle)
    object.add("identifier", publication.id)
    object.add("altIdentifier", publication.identifiers.map { .string($0) })
    for (key, people) in people(publication) { object.add(key, people) }
    object.add("publisher", publication.publisher)
    object.add("language", publication.languages.map { .string($0) })
    object.add("published", publication.issued?.description)
    object.add("modified", publication.updated.map(WireDate.written))
    object.add("description", publication.summary?.text)
    object.add("subject", publication.subjects.compactMap(subject))
    let series = publication.series.map { place -> JSONValue in
      var one = JSONObject()
      one.add("name", place.name)
      one["position"] = place.position.map { number in
        Int(exactly: number).map { .integer($0) } ?? JSONValue(number)
      }
      return .object(one)
    }
    if !series.isEmpty {
      object["belongsTo"] = ["series": series.count == 1 ? series[0] : .array(series)]
    }
    object["numberOfPages"] = publication.pages.map { .integer($0) }
    object["duration"] = publication.seconds.map { JSONValue($0) }
    return object
  }

  /// By the key that names what they did; whoever has none is a contributor with a role.
  private static func people(_ publication: Publication) -> [(String, [JSONValue])] {
    var keys: [String] = []
    var people: [String: [JSONValue]] = [:]
    for person in publication.contributors {
      let role = Roles.role(person.role)
      let key = ownKeys.contains(role) ? role.rawValue : "contributor"
      var one = JSONObject()
      one.add("name", person.name)
      one.add("sortAs", person.sortName)
      if key == "contributor", role != .contributor { one.add("role", Roles.code(role)) }
      if people[key] == nil { keys.append(key) }
      people[key, default: []].append(.object(one))
    }
    return keys.map { ($0, people[$0] ?? []) }
  }

  private static let ownKeys: Set<Contributor.Role> = [
    .author, .translator, .editor, .artist, .illustrator, .narrator,
  ]

  private static func subject(_ subject: Publication.Subject) -> JSONValue? {
    guard let name = subject.words else { return nil }
    var object = JSONObject()
    object.add("name", name)
    object.add("code", subject.code)
    object.add("scheme", subject.scheme)
    return .object(object)
  }

  // MARK: - Links

  static func link(_ link: Link) -> JSONValue { .object(object(link, JSONObject())) }

  private static func acquisition(_ way: Acquisition) -> JSONValue {
    var properties = JSONObject()
    if let price = way.prices.first {
      var one = JSONObject()
      one.add("currency", price.currency)
      one["value"] = Double(price.amount).map { JSONValue($0) }
      properties["price"] = .object(one)
    }
    properties.add("indirectAcquisition", way.indirections.map(indirection))
    if let availability = way.availability {
      var one = JSONObject()
      one.add("state", availability.state.rawValue)
      one.add("since", availability.since.map(WireDate.written))
      one.add("until", availability.until.map(WireDate.written))
      properties["availability"] = .object(one)
    }
    if let copies = way.copies {
      properties["copies"] = [
        "total": .integer(copies.total ?? copies.available ?? 0),
        "available": .integer(copies.available ?? 0),
      ]
    }
    if let holds = way.holds {
      var one = JSONObject()
      one["total"] = holds.total.map { .integer($0) }
      one["position"] = holds.position.map { .integer($0) }
      if !one.isEmpty { properties["holds"] = .object(one) }
    }
    properties.add("lcp_hashed_passphrase", way.keys?.passphrase)
    if let licensor = way.keys?.licensor {
      var one = JSONObject()
      one.add("vendor", licensor.vendor)
      one.add("scheme", licensor.scheme)
      one.add("clientToken", licensor.clientToken)
      properties["licensor"] = .object(one)
    }
    if way.isCancellable { properties["cancellable"] = true }
    return .object(object(way.link, properties))
  }

  private static func indirection(_ step: Acquisition.Indirection) -> JSONValue {
    var object = JSONObject()
    object.add("type", step.type.compact)
    object.add("child", step.children.map(indirection))
    return .object(object)
  }

  private static func object(_ link: Link, _ more: JSONObject) -> JSONObject {
    var (object, properties) = (JSONObject(), more)
    let relations = link.relations.map { JSONValue.string($0.rawValue) }
    if let only = relations.first {
      object["rel"] = relations.count == 1 ? only : .array(relations)
    }
    object.add("href", link.href)
    object.add("type", link.type?.compact)
    object.add("title", link.title)
    if link.isTemplated { object["templated"] = true }
    object["width"] = link.width.map { .integer($0) }
    object["height"] = link.height.map { .integer($0) }
    properties["numberOfItems"] = link.count.map { .integer($0) }
    if let address = link.authenticate {
      properties["authenticate"] = [
        "href": .string(address), "type": .string(FeedVersion.authentication.compact),
      ]
    }
    if !properties.isEmpty { object["properties"] = .object(properties) }
    return object
  }
}

extension JSONObject {
  /// No nulls, no empty texts, no empty lists (§4).
  mutating func add(_ name: String, _ text: String?) {
    if let text, !text.isEmpty { self[name] = .string(text.composed) }
  }

  mutating func add(_ name: String, _ elements: [JSONValue]) {
    if !elements.isEmpty { self[name] = .array(elements) }
  }
}
