package import EPUB

/// Where the same reader was in the book on another device.
package struct ElsewherePlace: Sendable, Hashable {
  package let locator: Locator
  /// As its owner knows it: `the phone`.
  package let device: String

  package init(_ locator: Locator, on device: String) {
    (self.locator, self.device) = (locator, device)
  }
}

/// That, found in the file that is open.
struct Elsewhere: Sendable {
  let spot: ReaderModel.Spot
  /// `On the phone you were at 45%: Loomings.`
  let sentence: String

  /// Nil where it leads nowhere in this file.
  init?(_ place: ElsewherePlace, in places: BookPlaces, _ reading: inout TextReading) {
    guard let found = places.place(of: place.locator, &reading)?.0,
      let text = ReaderModel.text(found.spine, &reading)
    else { return nil }
    spot = ReaderModel.Spot(spine: found.spine, place: found.range.lowerBound)
    let total = places.positions.total(
      at: spot.spine, progression: text.progression(of: spot.place))
    let chapter = places.chapter(at: spot.spine, spot.place, in: text)?.label
    let device = place.device.tame.isEmpty ? "another device" : place.device.tame
    sentence =
      "On \(device) you were at \(Int((total * 100).rounded(.down)))%"
      + (chapter.map { ": \($0.tame)" } ?? "") + "."
  }
}

extension ReaderModel {
  /// Goes where another device left off. The offer is for once.
  mutating func goElsewhere() {
    guard let goal = elsewhere?.spot else {
      message = "No other device was further on in this book."
      return
    }
    elsewhere = nil
    mode = .reading
    jump(to: goal)
  }
}
