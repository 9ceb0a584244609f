import Markup

/// The `meta` elements of a package: EPUB 3's with a property, EPUB 2's with a name.
struct Metas {
  struct Meta {
    let id: String?
    let property: String
    let value: String
    let refines: String?
    let scheme: String?
  }

  private(set) var all: [Meta] = []
  private var refining: [String: [Meta]] = [:]

  /// `elements` are those of the metadata, and of what OEB 1 puts inside it.
  init(_ elements: [Element]) {
    for element in elements where element.kind.lowercased() == "meta" {
      let id = element.trimmed("id")
      if let property = element.trimmed("property") {
        let refines = element.trimmed("refines").map {
          String($0.drop { $0 == "#" })
        }
        add(
          Meta(
            id: id, property: property, value: element.text.cleaned(), refines: refines,
            scheme: element.trimmed("scheme")))
      } else if let name = element.trimmed("name") {
        add(
          Meta(
            id: id, property: name, value: (element.any("content") ?? "").cleaned(), refines: nil,
            scheme: nil))
      }
    }
  }

  private mutating func add(_ meta: Meta) {
    all.append(meta)
    if let refined = meta.refines { refining[refined, default: []].append(meta) }
  }

  /// What is said of the element of this id.
  func values(_ property: String, of id: String?) -> [String] {
    id.flatMap { refining[$0] }?.filter { $0.property == property && !$0.value.isEmpty }
      .map(\.value) ?? []
  }

  func value(_ property: String, of id: String?) -> String? { values(property, of: id).first }

  /// What is said of the book itself.
  func value(_ property: String) -> String? {
    all.first { $0.refines == nil && $0.property == property && !$0.value.isEmpty }?.value
  }
}
