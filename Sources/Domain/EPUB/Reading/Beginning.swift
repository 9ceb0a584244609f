// How one goes through a book.
extension Book {
  /// The items one reads through, by their places in the spine.
  package var line: [Int] {
    let ordinals = Set(document.readingOrder.map(\.ordinal))
    return document.spine.indices.filter { ordinals.contains(document.spine[$0].ordinal) }
  }

  /// The first place in the spine at which an entry stands.
  package func spine(ofPath path: String) -> Int? { document.spine(ofPath: path) }

  package func spine(of target: Reference) -> Int? { target.path.flatMap(spine(ofPath:)) }

  /// Where the text begins: where the book says so, or with the first item that is not only pictures.
  package func beginning(_ reading: inout TextReading) -> BookPlaces.Place? {
    func text(_ spine: Int) -> ItemText? {
      do throws(ResourceError) { return try reading.text(at: spine) } catch { return nil }
    }
    let landmark = navigation.landmarks.first { $0.types.contains("bodymatter") }
    let guide = document.guide.first { ["text", "start", "bodymatter"].contains($0.type) }
    if let target = landmark?.entry.target ?? guide?.target, let spine = spine(of: target),
      let text = text(spine)
    {
      let place = target.fragment.flatMap { text.place(ofID: $0) } ?? 0
      return BookPlaces.Place(spine: spine, range: place..<place)
    }
    var any: BookPlaces.Place?
    for spine in line {
      guard let text = text(spine) else { continue }
      any = any ?? BookPlaces.Place(spine: spine, range: 0..<0)
      if text.blocks.contains(where: { $0.kind != .picture && $0.kind != .rule }) {
        return BookPlaces.Place(spine: spine, range: 0..<0)
      }
    }
    return any
  }
}
