import Markup
import Zip

/// The picture a book shows first, and which of its many ways to say so was taken.
package struct Cover: Sendable, Hashable {
  package enum Way: String, Sendable, Hashable {
    case property = "cover-image property"
    case meta = "meta name=cover"
    case guide
    case landmarks
    case name
    case firstPage = "first page"
  }

  package let path: String
  package let way: Way
}

extension Book {
  /// Looks in the order of how much each is to be trusted. A few short pages are read for it, and
  /// only where nothing names a picture.
  package func cover() -> Cover? {
    if let item = document.manifest.first(where: { $0.properties.contains("cover-image") }),
      let path = picture(item)
    {
      return Cover(path: path, way: .property)
    }
    if let name = document.metadata.coverName, let path = named(name) {
      return Cover(path: path, way: .meta)
    }
    let references = document.guide.lazy.filter { Self.coverTypes.contains($0.type) }
    for reference in references.prefix(Self.mostPages) {
      guard let path = reference.target.path else { continue }
      if let found = picture(at: path) { return Cover(path: found, way: .guide) }
    }
    let landmarks = navigation.landmarks.lazy.filter { $0.types.contains("cover") }
    for landmark in landmarks.prefix(Self.mostPages) {
      guard let path = landmark.entry.target?.path else { continue }
      if let found = picture(at: path) { return Cover(path: found, way: .landmarks) }
    }
    if let item = document.manifest.first(where: Self.isNamedCover), let path = picture(item) {
      return Cover(path: path, way: .name)
    }
    if let first = document.spine.first?.shown?.path, let found = lonePicture(at: first) {
      return Cover(path: found, way: .firstPage)
    }
    return nil
  }

  private static let mostPages = 3

  private static let coverTypes: Set<String> = [
    "cover", "other.ms-coverimage-standard", "other.ms-coverimage",
  ]

  private static func isNamedCover(_ item: ManifestItem) -> Bool {
    guard item.mediaType.isPicture else { return false }
    if ["cover", "cover-image", "coverimage", "cover-img"].contains(item.id.lowercased()) {
      return true
    }
    return item.path?.split(separator: "/").last?.lowercased().hasPrefix("cover") == true
  }

  private func exists(_ path: String) -> Bool { container.archive.entry(named: path) != nil }

  private func picture(_ item: ManifestItem) -> String? {
    guard let path = item.path, exists(path) else { return nil }
    return item.mediaType.isPicture ? path : picture(at: path)
  }

  /// What the `meta` names is an id, and in the wild an address, too.
  private func named(_ name: String) -> String? {
    if let item = document.item(name) { return picture(item) }
    guard let path = Reference(name, from: document.path).path, exists(path) else { return nil }
    return picture(at: path)
  }

  /// The entry itself where it is a picture, else the first picture of the page.
  private func picture(at path: String) -> String? {
    guard let item = document.manifest.first(where: { $0.path == path }) else { return nil }
    if item.mediaType.isPicture { return exists(path) ? path : nil }
    return page(path).flatMap { pictures(in: $0, at: path).first }
  }

  /// A page that is one picture and next to nothing else.
  private func lonePicture(at path: String) -> String? {
    guard let item = document.manifest.first(where: { $0.path == path }) else { return nil }
    if item.mediaType.isPicture { return exists(path) ? path : nil }
    guard let page = page(path) else { return nil }
    let pictures = pictures(in: page, at: path)
    guard pictures.count == 1 else { return nil }
    let words = (page.below("body").first ?? page).text.split { $0.isWhitespace }
    return words.count <= 5 ? pictures[0] : nil
  }

  /// Covers are short pages; a long one is a chapter.
  private func page(_ path: String) -> Element? {
    guard let bytes = try? bytes(of: path, upTo: 256 << 10) else { return nil }
    return try? BookXML(bytes).root
  }

  private func pictures(in page: Element, at path: String) -> [String] {
    page.descendants { $0.local == "img" || $0.local == "image" }.compactMap { element in
      let written = element.any("src") ?? element.any("href")
      guard let found = written.flatMap({ Reference($0, from: path).path }), exists(found) else {
        return nil
      }
      return found
    }
  }
}
