/// Where the numbers of the database stand in the shelf list. They are counted up from one, so that
/// pages of a table do, and nothing is hashed for a million of them.
struct Directory: Sendable {
  private var pages: [[Int32]] = []

  private static let size = 1024
  private static let absent: Int32 = -1

  subscript(_ number: Int64) -> Int32? {
    get {
      let (page, line) = Self.place(of: number)
      guard page < pages.count, !pages[page].isEmpty, pages[page][line] != Self.absent else {
        return nil
      }
      return pages[page][line]
    }
    set {
      let (page, line) = Self.place(of: number)
      while page >= pages.count { pages.append([]) }
      if pages[page].isEmpty { pages[page] = Array(repeating: Self.absent, count: Self.size) }
      pages[page][line] = newValue ?? Self.absent
    }
  }

  private static func place(of number: Int64) -> (page: Int, line: Int) {
    (Int(number) / size, Int(number) % size)
  }
}
