import Images

/// Pictures that are small as files and large, broken or none at all once they are opened.
enum Bombs {
  /// 7000 × 7000 pixels of one color: under the limit for photographs, 200 MB when decoded.
  static let largePNG: [UInt8] = {
    guard let sheet = try? Picture(width: 7000, height: 7000, .white), let bytes = try? sheet.png()
    else { return [] }
    return bytes
  }()

  /// For covers, which may have fewer pixels.
  static let coverPNG: [UInt8] = {
    guard let sheet = try? Picture(width: 4800, height: 4900, .white), let bytes = try? sheet.png()
    else { return [] }
    return bytes
  }()

  static let jpeg: [UInt8] = {
    guard let sheet = try? Picture(width: 60, height: 90, .white), let bytes = try? sheet.jpeg()
    else { return [] }
    return bytes
  }()

  /// A PNG whose header asks for 65535 × 65535 pixels.
  static var hugePNG: [UInt8] {
    guard let sheet = try? Picture(width: 9, height: 9, .white), var bytes = try? sheet.png()
    else { return [] }
    bytes.replaceSubrange(16..<24, with: [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
    return bytes
  }

  /// A frame larger than its screen, and nothing in it.
  static func gif(_ side: Int) -> [UInt8] {
    let two = [UInt8(side & 0xFF), UInt8(side >> 8)]
    return Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
      + [0x2C, 0, 0, 0, 0] + two + two + [0, 2, 2, 0x44, 0x01, 0, 0x3B]
  }

  /// A JPEG that says it has so many pixels more than are in it.
  static func lyingJPEG(_ side: Int) -> [UInt8] {
    var bytes = jpeg
    for place in bytes.indices.dropLast(8)
    where bytes[place] == 0xFF && [0xC0, 0xC2].contains(bytes[place + 1]) {
      for at in [place + 5, place + 7] {
        bytes.replaceSubrange(at..<at + 2, with: [UInt8(side >> 8), UInt8(side & 0xFF)])
      }
      break
    }
    return bytes
  }

  /// An animated WebP that is only a header.
  static func webp(_ side: Int) -> [UInt8] {
    let three = [UInt8((side - 1) & 0xFF), UInt8((side - 1) >> 8), 0]
    return Array("RIFF".utf8) + [60, 0, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 2, 0, 0, 0]
      + three + three + Array("ANIM".utf8) + [6, 0, 0, 0, 0, 0, 0, 0, 0, 0]
      + Array("ANMF".utf8) + [16, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 16)
  }

  static let random: [UInt8] = {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    return (0..<200_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return UInt8(state >> 56)
    }
  }()

  static let svg = Array(
    #"<svg xmlns="http://www.w3.org/2000/svg" width="90000" height="90000"><rect/></svg>"#.utf8)

  static var all: [[UInt8]] {
    [
      largePNG, hugePNG, gif(7000), gif(65_535), lyingJPEG(7000), lyingJPEG(65_500), webp(7000),
      webp(16_000), Array(jpeg.prefix(jpeg.count / 2)), Array(largePNG.prefix(60_000)), [], svg,
      random, [0xFF, 0xD8, 0xFF] + random, Array(jpeg.prefix(200)) + random,
    ]
  }
}
