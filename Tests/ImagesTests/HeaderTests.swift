import Testing

@testable import Images
@testable import Pictures

@Suite struct `A header of a picture` {
  @Test func `A header of a picture tells the size of what we encode ourselves`() throws {
    let sheet = try Picture(width: 321, height: 123, .white)
    let jpeg = try ImageHeader(reading: try sheet.jpeg())
    #expect(jpeg.kind == .jpeg && jpeg.width == 321 && jpeg.height == 123)
    #expect(jpeg.passes > 1)
    let png = try ImageHeader(reading: try sheet.png())
    #expect(png == ImageHeader(.png, 321, 123))
  }

  @Test func `A header of a picture of a GIF is the larger of screen and first frame`() throws {
    let header = try ImageHeader(reading: Sample.gif(screen: (2, 2), frame: (600, 9)))
    #expect(header == ImageHeader(.gif, 600, 9))
  }

  @Test func `A header of a picture of a WebP has three makes`() throws {
    func webp(_ kind: String, _ rest: [UInt8]) -> [UInt8] {
      Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WEBPVP8\(kind)".utf8) + [20, 0, 0, 0] + rest
        + [UInt8](repeating: 0, count: 30)
    }
    let lossy = webp(" ", [0, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x01, 0xF0, 0x00])
    #expect(try ImageHeader(reading: lossy) == ImageHeader(.webp, 320, 240))
    let bits = UInt32(319) | UInt32(239) << 14
    let lossless = webp(
      "L", [0x2F] + (0..<4).map { UInt8(bits >> (8 * UInt32($0)) & 0xFF) })
    #expect(try ImageHeader(reading: lossless) == ImageHeader(.webp, 320, 240))
    let extended = webp("X", [0, 0, 0, 0, 0x3F, 0x01, 0, 0xEF, 0, 0])
    #expect(try ImageHeader(reading: extended) == ImageHeader(.webp, 320, 240))
  }

  @Test(arguments: ["", "hello", "<html>", "GIF88a", "RIFF....WAVE"])
  func `A header of a picture of something else is none`(_ text: String) {
    #expect(throws: ImageFault.unknownFormat) { try ImageHeader(reading: Array(text.utf8)) }
  }

  @Test func `A header of a picture that asks for gigabytes is refused before anything is decoded`()
    throws
  {
    var png = try Picture(width: 10, height: 10, .white).png()
    png.replaceSubrange(16..<24, with: [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
    #expect(throws: ImageFault.tooLarge) { _ = try Picture(decoding: png) }
    png.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
    #expect(throws: ImageFault.tooLarge) { _ = try Picture(decoding: png) }
    png.replaceSubrange(16..<20, with: [0, 0, 0, 0])
    #expect(throws: ImageFault.damaged) { _ = try Picture(decoding: png) }
  }

  @Test func `A header of a picture of a JPEG with hundreds of passes is refused`() throws {
    var jpeg = try Picture(width: 8, height: 8, .white).jpeg()
    let scan = try #require(
      jpeg.indices.first { jpeg[$0] == 0xFF && $0 + 1 < jpeg.count && jpeg[$0 + 1] == 0xDA })
    let length = Int(jpeg[scan + 2]) << 8 | Int(jpeg[scan + 3])
    let pass = Array(jpeg[scan..<scan + 2 + length])
    jpeg.insert(contentsOf: (0..<500).flatMap { _ in pass }, at: scan)
    #expect(throws: ImageFault.tooLarge) { _ = try Picture(decoding: jpeg) }
  }

  @Test func `A header of a picture does not matter where there are too many bytes`() throws {
    let png = try Picture(width: 10, height: 10, .white).png()
    var limits = ImageLimits()
    limits.bytes = png.count - 1
    #expect(throws: ImageFault.tooLarge) { _ = try Picture(decoding: png, limits) }
  }
}

/// Pictures of our own.
enum Sample {
  /// Bands of color with something fine in them.
  static func picture(_ width: Int = 96, _ height: Int = 144) throws -> Picture {
    let picture = try Picture(width: width, height: height, Color(0x1D3557))
    for line in stride(from: 0, to: height, by: 4) {
      picture.fill(
        x: line % width, y: line, width: width / 2, height: 2,
        Color(UInt8(line * 7 % 256), UInt8(line * 13 % 256), 90))
    }
    picture.disc(x: width / 2, y: height / 2, diameter: width / 2, Color(0xE9C46A))
    return picture
  }

  /// One pixel's worth of colors, and no more than a beginning of data.
  static func gif(screen: (Int, Int), frame: (Int, Int)) -> [UInt8] {
    func two(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
    return Array("GIF89a".utf8) + two(screen.0) + two(screen.1) + [0x80, 0, 0]
      + [0, 0, 0, 255, 255, 255]
      // A comment, which is passed over.
      + [0x21, 0xFE, 2, 104, 105, 0]
      + [0x2C, 0, 0, 0, 0] + two(frame.0) + two(frame.1) + [0] + [2, 2, 0x44, 0x01, 0, 0x3B]
  }

}
