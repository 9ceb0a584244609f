import CGD
package import Pictures

/// A picture in memory, with one owner.
@safe package struct Picture: ~Copyable {
  let image: gdImagePtr

  private init(owning image: gdImagePtr) { unsafe self.image = unsafe image }

  deinit { unsafe gdImageDestroy(image) }

  package var width: Int { unsafe Int(image.pointee.sx) }
  package var height: Int { unsafe Int(image.pointee.sy) }

  /// Reads JPEG, PNG, GIF and WebP, of moving ones the first frame, whoever sent it: what is too large
  /// is refused by its header, and what is broken by the library that decodes it.
  package init(decoding bytes: [UInt8], _ limits: ImageLimits = ImageLimits()) throws(ImageFault) {
    let header = try limits.check(bytes)
    Self.beQuiet
    let decoded = unsafe bytes.withUnsafeBytes { all -> gdImagePtr? in
      // It is only read, though the library has no word for that.
      let (count, start) = unsafe (
        Int32(all.count), UnsafeMutableRawPointer(mutating: all.baseAddress)
      )
      return switch header.kind {
      case .jpeg: unsafe gdImageCreateFromJpegPtr(count, start)
      case .png: unsafe gdImageCreateFromPngPtr(count, start)
      case .gif: unsafe gdImageCreateFromGifPtr(count, start)
      case .webp: unsafe gdImageCreateFromWebpPtr(count, start)
      }
    }
    guard let decoded = unsafe decoded else { throw .damaged }
    guard unsafe hasTrueColor(decoded) || gdImagePaletteToTrueColor(decoded) != 0 else {
      unsafe gdImageDestroy(decoded)
      throw .outOfMemory
    }
    unsafe self.init(owning: decoded)
  }

  /// A sheet of one color.
  package init(width: Int, height: Int, _ color: Color) throws(ImageFault) {
    guard (1...10_000).contains(width), (1...10_000).contains(height) else { throw .tooLarge }
    Self.beQuiet
    guard let image = unsafe gdImageCreateTrueColor(Int32(width), Int32(height)) else {
      throw .outOfMemory
    }
    unsafe gdImageFilledRectangle(
      image, 0, 0, Int32(width) - 1, Int32(height) - 1, color.number)
    unsafe self.init(owning: image)
  }

  /// As large as fits, and never larger than it is. The filter is as wide as the step, so that fine
  /// print becomes gray and not noise.
  package func scaled(toFit width: Int, _ height: Int) throws(ImageFault) -> Picture {
    let scale = min(
      1, Double(width) / Double(self.width), Double(height) / Double(self.height))
    let wide = max(1, Int((Double(self.width) * scale).rounded()))
    let high = max(1, Int((Double(self.height) * scale).rounded()))
    unsafe gdImageAlphaBlending(image, 0)
    guard unsafe gdImageSetInterpolationMethod(image, GD_CATMULLROM) != 0,
      let result = unsafe gdImageScale(image, UInt32(wide), UInt32(high))
    else { throw .outOfMemory }
    return unsafe Picture(owning: result)
  }

  /// The middle of it as a square that is so wide, for the picture of a person.
  package func square(_ side: Int) throws(ImageFault) -> Picture {
    let cut = min(width, height)
    let sheet = try Picture(width: side, height: side, .white)
    unsafe gdImageAlphaBlending(sheet.image, 1)
    unsafe gdImageCopyResampled(
      sheet.image, image, 0, 0, Int32((width - cut) / 2), Int32((height - cut) / 2), Int32(side),
      Int32(side), Int32(cut), Int32(cut))
    return sheet
  }

  /// How light each pixel is, row by row; what shines through is white.
  package var gray: [UInt8] {
    let (width, height) = (width, height)
    return unsafe [UInt8](unsafeUninitializedCapacity: width * height) { out, count in
      var place = 0
      for y in 0..<height {
        for x in 0..<width {
          let pixel = unsafe gdImageGetTrueColorPixel(image, Int32(x), Int32(y))
          let light = (pixel >> 16 & 0xFF) * 77 + (pixel >> 8 & 0xFF) * 150 + (pixel & 0xFF) * 29
          unsafe out[place] = pixel >> 24 > 63 ? 0xFF : UInt8(light >> 8)
          place += 1
        }
      }
      count = place
    }
  }

  /// On white, where something shone through: JPEG has no word for that.
  package func onWhite() throws(ImageFault) -> Picture {
    let sheet = try Picture(width: width, height: height, .white)
    unsafe gdImageAlphaBlending(sheet.image, 1)
    unsafe gdImageCopy(sheet.image, image, 0, 0, 0, 0, Int32(width), Int32(height))
    return sheet
  }

  /// In passes, so that a slow line shows something early.
  package func jpeg(quality: Int = 82) throws(ImageFault) -> [UInt8] {
    unsafe gdImageInterlace(image, 1)
    var count: Int32 = 0
    let bytes = unsafe gdImageJpegPtr(image, &count, Int32(min(max(quality, 1), 100)))
    return try unsafe Self.taken(bytes, count)
  }

  package func png() throws(ImageFault) -> [UInt8] {
    unsafe gdImageSaveAlpha(image, 1)
    var count: Int32 = 0
    let bytes = unsafe gdImagePngPtr(image, &count)
    return try unsafe Self.taken(bytes, count)
  }

  private static func taken(_ bytes: UnsafeMutableRawPointer?, _ count: Int32) throws(ImageFault)
    -> [UInt8]
  {
    guard let bytes = unsafe bytes else { throw .outOfMemory }
    defer { unsafe gdFree(bytes) }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  }

  /// Once, before the first call that could complain.
  private static let beQuiet: Void = carrel_gd_be_quiet()
}

/// The library has this as a macro.
private func hasTrueColor(_ image: gdImagePtr) -> Bool {
  unsafe image.pointee.trueColor != 0
}

/// An opaque color.
package struct Color: Sendable, Hashable {
  package let red: UInt8
  package let green: UInt8
  package let blue: UInt8

  package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// `0x1D3557`.
  package init(_ hex: Int) {
    self.init(UInt8(hex >> 16 & 0xFF), UInt8(hex >> 8 & 0xFF), UInt8(hex & 0xFF))
  }

  package static let white = Color(255, 255, 255)

  var number: Int32 { Int32(red) << 16 | Int32(green) << 8 | Int32(blue) }

  /// Part of the way to another one.
  package func mixed(_ share: Double, with other: Color) -> Color {
    func between(_ one: UInt8, _ two: UInt8) -> UInt8 {
      UInt8((Double(one) + (Double(two) - Double(one)) * min(max(share, 0), 1)).rounded())
    }
    return Color(between(red, other.red), between(green, other.green), between(blue, other.blue))
  }
}
