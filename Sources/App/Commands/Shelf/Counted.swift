/// A count with its word: `1 loan`, `2 loans`, `1 of 12 loans`.
enum Counted {
  static func text(_ count: Int, of limit: Int? = nil, _ word: String) -> String {
    guard let limit else { return "\(count) \(word)" + (count == 1 ? "" : "s") }
    return "\(count) of \(limit) \(word)" + (limit == 1 ? "" : "s")
  }
}
