import Machine
import Testing

@testable import Pictures

@Suite struct `An order for a picture` {
  private static let orders: [PictureOrder] = [
    .fitting([PictureBox(800, 1200), PictureBox(200, 300)], [1, 2, 3]),
    .fitting([PictureBox(1, 1)], []), .square(256, [0xFF]),
    .plain(PictureBox(80, 24), [UInt8](repeating: 7, count: 70_000)), .cardNumber([9]),
    .placeholder(
      PlaceholderCover(
        work: "w", title: "Ödön \u{0} 源氏", authors: ["A", ""], size: PictureBox(200, 300))),
    .placeholder(
      PlaceholderCover(work: "", title: "", authors: [], size: PictureBox(10_000, 1))),
  ]

  @Test(arguments: Self.orders)
  func `An order for a picture is read as it was written`(order: PictureOrder) {
    #expect(PictureOrder(decoding: order.encoded) == order)
  }

  @Test(arguments: Self.orders)
  func `An order for a picture that is cut short is not another order`(order: PictureOrder) {
    let bytes = order.encoded
    for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 90)) {
      #expect(PictureOrder(decoding: Array(bytes.prefix(count))) != order)
    }
  }

  @Test func `An answer of a picture process is read as it was written`() {
    for answer in [
      PictureAnswer.made([]), .made([[]]), .made([[1], [2, 3]]), .failed(.tooLarge),
      .failed(.noFont),
    ] {
      #expect(PictureAnswer(decoding: answer.encoded) == answer)
    }
  }

  @Test func `Bytes that are not ours are no order, no answer, and no crash`() {
    let chance = Chance.seeded(5)
    var read = 0
    for _ in 0..<20_000 {
      var bytes = Self.orders[chance.number(in: 0..<2)].encoded
      for _ in 0...chance.number(in: 0..<4) {
        bytes[chance.number(in: 0..<bytes.count)] = UInt8(chance.number(in: 0..<256))
      }
      if PictureOrder(decoding: bytes) != nil { read += 1 }
      _ = PictureAnswer(decoding: bytes)
    }
    #expect(read > 0)
    for bytes: [UInt8] in [
      [], [0], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0], [0x7F, 0xFF, 0xFF, 0xFF],
    ] {
      #expect(PictureOrder(decoding: bytes) == nil && PictureAnswer(decoding: bytes) == nil)
    }
  }

  @Test func `An order for a picture of no size is none`() {
    for side in [0, -1, 10_001, .max] {
      #expect(PictureOrder(decoding: PictureOrder.square(side, [1]).encoded) == nil)
    }
  }
}
