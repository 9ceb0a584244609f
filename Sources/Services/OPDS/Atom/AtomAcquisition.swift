import Circulation
import FoundationEssentials
import HTTP
import Markup
import ProviderKit

extension AtomReading {
  func acquisitions(of entry: Element) -> [Acquisition] {
    let links = entry.all(.atom("link")) + entry.all(.template("tlink"))
    return links.prefix(Limits.links).compactMap { acquisition($0) }
  }

  private func acquisition(_ element: Element) -> Acquisition? {
    guard var link = link(element)?.asFile else { return nil }
    // A file without a word on what it is for is there to be had (§14.4); podcasts call it enclosed.
    let isUnsaid = link.relations.isEmpty || link.relations == [Relation(rawValue: "enclosure")]
    if isUnsaid, link.type?.essence == MediaType.epub.essence { link.relations = [.acquisition] }
    guard link.relations.contains(where: \.isAcquisition) else { return nil }
    var acquisition = Acquisition(link)
    acquisition.indirections = indirections(of: element, depth: 0)
    acquisition.prices = element.all(.opds("price")).prefix(20).compactMap { price in
      price.text.words.map {
        .init($0, currency: (price["currencycode"] ?? price["currency"])?.uppercased())
      }
    }
    acquisition.availability = element.one(.opds("availability")).map(availability)
    acquisition.copies = element.one(.opds("copies")).map {
      .init(total: $0.whole("total"), available: $0.whole("available"))
    }
    acquisition.holds = element.one(.opds("holds")).map {
      .init(total: $0.whole("total"), position: $0.whole("position"))
    }
    acquisition.keys = LoanKeys(
      passphrase: element.words(.lcp("hashed_passphrase")),
      licensor: element.one(.drm("licensor")).flatMap { $0.licensor })
    return acquisition
  }

  private func indirections(of element: Element, depth: Int) -> [Acquisition.Indirection] {
    guard depth < Limits.depth else { return [] }
    return element.all(.opds("indirectAcquisition")).prefix(20).compactMap { inner in
      inner["type"].flatMap { MediaType(parsing: $0) }.map {
        .init($0, indirections(of: inner, depth: depth + 1))
      }
    }
  }

  /// A word that nobody knows is "not now" (§14.6).
  private func availability(_ element: Element) -> Acquisition.Availability {
    let word = (element["status"] ?? element["state"] ?? "").trimmingBlanks.lowercased()
    return Acquisition.Availability(
      .init(rawValue: word) ?? .unavailable, since: element["since"].flatMap(WireDate.instant),
      until: element["until"].flatMap(WireDate.instant))
  }
}

extension Element {
  /// The token stands in the vocabulary of its parent, or without any.
  var licensor: LoanKeys.Licensor? {
    guard let vendor = value(.drm("vendor"), or: "vendor"),
      let token = words(.drm("clientToken")) ?? words(.atom("clientToken"))
    else { return nil }
    return LoanKeys.Licensor(
      vendor: vendor, scheme: value(.drm("scheme"), or: "scheme"), clientToken: token)
  }
}
