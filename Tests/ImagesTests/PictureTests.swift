import Pictures
import Testing

@testable import Images

@Suite struct `A picture` {
  @Test func `A picture comes back from PNG as it was`() throws {
    let bytes = try Sample.picture().png()
    let back = try Picture(decoding: bytes)
    #expect(back.width == 96 && back.height == 144)
    #expect(try back.png() == bytes)
  }

  @Test func `A picture comes back from JPEG in its size`() throws {
    let back = try Picture(decoding: try Sample.picture().jpeg())
    #expect(back.width == 96 && back.height == 144)
  }

  @Test func `A picture is read from a GIF by its first frame`() throws {
    let gif = try Picture(decoding: Sample.gif(screen: (1, 1), frame: (1, 1)))
    #expect(gif.width == 1 && gif.height == 1)
  }

  @Test(arguments: [
    (200, 300, 200, 300), (48, 300, 48, 72), (300, 36, 24, 36), (1, 1, 1, 1), (10, 10, 7, 10),
  ])
  func `A picture fits into a box as it is shaped`(
    _ width: Int, _ height: Int, wide: Int, high: Int
  )
    throws
  {
    let large = try Sample.picture(400, 600)
    let source = width >= 200 ? try large.scaled(toFit: 200, 300) : try Sample.picture()
    let small = try source.scaled(toFit: width, height)
    #expect(small.width == wide && small.height == high)
  }

  @Test func `A picture never grows`() throws {
    let same = try Sample.picture().scaled(toFit: 1000, 1000)
    #expect(same.width == 96 && same.height == 144)
  }

  @Test func `A picture keeps its mean color when it shrinks, fine lines and all`() throws {
    let fine = try Picture(width: 400, height: 400, .white)
    for line in stride(from: 0, to: 400, by: 2) {
      fine.fill(x: 0, y: line, width: 400, height: 1, Color(0))
    }
    let small = try fine.scaled(toFit: 40, 40)
    // Half black and half white, so a filter that only picks pixels would leave one of them.
    for place in [(10, 10), (20, 33), (31, 7)] {
      let color = small.color(x: place.0, y: place.1)
      #expect((118...138).contains(Int(color.green)), "\(color)")
    }
  }

  @Test func `A picture stands on white where it was clear`() throws {
    // One clear pixel, written by hand: 8 bits, gray with alpha.
    let clear = try Picture(decoding: Sample.clearPixel)
    let sheet = try clear.onWhite()
    #expect(sheet.color(x: 0, y: 0) == .white)
  }

  @Test func `A picture takes no sheet without size or beyond reason`() {
    for (width, height) in [(0, 10), (10, 0), (-1, 1), (1_000_000, 1_000_000)] {
      #expect(throws: ImageFault.tooLarge) {
        _ = try Picture(width: width, height: height, .white)
      }
    }
  }

  @Test func `A picture is not broken by drawing outside of it`() throws {
    let sheet = try Picture(width: 20, height: 20, .white)
    sheet.fill(x: -1_000_000, y: 5, width: 2_000_000, height: 2, Color(0))
    #expect(sheet.color(x: 19, y: 6) == Color(0))
    sheet.disc(x: 1000, y: -60_000, diameter: 1_000_000, .white)
    #expect(sheet.color(x: 19, y: 6) == Color(0))
    sheet.disc(x: 1000, y: -1000, diameter: 1_000_000, .white)
    #expect(sheet.color(x: 19, y: 6) == .white)
    sheet.diamond(x: 10, y: 10, width: 4, height: 4, Color(0xFF0000))
    #expect(sheet.color(x: 10, y: 10) == Color(0xFF0000))
  }

  @Test func `A picture names the library that made it`() { #expect(gdVersion.hasPrefix("2.")) }
}

@Suite struct `Letters` {
  private let fonts = [
    "/nowhere/font.ttf", "/usr/share/fonts/truetype/dejavu/DejaVuSerif-Bold.ttf",
  ]

  @Test func `Letters are drawn with the first font there is`() throws {
    let face = try Typeface(firstOf: fonts)
    #expect(face.path == fonts[1])
    #expect(throws: ImageFault.noFont) { try Typeface(firstOf: ["/nowhere/font.ttf"]) }
  }

  @Test func `Letters are as wide as they are many`() throws {
    let face = try Typeface(firstOf: fonts)
    let one = face.width(of: "mmm", size: 20)
    #expect(one > 20)
    #expect(face.width(of: "mmmmmm", size: 20) > one * 18 / 10)
    #expect(face.width(of: "mmm", size: 40) > one * 18 / 10)
  }

  @Test func `Letters may be names of HTML without becoming what they name`() throws {
    let face = try Typeface(firstOf: fonts)
    let word = face.width(of: "&lt;", size: 20)
    #expect(word > face.width(of: "<", size: 20) * 2)
    #expect(face.width(of: "a\nb", size: 20) == face.width(of: "a b", size: 20))
  }

  @Test func `Letters leave ink where they stand`() throws {
    let face = try Typeface(firstOf: fonts)
    let sheet = try Picture(width: 60, height: 40, .white)
    face.draw("H", size: 24, x: 5, y: 32, Color(0), on: sheet)
    let dark = (0..<40).reduce(0) { sum, y in
      sum + (0..<60).count { x in sheet.color(x: x, y: y).red < 60 }
    }
    #expect(dark > 100)
  }
}

extension Sample {
  static let clearPixel: [UInt8] = [
    137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1, 0, 0, 0, 1, 8, 4, 0,
    0, 0, 181, 28, 12, 2, 0, 0, 0, 11, 73, 68, 65, 84, 120, 218, 99, 96, 96, 0, 0, 0, 3, 0, 1, 43,
    9, 77, 132, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130,
  ]

  /// Sixteen by twenty-four pixels of two colors, lossy.
  static let webp: [UInt8] = [
    82, 73, 70, 70, 150, 0, 0, 0, 87, 69, 66, 80, 86, 80, 56, 32, 138, 0, 0, 0, 16, 6, 0, 157, 1,
    42, 16, 0, 24, 0, 62, 109, 28, 153, 73, 164, 33, 35, 33, 152, 0, 128, 13, 137, 108, 0, 157,
    50, 130, 188, 11, 238, 91, 64, 26, 31, 253, 31, 254, 128, 31, 224, 55, 160, 63, 104, 254, 16,
    2, 102, 64, 147, 90, 155, 66, 244, 168, 0, 254, 253, 217, 177, 255, 220, 175, 127, 124, 192,
    13, 19, 122, 4, 99, 135, 19, 249, 255, 1, 173, 225, 249, 177, 229, 218, 204, 226, 29, 188, 59,
    120, 7, 124, 133, 111, 10, 240, 210, 93, 14, 105, 164, 25, 55, 143, 210, 210, 208, 154, 29,
    231, 207, 122, 205, 152, 208, 148, 125, 99, 84, 132, 29, 124, 215, 83, 101, 45, 83, 156, 248,
    165, 13, 78, 205, 165, 61, 192, 0, 0,
  ]
}
