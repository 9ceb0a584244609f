import XML
import Zip

/// Finds a way into the book, whatever is left of the ways it should have. There is always one.
struct NavigationFinding {
  let container: Container
  let document: PackageDocument
  private(set) var navigation = Navigation()
  private(set) var faults: Faults

  init(_ container: Container, _ document: PackageDocument, _ faults: Faults) {
    (self.container, self.document, self.faults) = (container, document, faults)
    readNav()
    if navigation.contents.isEmpty { readNCX() }
    if navigation.contents.isEmpty {
      self.faults.note(.tocMissing)
      makeUp()
    }
    checkTargets()
  }

  private mutating func readNav() {
    guard let item = document.manifest.first(where: { $0.properties.contains("nav") }),
      let path = item.path, let read = parsed(path, .navMalformed)
    else { return }
    let reading = NavReading(read.root, at: path)
    navigation = reading.navigation
    if reading.isCut { faults.note(.tocTruncated, path) }
  }

  private mutating func readNCX() {
    let item =
      document.tocID.flatMap { document.item($0) }
      ?? document.manifest.first { $0.mediaType == .ncx }
    guard let path = item?.path, let read = parsed(path, .ncxMalformed) else { return }
    let reading = NCXReading(read.root, at: path)
    if reading.isCut { faults.note(.tocTruncated, path) }
    let found = reading.navigation
    (navigation.source, navigation.contents) = (found.source, found.contents)
    if navigation.pages.isEmpty { navigation.pages = found.pages }
    navigation.lists.merge(found.lists) { own, _ in own }
  }

  private mutating func parsed(_ path: String, _ code: Fault.Code) -> BookXML? {
    do {
      guard let bytes = try container.document(path, upTo: Limits.package, &faults) else {
        return nil
      }
      let read = try BookXML(bytes)
      if let fault = read.fault { faults.note(code, "\(path): \(fault)") }
      return read
    } catch {
      faults.note(code, path)
      return nil
    }
  }

  /// Better places with a role than nothing, and better the files than no contents at all.
  private mutating func makeUp() {
    if !navigation.landmarks.isEmpty {
      navigation.source = .landmarks
      navigation.contents = navigation.landmarks.map(\.entry)
    } else if !document.guide.isEmpty {
      navigation.source = .guide
      navigation.contents = document.guide.map { reference in
        let label = reference.title.isEmpty ? reference.type : reference.title
        return Navigation.Entry(label: label, target: reference.target, depth: 0)
      }
    } else {
      navigation.source = .spine
      navigation.contents = document.readingOrder.compactMap { item in
        guard let path = item.item.path else { return nil }
        let label = path.split(separator: "/").last.map(String.init) ?? path
        return Navigation.Entry(label: label, target: Reference(inside: path), depth: 0)
      }
    }
  }

  private mutating func checkTargets() {
    let read = Set(document.spine.flatMap { [$0.item.path, $0.shown?.path] }.compactMap(\.self))
    for entry in navigation.contents {
      guard let target = entry.target, let path = target.path else { continue }
      if target.escapes { faults.note(.urlEscapesRoot, path) }
      if read.contains(path) { continue }
      guard let found = container.find(path, &faults) else {
        faults.note(.tocTargetMissing, path)
        continue
      }
      if !read.contains(found.name) { faults.note(.tocTargetNotInSpine, path) }
    }
  }
}

extension Reference {
  /// To a whole entry.
  init(inside path: String) { (place, fragment, escapes) = (.inside(path), nil, false) }
}
