import Circulation
import Testing

@Suite struct `A list with each element once` {
  @Test(arguments: [0, 1, 2, 11, 12, 13, 14, 200])
  func `removing duplicates keeps the order of first appearance in a list of any length`(count: Int)
  {
    let list = (0..<count).map { "\($0 * 7 % 10)" }
    var once: [String] = []
    for text in list where !once.contains(text) { once.append(text) }
    #expect(list.distinct == once)
  }
}
