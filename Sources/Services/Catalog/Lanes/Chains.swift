/// Places strung together by something that each has one of: the editions of a work, or of a writer.
/// Small numbers lead to small numbers, and putting one in costs no walk.
struct Chains: Sendable {
  private var heads: [Int32] = []
  private var following: [Int32] = []

  static let end: Int32 = -1

  /// The first of a chain; the end for one that nothing was put in.
  func first(of chain: Int) -> Int32 { chain < heads.count ? heads[chain] : Self.end }
  func next(after place: Int) -> Int32 { following[place] }

  func forEach(of chain: Int, _ body: (Int) -> Void) {
    var place = first(of: chain)
    while place != Self.end {
      body(Int(place))
      place = following[Int(place)]
    }
  }

  mutating func put(_ place: Int, into chain: Int) {
    Self.grow(&heads, toHold: chain)
    Self.grow(&following, toHold: place)
    following[place] = heads[chain]
    heads[chain] = Int32(place)
  }

  mutating func take(_ place: Int, from chain: Int) {
    if heads[chain] == Int32(place) {
      heads[chain] = following[place]
      return
    }
    var before = Int(heads[chain])
    while following[before] != Int32(place) { before = Int(following[before]) }
    following[before] = following[place]
  }

  private static func grow(_ list: inout [Int32], toHold index: Int) {
    guard index >= list.count else { return }
    if index == list.count { return list.append(end) }
    list.append(contentsOf: repeatElement(end, count: index + 1 - list.count))
  }
}
