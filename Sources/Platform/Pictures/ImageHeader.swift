/// What a picture says of itself in its first bytes, read without decoding it.
package struct ImageHeader: Sendable, Hashable {
  package enum Kind: Sendable, Hashable { case jpeg, png, gif, webp }

  package let kind: Kind
  package let width: Int
  package let height: Int
  /// How often the whole picture is gone over.
  package let passes: Int

  package init(reading bytes: [UInt8]) throws(ImageFault) {
    let found: ImageHeader? =
      switch Kind(bytes) {
      case .jpeg: JPEGHeader.read(bytes)
      case .png: Self.png(bytes)
      case .gif: Self.gif(bytes)
      case .webp: Self.webp(bytes)
      case nil: throw .unknownFormat
      }
    guard let found, found.width > 0, found.height > 0 else { throw .damaged }
    self = found
  }

  init(_ kind: Kind, _ width: Int, _ height: Int, passes: Int = 1) {
    (self.kind, self.width, self.height, self.passes) = (kind, width, height, passes)
  }

  func check(_ limits: ImageLimits) throws(ImageFault) {
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixels <= limits.pixels, passes <= limits.passes else { throw .tooLarge }
  }

  /// Width, height, and then what belongs to the kind (PNG 1.2 §4.1.1).
  private static func png(_ bytes: [UInt8]) -> ImageHeader? {
    guard bytes.count >= 33, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
    return ImageHeader(.png, bytes.number(at: 16, .big, 4), bytes.number(at: 20, .big, 4))
  }

  /// The screen, and the first frame, which may be larger than the screen says.
  private static func gif(_ bytes: [UInt8]) -> ImageHeader? {
    guard bytes.count >= 13 else { return nil }
    var (width, height) = (bytes.number(at: 6, .little, 2), bytes.number(at: 8, .little, 2))
    var place = 13 + colors(bytes[10])
    while place < bytes.count {
      switch bytes[place] {
      case 0x21:
        place += 2
        while place < bytes.count, bytes[place] != 0 { place += Int(bytes[place]) + 1 }
        place += 1
      case 0x2C:
        guard place + 9 < bytes.count else { return nil }
        width = max(width, bytes.number(at: place + 5, .little, 2))
        height = max(height, bytes.number(at: place + 7, .little, 2))
        return ImageHeader(.gif, width, height)
      default: return nil
      }
    }
    return nil
  }

  /// How long a table of colors is, by the byte that tells of it.
  private static func colors(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
  }

  /// RFC 9649: lossy, lossless, or extended.
  private static func webp(_ bytes: [UInt8]) -> ImageHeader? {
    guard bytes.count >= 30 else { return nil }
    switch bytes[15] {
    case UInt8(ascii: " "):
      guard bytes[23...25].elementsEqual([0x9D, 0x01, 0x2A]) else { return nil }
      let (width, height) = (bytes.number(at: 26, .little, 2), bytes.number(at: 28, .little, 2))
      return ImageHeader(.webp, width & 0x3FFF, height & 0x3FFF)
    case UInt8(ascii: "L"):
      guard bytes[20] == 0x2F else { return nil }
      let bits = bytes.number(at: 21, .little, 4)
      return ImageHeader(.webp, bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
    case UInt8(ascii: "X"):
      return ImageHeader(
        .webp, bytes.number(at: 24, .little, 3) + 1, bytes.number(at: 27, .little, 3) + 1)
    default: return nil
    }
  }
}

extension ImageHeader.Kind {
  /// Nil for what begins like none of them.
  package init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
      self = .gif
    } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBPVP8".utf8),
      bytes.count > 15
    {
      self = .webp
    } else {
      return nil
    }
  }
}

/// JPEG tells its size somewhere on the way (ITU T.81 B.2).
private enum JPEGHeader {
  static func read(_ bytes: [UInt8]) -> ImageHeader? {
    var size: (width: Int, height: Int)?
    var (passes, place) = (0, 2)
    while place + 3 < bytes.count {
      guard bytes[place] == 0xFF else {
        place += 1
        continue
      }
      let marker = bytes[place + 1]
      switch marker {
      // Filling, a byte that is no marker, and markers without a length.
      case 0xFF:
        place += 1
        continue
      case 0x00, 0x01, 0xD0...0xD8:
        place += 2
        continue
      case 0xD9: place = bytes.count
      case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
        guard place + 8 < bytes.count, size == nil else { return nil }
        size = (bytes.number(at: place + 7, .big, 2), bytes.number(at: place + 5, .big, 2))
      case 0xDA: passes += 1
      default: break
      }
      guard place < bytes.count else { break }
      place += 2 + bytes.number(at: place + 2, .big, 2)
    }
    return size.map { ImageHeader(.jpeg, $0.width, $0.height, passes: passes) }
  }
}

enum Order { case big, little }

extension [UInt8] {
  /// The caller has looked whether there is as much.
  func number(at place: Int, _ order: Order, _ count: Int) -> Int {
    let part = self[place..<place + count]
    return switch order {
    case .big: part.reduce(0) { $0 << 8 | Int($1) }
    case .little: part.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
  }
}
