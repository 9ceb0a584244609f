/// A package: what the book is, what it is made of, and in which order that is read.
package struct PackageDocument: Sendable, Hashable {
  package let path: String
  /// As written; `2.0` where nothing usable is.
  package internal(set) var version = "2.0"
  package internal(set) var metadata = Metadata()
  package internal(set) var manifest: [ManifestItem] = []
  package internal(set) var spine: [SpineItem] = []
  package internal(set) var declaredProgression: Progression?
  package internal(set) var rendition = Rendition()
  package internal(set) var guide: [GuideReference] = []
  /// Which step from the package's root the spine is, as places in the book are told.
  package internal(set) var spineStep = 6
  /// The item the spine names for its table of contents (EPUB 2).
  package internal(set) var tocID: String?
  /// The place of each id in the manifest; the first of twins.
  var itemPlaces: [String: Int] = [:]
  /// The same for entries, by name and without regard to capital letters.
  private var entryPlaces: [String: Int] = [:]
  private var foldedPlaces: [String: Int] = [:]
  /// Where in the spine an entry stands first.
  private var spinePlaces: [String: Int] = [:]

  init(path: String) { self.path = path }

  package func item(_ id: String) -> ManifestItem? { itemPlaces[id].map { manifest[$0] } }

  /// Names are looked for as loosely as entries are.
  package func item(at path: String) -> ManifestItem? {
    (entryPlaces[path] ?? foldedPlaces[path.lowercased()]).map { manifest[$0] }
  }

  package func spine(ofPath path: String) -> Int? { spinePlaces[path] }

  mutating func add(_ item: ManifestItem) {
    let place = manifest.count
    if itemPlaces[item.id] == nil { itemPlaces[item.id] = place }
    if let path = item.path {
      if entryPlaces[path] == nil { entryPlaces[path] = place }
      let folded = path.lowercased()
      if foldedPlaces[folded] == nil { foldedPlaces[folded] = place }
    }
    manifest.append(item)
  }

  mutating func add(_ item: SpineItem) {
    for path in [item.shown?.path, item.item.path].compactMap(\.self)
    where spinePlaces[path] == nil {
      spinePlaces[path] = spine.count
    }
    spine.append(item)
  }

  package var isEPUB3: Bool { version.hasPrefix("3") }

  /// Which way the pages turn; where the book does not say, its language does.
  package var progression: Progression {
    if let declaredProgression { return declaredProgression }
    let language = metadata.language?.lowercased().split { $0 == "-" || $0 == "_" }.first
    let leftward: Set<Substring> = ["ar", "fa", "he", "iw", "ur", "yi", "ps", "sd", "ug", "dv"]
    return language.map(leftward.contains) == true ? .rightToLeft : .leftToRight
  }

  /// Where every item is off the line, all are on it.
  package var readingOrder: [SpineItem] {
    let linear = spine.filter(\.isLinear)
    return linear.isEmpty ? spine : linear
  }

  package func isFixed(_ item: SpineItem) -> Bool {
    (item.rendition.layout ?? rendition.layout) == .prePaginated
  }
}

package enum Progression: String, Sendable, Hashable {
  case leftToRight = "ltr"
  case rightToLeft = "rtl"
}

package struct ManifestItem: Sendable, Hashable {
  package let id: String
  package let place: Reference.Place
  package let mediaType: MediaType
  package let properties: Set<String>
  package let fallback: String?
  package let overlay: String?

  /// The entry, where it is one.
  package var path: String? {
    if case .inside(let path) = place { path } else { nil }
  }
}

/// One place in the reading order. The same item may stand in several.
package struct SpineItem: Sendable, Hashable {
  /// Which of the spine's elements it is, from 0, counting those that lead nowhere too.
  package let ordinal: Int
  package let id: String?
  /// The manifest's item that the spine names.
  package let item: ManifestItem
  /// What is shown of it: itself, or the first of its fallbacks that can be. Nil if none can.
  package internal(set) var shown: ManifestItem?
  package let isLinear: Bool
  package let rendition: Rendition
}

package struct GuideReference: Sendable, Hashable {
  package let type: String
  package let title: String
  package let target: Reference
}
