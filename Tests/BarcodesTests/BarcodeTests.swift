import Images
import Pictures
import Testing

@testable import BarcodeReading
@testable import Barcodes

@Suite struct `Bars` {
  struct Case: Sendable {
    let number: String
    let kind: Barcode.Kind
  }

  @Test(arguments: [
    Case(number: "21234000000417", kind: .codabar), Case(number: "A12-34", kind: .code39),
    Case(number: "d31.90001x", kind: .code128), Case(number: "7", kind: .code128),
  ])
  func `Bars that were drawn are read again, upright and turned`(card: Case) throws {
    let bars = try #require(Barcode(card.number, card.kind))
    let upright = try Self.photograph(of: bars, isTurned: false)
    #expect(try Barcode.read(upright) == [.init(number: card.number, kind: card.kind)])
    // As it comes out of a telephone: as JPEG, and on its side.
    let turned = try Picture(decoding: Self.photograph(of: bars, isTurned: true).jpeg(quality: 60))
    #expect(try Barcode.read(turned).map(\.number) == [card.number])
  }

  @Test func `Bars are found in no picture without them`() throws {
    let sheet = try Picture(width: 400, height: 300, Color(0x8080A0))
    #expect(try Barcode.read(sheet).isEmpty)
  }

  @Test func `Bars are not made of what their kind has no signs for`() {
    #expect(Barcode("21AB", .codabar) == nil && Barcode("", .code128) == nil)
    #expect(Barcode("1\u{0}2", .code128) == nil && Barcode("ü", .code128) == nil)
    #expect(Barcode(String(repeating: "9", count: 200), .code128) == nil)
  }

  @Test func `Bars are Codabar for fourteen digits, and Code 128 for anything else`() {
    #expect(Barcode.Kind.usual(for: "21234000000417") == .codabar)
    #expect(Barcode.Kind.usual(for: "2123400000041") == .code128)
    #expect(Barcode.Kind.usual(for: "2123400000041X") == .code128)
  }

  @Test func `Bars are a picture that has the blank at both ends and no text`() throws {
    let bars = try #require(Barcode("21234000000417", .codabar))
    #expect(bars.svg.hasPrefix("<svg xmlns=") && bars.svg.contains("<path d=\"M10 0h"))
    #expect(!bars.svg.contains("<text") && !bars.svg.contains("21234000000417"))
    #expect(bars.bars.first == true && bars.bars.last == true)
  }

  static func photograph(of bars: Barcode, isTurned: Bool) throws(ImageFault) -> Picture {
    let (unit, long, wide) = (3, (bars.bars.count + 60) * 3, 320)
    let sheet = try Picture(
      width: isTurned ? wide : long, height: isTurned ? long : wide, Color(0xF4F2EC))
    for (place, isDark) in bars.bars.enumerated() where isDark {
      let start = (place + 30) * unit
      if isTurned {
        sheet.fill(x: 60, y: start, width: 200, height: unit, Color(0x202020))
      } else {
        sheet.fill(x: start, y: 60, width: unit, height: 200, Color(0x202020))
      }
    }
    return sheet
  }
}
