import Synchronization

/// Names that were read lately. A name is read several times for one edition, and writers have more
/// editions than one.
extension PersonName {
  static func known(_ raw: String) -> PersonName? {
    guard raw.utf8.count <= longestKept else { return PersonName(raw) }
    if let name = names.withLock({ $0[raw] }) { return name }
    let name = PersonName(raw)
    names.withLock { names in
      if names.count >= mostKept { names.removeAll(keepingCapacity: true) }
      names[raw] = .some(name)
    }
    return name
  }

  private static let names = Mutex<[String: PersonName?]>([:])
  private static let mostKept = 10_000
  private static let longestKept = 100
}
