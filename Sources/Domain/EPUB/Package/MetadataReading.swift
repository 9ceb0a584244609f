import Markup

extension Metadata {
  init(_ package: Element, _ metadata: Element?, _ path: String, _ faults: inout Faults) {
    self.init()
    direction = package.trimmed("dir")
    // OEB 1 has its Dublin Core one element deeper.
    let elements = (metadata?.elements ?? []).flatMap { element in
      element.kind.hasSuffix("-metadata") ? element.elements : [element]
    }
    let metas = Metas(elements)
    for element in elements { take(element, metas, path) }
    takeIdentifier(package.trimmed("unique-identifier"), &faults)
    takeCollections(metas)
    takeRest(metas)
    if titles.isEmpty { faults.note(.titleMissing) }
    if languages.isEmpty { faults.note(.languageMissing) }
  }

  private mutating func take(_ element: Element, _ metas: Metas, _ path: String) {
    let name = element.kind.lowercased()
    if name == "link" {
      takeLink(element, path)
      return
    }
    guard name != "meta" else { return }
    let text = element.text.cleaned()
    guard !text.isEmpty else { return }
    let id = element.trimmed("id")
    switch name {
    case "title":
      titles.append(
        Title(
          text: text, type: metas.value("title-type", of: id),
          sequence: metas.value("display-seq", of: id).flatMap { Int($0) },
          fileAs: metas.value("file-as", of: id) ?? element.trimmed("file-as"),
          language: element.attribute(named: "lang", in: Namespaces.xml)))
    case "creator": creators.append(Contributor(text, element, metas))
    case "contributor": contributors.append(Contributor(text, element, metas))
    case "identifier":
      identifiers.append(Identifier(text: text, id: id, scheme: Self.scheme(element, metas)))
    case "language": languages.append(text)
    case "date": dates.append(Moment(text: text, event: element.trimmed("event")?.lowercased()))
    case "publisher": publishers.append(text)
    case "subject":
      subjects.append(
        Subject(
          text: text, authority: metas.value("authority", of: id),
          term: metas.value("term", of: id)))
    case "description": descriptions.append(text)
    case "rights": rights.append(text)
    case "source": sources.append(text)
    default: break
    }
  }

  private mutating func takeLink(_ element: Element, _ path: String) {
    guard let href = element.trimmed("href") else { return }
    links.append(
      Link(
        rel: element.any("rel")?.tokens ?? [], target: Reference(href, from: path),
        mediaType: element.trimmed("media-type").map(MediaType.init)))
  }

  private static func scheme(_ element: Element, _ metas: Metas) -> String? {
    if let scheme = element.trimmed("scheme") { return scheme }
    switch metas.value("identifier-type", of: element.trimmed("id")) {
    case "15": return "ISBN-13"
    case "02": return "ISBN-10"
    case "06": return "DOI"
    case let other: return other
    }
  }

  private mutating func takeIdentifier(_ wanted: String?, _ faults: inout Faults) {
    let named = identifiers.first { $0.id != nil && $0.id == wanted }
    if named == nil { faults.note(.uniqueIdentifierUnresolved, wanted ?? "") }
    uniqueIdentifier = (named ?? identifiers.first)?.text
  }

  private mutating func takeCollections(_ metas: Metas) {
    for meta in metas.all where meta.property == "belongs-to-collection" && !meta.value.isEmpty {
      collections.append(
        Collection(
          name: meta.value, type: metas.value("collection-type", of: meta.id),
          position: metas.value("group-position", of: meta.id), id: meta.id, parent: meta.refines))
    }
    // Calibre writes its own into books of either version.
    guard series == nil, let name = metas.value("calibre:series") else { return }
    collections.append(
      Collection(
        name: name, type: "series", position: metas.value("calibre:series_index"), id: nil,
        parent: nil))
  }

  private mutating func takeRest(_ metas: Metas) {
    modified = metas.value("dcterms:modified") ?? dates.first { $0.event == "modification" }?.text
    for meta in metas.all where meta.refines == nil {
      let property = meta.property
      if property.hasPrefix("schema:access") || property.hasPrefix("a11y:")
        || property == "dcterms:conformsTo"
      {
        accessibility.append(Statement(property: property, value: meta.value))
      }
      if property.lowercased() == "cover", coverName == nil, !meta.value.isEmpty {
        coverName = meta.value
      }
      if property == "media:narrator" { media.narrators.append(meta.value) }
    }
    for meta in metas.all where meta.property == "media:duration" {
      if let item = meta.refines { media.durations[item] = meta.value }
    }
    media.duration = metas.value("media:duration")
    media.activeClass = metas.value("media:active-class")
    media.playbackActiveClass = metas.value("media:playback-active-class")
    if let sortKey = metas.value("calibre:title_sort"), let first = titles.first,
      first.fileAs == nil
    {
      titles[0] = Title(
        text: first.text, type: first.type, sequence: first.sequence, fileAs: sortKey,
        language: first.language)
    }
  }
}

extension Metadata.Contributor {
  fileprivate init(_ name: String, _ element: Element, _ metas: Metas) {
    let id = element.trimmed("id")
    self.name = name
    let refined = metas.values("role", of: id)
    roles = refined.isEmpty ? [element.trimmed("role")].compactMap(\.self) : refined
    fileAs = metas.value("file-as", of: id) ?? element.trimmed("file-as")
    alternates = metas.values("alternate-script", of: id)
  }
}
