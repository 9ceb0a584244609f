import Circulation

/// Where a harvest stands, spelled into a cursor: in a version of the feed, behind so many books,
/// or behind all of them.
struct Place: Sendable, Hashable {
  enum Stand: Sendable, Hashable {
    case under(offset: Int)
    case done
  }

  let version: String
  let stand: Stand

  init(_ stand: Stand, in version: String) { (self.stand, self.version) = (stand, version) }

  init?(_ cursor: HarvestCursor) {
    let parts = cursor.value.split(separator: " ", maxSplits: 2).map(String.init)
    guard parts.count == 3, parts[0] == "feed" else { return nil }
    if parts[1] == "done" {
      self.init(.done, in: parts[2])
    } else {
      guard let offset = Int(parts[1]), offset >= 0 else { return nil }
      self.init(.under(offset: offset), in: parts[2])
    }
  }

  var cursor: HarvestCursor {
    switch stand {
    case .under(let offset): HarvestCursor("feed \(offset) \(version)")
    case .done: HarvestCursor("feed done \(version)")
    }
  }
}
