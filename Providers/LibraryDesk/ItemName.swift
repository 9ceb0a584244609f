import Circulation

/// What an item is called: a title by the number that the library's system gives the record, or a
/// single copy by its barcode where nothing tells the title.
enum ItemName: Sendable, Hashable {
  case title(String)
  case copy(String)

  /// Nil for what is no name of ours.
  init?(_ item: ItemID) {
    let text = item.rawValue
    if text.hasPrefix("title-"), text.utf8.count > 6 {
      self = .title(String(text.dropFirst(6)))
    } else if text.hasPrefix("copy-"), text.utf8.count > 5 {
      self = .copy(String(text.dropFirst(5)))
    } else {
      return nil
    }
  }

  var item: ItemID {
    switch self {
    case .title(let number): ItemID("title-\(number)")
    case .copy(let barcode): ItemID("copy-\(barcode)")
    }
  }

  /// The number of a title, where titles are numbered.
  var number: Int? {
    guard case .title(let text) = self, let number = Int(text), number > 0 else { return nil }
    return number
  }
}
