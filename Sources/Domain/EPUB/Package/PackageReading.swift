import Markup
import XML
import Zip

/// Reads a package out of its container.
struct PackageReading {
  let container: Container
  private(set) var document: PackageDocument
  private(set) var faults: Faults

  private static let namespace = "http://www.idpf.org/2007/opf"
  private static let oldNamespace = "http://openebook.org/namespaces/oeb-package/1.0/"

  init(_ container: Container, _ faults: Faults) throws(Refusal) {
    let path = container.renditions[0].path
    (self.container, self.faults, document) = (container, faults, PackageDocument(path: path))
    let root = try root(path)
    readVersion(root)
    document.metadata = Metadata(root, root.first("metadata"), path, &self.faults)
    readManifest(root.first("manifest"))
    readRendition(root)
    if let place = root.elements.firstIndex(where: { $0.kind == "spine" }) {
      document.spineStep = 2 * (place + 1)
    }
    try readSpine(root.first("spine"))
    readGuide(root.first("guide"))
  }

  private mutating func root(_ path: String) throws(Refusal) -> Element {
    let read: BookXML
    do {
      guard let bytes = try container.document(path, upTo: Limits.package, &faults) else {
        throw Refusal(.opfMissing, path)
      }
      read = try BookXML(bytes)
    } catch let error as Refusal {
      throw error
    } catch {
      if let error = error as? ZipError, case .tooLarge = error { throw Refusal(.tooLarge, path) }
      throw Refusal(.opfMalformed, (error as? XMLError).map { "\(path): \($0)" } ?? path)
    }
    let root = read.root
    guard root.kind == "package" else {
      throw Refusal(.opfMalformed, "\(path): no package element")
    }
    if let fault = read.fault {
      // A package that ends too early has lost an end nobody can guess.
      guard root.first("manifest") != nil, root.first("spine") != nil, fault.reason != .truncated
      else { throw Refusal(.opfMalformed, "\(path): \(fault)") }
      faults.note(.opfMended, "\(fault)")
    }
    if root.name.namespace != Self.namespace, root.name.namespace != Self.oldNamespace {
      faults.note(.opfNamespace, root.name.namespace ?? "")
    }
    return root
  }

  private mutating func readVersion(_ root: Element) {
    let version = root.trimmed("version")
    switch version {
    case "2.0", "3.0", "3.1", "3.2", "3.3", "3.4": document.version = version ?? "2.0"
    case nil:
      faults.note(.opfVersionMissing)
      document.version = Self.looksNew(root) ? "3.0" : "2.0"
    case let other?:
      faults.note(.opfVersionUnknown, other)
      document.version = Self.looksNew(root) ? "3.0" : "2.0"
    }
  }

  /// Whether it has what only EPUB 3 has.
  private static func looksNew(_ root: Element) -> Bool {
    let items = root.first("manifest")?.all("item") ?? []
    return items.contains { $0.any("properties")?.tokens.contains("nav") == true }
      || (root.first("metadata")?.all("meta") ?? []).contains { $0.any("property") != nil }
  }

  private mutating func readManifest(_ manifest: Element?) {
    for element in manifest?.all("item") ?? [] {
      guard let id = element.trimmed("id"), let href = element.any("href") else { continue }
      guard document.itemPlaces[id] == nil else {
        faults.note(.manifestDuplicateID, id)
        continue
      }
      document.add(
        ManifestItem(
          id: id, place: place(href), mediaType: MediaType(element.any("media-type") ?? ""),
          properties: Set(element.any("properties")?.tokens ?? []),
          fallback: element.trimmed("fallback"), overlay: element.trimmed("media-overlay")))
    }
  }

  /// Where an item lies, by the name its entry really has.
  private mutating func place(_ href: String) -> Reference.Place {
    let reference = Reference(href, from: document.path)
    if reference.escapes { faults.note(.urlEscapesRoot, href.cleaned()) }
    guard let path = reference.path else { return reference.place }
    if let entry = container.find(path, &faults) { return .inside(entry.name) }
    // Names with a percent sign of their own, never escaped.
    let raw = Reference.joined(href.cleaned(), to: document.path).path
    if raw != path, let entry = container.find(raw, &faults) { return .inside(entry.name) }
    faults.note(.manifestResourceMissing, path)
    return .inside(path)
  }

  private mutating func readRendition(_ root: Element) {
    for meta in root.first("metadata")?.all("meta") ?? [] where meta.any("refines") == nil {
      guard let property = meta.trimmed("property") else { continue }
      document.rendition.take(property, meta.text.cleaned())
    }
    guard document.rendition.layout == nil else { return }
    for name in ["com.apple.ibooks", "com.kobobooks"] {
      let path = "META-INF/\(name).display-options.xml"
      guard let (entry, _) = container.archive.entry(named: path),
        let bytes = try? container.archive.read(entry, upTo: Limits.small),
        let options = try? BookXML(bytes).root
      else { continue }
      if Self.isFixed(options) {
        document.rendition.layout = .prePaginated
        return
      }
    }
  }

  private static func isFixed(_ options: Element) -> Bool {
    let platforms = options.below("platform")
    let chosen =
      ["*", "ipad", "iphone"].lazy.compactMap { name in
        platforms.first { $0.trimmed("name")?.lowercased() == name }
      }.first ?? platforms.first ?? options
    return chosen.below("option").contains { option in
      option.trimmed("name") == "fixed-layout" && option.text.cleaned().lowercased() == "true"
    }
  }

  private mutating func readGuide(_ guide: Element?) {
    for element in guide?.all("reference") ?? [] {
      guard let type = element.trimmed("type"), let href = element.any("href") else { continue }
      document.guide.append(
        GuideReference(
          type: type.lowercased(), title: (element.any("title") ?? "").cleaned(),
          target: Reference(href, from: document.path)))
    }
  }

  // MARK: - The spine

  private mutating func readSpine(_ spine: Element?) throws(Refusal) {
    document.tocID = spine?.trimmed("toc")
    document.declaredProgression = spine?.trimmed("page-progression-direction")
      .flatMap { Progression(rawValue: $0.lowercased()) }
    let references = spine?.all("itemref") ?? []
    guard !references.isEmpty else { throw Refusal(.spineEmpty) }
    var seen: Set<String> = []
    var repeats = 0
    for (ordinal, element) in references.enumerated() {
      let idref = element.trimmed("idref") ?? ""
      guard let item = document.item(idref) else {
        faults.note(.spineIdrefUnresolved, idref)
        continue
      }
      if !seen.insert(idref).inserted {
        faults.note(.spineDuplicateItemref, idref)
        repeats += 1
        // A small file could otherwise hold a page a hundred thousand times.
        if repeats > Limits.spineRepeats { continue }
      }
      document.add(
        SpineItem(
          ordinal: ordinal, id: element.trimmed("id"), item: item, shown: shown(for: item),
          isLinear: element.trimmed("linear")?.lowercased() != "no",
          rendition: Rendition(properties: element.any("properties")?.tokens ?? [])))
    }
    guard document.spine.contains(where: { $0.shown != nil }) else {
      throw Refusal(.spineNothingReadable)
    }
  }

  /// The item or the first of its fallbacks that can be shown.
  private mutating func shown(for item: ManifestItem) -> ManifestItem? {
    guard problem(item) != nil else { return item }
    var next: ManifestItem? = item
    var seen: Set<String> = []
    var reason = Fault.Code.spineForeignNoFallback
    while let candidate = next {
      guard seen.insert(candidate.id).inserted, seen.count <= Limits.fallbacks else {
        faults.note(.fallbackCycle, item.id)
        break
      }
      if let problem = problem(candidate) {
        if candidate.id == item.id { reason = problem }
      } else {
        return candidate
      }
      next = candidate.fallback.flatMap { document.item($0) }
    }
    faults.note(reason, item.path ?? item.id)
    return nil
  }

  private func problem(_ item: ManifestItem) -> Fault.Code? {
    guard let path = item.path else { return .spineRemote }
    guard item.mediaType.isReadable else { return .spineForeignNoFallback }
    guard container.archive.entry(named: path) != nil else { return .spineResourceMissing }
    return nil
  }
}
