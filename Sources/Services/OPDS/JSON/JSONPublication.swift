import Circulation
import FoundationEssentials
import HTTP
import JSON
import ProviderKit

extension JSONReading {
  func publication(_ json: JSONValue) -> Publication? {
    guard let metadata = json["metadata"], metadata.object != nil,
      let title = metadata["title"]?.localized
    else { return nil }
    let all = (json["links"]?.several ?? []).prefix(Limits.links)
    let licenses = (json["licenses"]?.several ?? []).prefix(Limits.links).compactMap(license)
    let acquisitions = all.compactMap(acquisition) + self.acquisitions(licenses)
    let links = all.compactMap(link).filter { !$0.relations.contains(where: \.isAcquisition) }
    guard
      let id = metadata["identifier"]?.words ?? links.first(.own)?.href
        ?? acquisitions.first?.link.href
    else { return nil }
    var publication = Publication(id: id, title: title.bounded())
    (publication.acquisitions, publication.links) = (acquisitions, links)
    publication.licenses = licenses
    publication.images = images(json["images"])
    describe(&publication, by: metadata)
    // What Palace tells of the whole publication counts where a link says nothing (§4).
    if let told = metadata["availability"].map(availability) {
      for index in acquisitions.indices where publication.acquisitions[index].availability == nil {
        publication.acquisitions[index].availability = told
      }
    }
    return publication
  }

  private func describe(_ publication: inout Publication, by metadata: JSONValue) {
    publication.subtitle = metadata["subtitle"]?.localized?.bounded()
    publication.sortTitle = metadata["sortAs"]?.localized?.bounded()
    publication.contributors = Array(
      Self.roles.flatMap { people(metadata[$0], role: $0) }.prefix(Limits.people))
    let whole = metadata["belongsTo"] ?? metadata["belongs_to"]
    publication.series = (whole?["series"]?.several ?? []).prefix(20).compactMap(series)
    publication.languages = (metadata["language"]?.several ?? []).prefix(50).compactMap(\.words)
    publication.subjects = (metadata["subject"]?.several ?? []).prefix(Limits.subjects)
      .compactMap(subject)
    publication.summary = metadata["description"]?.localized.map {
      Publication.Summary(unknown: $0).unescaped
    }
    publication.publisher = (metadata["publisher"]?.several ?? []).lazy.compactMap(name).first
    publication.issued = metadata["published"]?.words.flatMap(WireDate.calendar)
    publication.updated = metadata["modified"]?.words.flatMap(WireDate.instant)
    publication.kind = metadata["@type"]?.words
    publication.identifiers = [metadata["identifier"]?.words].compactMap { $0 }
    publication.identifiers += (metadata["altIdentifier"]?.several ?? []).prefix(50).compactMap {
      $0.words ?? $0["value"]?.words
    }
    publication.seconds = metadata["duration"]?.double
    publication.pages = metadata["numberOfPages"]?.whole
  }

  /// In the order in which they are told to a reader.
  private static let roles = [
    "author", "narrator", "translator", "editor", "artist", "illustrator", "letterer", "penciler",
    "colorist", "inker", "contributor",
  ]

  private func people(_ json: JSONValue?, role: String) -> [Publication.Person] {
    (json?.several ?? []).prefix(Limits.people).compactMap { person in
      guard let name = name(person) else { return nil }
      // Of a plain contributor the role is told beside the name.
      let own = (person["role"]?.several ?? []).lazy.compactMap(\.words).first
      return Publication.Person(
        name, sortName: person["sortAs"]?.localized?.bounded(),
        role: role == "contributor" ? own ?? role : role, link: links(person["links"]).first)
    }
  }

  /// A name by itself, or of an object; either in several languages.
  private func name(_ json: JSONValue) -> String? {
    let name = json.words ?? json["name"]?.localized ?? (json["name"] == nil ? json.localized : nil)
    return name?.bounded()
  }

  private func series(_ json: JSONValue) -> Publication.SeriesPlace? {
    name(json).map {
      Publication.SeriesPlace(
        $0, position: json["position"]?.double ?? json["position"]?.words.flatMap { Double($0) },
        link: links(json["links"]).first)
    }
  }

  private func subject(_ json: JSONValue) -> Publication.Subject? {
    let (label, code) = (name(json), json["code"]?.words)
    guard label != nil || code != nil else { return nil }
    return Publication.Subject(scheme: json["scheme"]?.words, code: code, label: label)
  }

  /// Their relations are left out as often as not: the widest is the picture then, and the narrowest
  /// the small one.
  private func images(_ json: JSONValue?) -> [Link] {
    var images = links(json)
    guard !images.contains(where: { $0.relations.contains(where: \.isImage) }) else {
      return images
    }
    let shown = images.indices.filter { images[$0].type?.subtype.hasPrefix("svg") != true }
    guard let first = shown.first else { return images }
    let widths = shown.map { (index: $0, width: images[$0].width ?? 0) }
    let widest = widths.max { $0.width < $1.width }?.index ?? first
    images[widest].relations.append(.image)
    if let narrowest = widths.min(by: { $0.width < $1.width })?.index, narrowest != widest {
      images[narrowest].relations.append(.thumbnail)
    }
    return images
  }

  // MARK: - How it is got

  private func acquisition(_ json: JSONValue) -> Acquisition? {
    guard let link = link(json)?.asFile, link.relations.contains(where: \.isAcquisition) else {
      return nil
    }
    let properties = json["properties"]
    var acquisition = Acquisition(link)
    acquisition.indirections = indirections(properties?["indirectAcquisition"], depth: 0)
    acquisition.prices = (properties?["price"]?.several ?? []).prefix(20).compactMap { price in
      let amount = price["value"]?.words ?? price["value"]?.double.map { "\($0)" }
      return amount.map { .init($0, currency: price["currency"]?.words?.uppercased()) }
    }
    acquisition.availability = properties?["availability"].flatMap {
      $0.object == nil ? nil : availability($0)
    }
    acquisition.copies = properties?["copies"].map {
      .init(total: $0["total"]?.whole, available: $0["available"]?.whole)
    }
    acquisition.holds = properties?["holds"].map {
      .init(total: $0["total"]?.whole, position: $0["position"]?.whole)
    }
    acquisition.keys = LoanKeys(
      passphrase: properties?["lcp_hashed_passphrase"]?.words,
      licensor: licensor(properties?["licensor"]))
    acquisition.isCancellable =
      (properties?["cancellable"] ?? properties?["actions"]?["cancellable"])?.flag ?? false
    return acquisition
  }

  private func licensor(_ json: JSONValue?) -> LoanKeys.Licensor? {
    guard let vendor = json?["vendor"]?.words, let token = json?["clientToken"]?.words else {
      return nil
    }
    return LoanKeys.Licensor(
      vendor: vendor, scheme: json?["scheme"]?.words, clientToken: token)
  }

  private func indirections(_ json: JSONValue?, depth: Int) -> [Acquisition.Indirection] {
    guard depth < Limits.depth else { return [] }
    return (json?.several ?? []).prefix(20).compactMap { inner in
      inner["type"]?.words.flatMap { MediaType(parsing: $0) }.map {
        .init($0, indirections(inner["child"], depth: depth + 1))
      }
    }
  }

  private func availability(_ json: JSONValue) -> Acquisition.Availability {
    let word = (json["state"]?.words ?? json["status"]?.words ?? "").lowercased()
    return Acquisition.Availability(
      .init(rawValue: word) ?? .unavailable,
      since: json["since"]?.words.flatMap(WireDate.instant),
      until: json["until"]?.words.flatMap(WireDate.instant))
  }
}

extension Publication.Summary {
  fileprivate var unescaped: Publication.Summary {
    form == .plain && text.contains("&lt;") ? Publication.Summary(html: text) : self
  }
}
