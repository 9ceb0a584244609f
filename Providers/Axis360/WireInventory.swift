import JSON
import ProviderKit

// §5.1: the inventory, which is JSON.

struct InventoryPage: Sendable {
  let currentPage: Int?
  let totalPage: Int?
  let totalCount: Int?
  let titles: [InventoryTitle]

  /// Nil for anything but a page. `titles` is null where nothing changed, and nowhere missing.
  init?(_ json: JSONValue) {
    let pagination = json.any("pagination")
    currentPage = pagination?.any("currentPage")?.whole
    totalPage = pagination?.any("totalPage")?.whole
    totalCount = pagination?.any("totalCount")?.whole
    guard let list = json.any("titles") else { return nil }
    if list == .null {
      titles = []
      return
    }
    guard let elements = list.array else { return nil }
    var seen: Set<String> = []
    titles = elements.compactMap(InventoryTitle.init).filter { seen.insert($0.titleID).inserted }
    if titles.isEmpty, !elements.isEmpty { return nil }
  }

  func hasNext(after page: Int) -> Bool {
    !titles.isEmpty && (totalPage.map { $0 > (currentPage ?? page) } ?? false)
  }
}

struct InventoryTitle: Sendable, Hashable {
  let titleID: String
  let active: Bool
  /// By their names, which are in small letters and have blanks in them.
  let fields: [String: [String]]
  let formatType: String?
  let formats: [String]
  let releaseDate: String?

  init?(_ json: JSONValue) {
    guard let id = json.any("TitleID")?.words else { return nil }
    titleID = id
    active = json.any("active")?.flag ?? true
    var fields: [String: [String]] = [:]
    for field in json.any("fields")?.elements ?? [] {
      guard let name = field.any("name")?.words else { continue }
      fields[name.lowercased(), default: []] +=
        (field.any("values")?.elements ?? []).compactMap(\.words)
    }
    self.fields = fields
    formatType = json.any("formatType")?.words
    formats = (json.any("formats")?.elements ?? []).compactMap(\.words)
    releaseDate = json.any("releaseDate")?.words
  }

  func field(_ name: String) -> String? { fields[name]?.first }
}
