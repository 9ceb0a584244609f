import CGD

// What is drawn on a sheet. Outside of it nothing is drawn, and nothing breaks.

extension Picture {
  package func fill(x: Int, y: Int, width: Int, height: Int, _ color: Color) {
    guard width > 0, height > 0 else { return }
    unsafe gdImageFilledRectangle(
      image, Self.fit(x), Self.fit(y), Self.fit(x + width - 1), Self.fit(y + height - 1),
      color.number)
  }

  /// A hollow rectangle whose line is so thick.
  package func frame(x: Int, y: Int, width: Int, height: Int, thickness: Int, _ color: Color) {
    fill(x: x, y: y, width: width, height: thickness, color)
    fill(x: x, y: y + height - thickness, width: width, height: thickness, color)
    fill(x: x, y: y, width: thickness, height: height, color)
    fill(x: x + width - thickness, y: y, width: thickness, height: height, color)
  }

  package func disc(x: Int, y: Int, diameter: Int, _ color: Color) {
    let (x, y, diameter) = (Int(Self.fit(x)), Int(Self.fit(y)), Int(Self.fit(diameter)))
    guard diameter > 4 * max(width, height) else {
      return unsafe gdImageFilledEllipse(
        image, Int32(x), Int32(y), Int32(diameter), Int32(diameter), color.number)
    }
    // The library goes through every pixel of a disc, also where there is no picture.
    let radius = diameter / 2
    for row in 0..<height where abs(row - y) <= radius {
      let half = Int(Double(radius * radius - (row - y) * (row - y)).squareRoot())
      fill(x: x - half, y: row, width: 2 * half + 1, height: 1, color)
    }
  }

  /// A corner turned by an eighth, around its middle.
  package func diamond(x: Int, y: Int, width: Int, height: Int, _ color: Color) {
    var corners = [
      gdPoint(x: Self.fit(x), y: Self.fit(y - height / 2)),
      gdPoint(x: Self.fit(x + width / 2), y: Self.fit(y)),
      gdPoint(x: Self.fit(x), y: Self.fit(y + height / 2)),
      gdPoint(x: Self.fit(x - width / 2), y: Self.fit(y)),
    ]
    unsafe gdImageFilledPolygon(image, &corners, 4, color.number)
  }

  static func fit(_ number: Int) -> Int32 { Int32(min(max(number, -100_000), 100_000)) }
}

extension Picture {
  /// Of one pixel; black outside of the picture.
  func color(x: Int, y: Int) -> Color {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return Color(0) }
    return Color(Int(unsafe gdImageGetTrueColorPixel(image, Int32(x), Int32(y))) & 0xFF_FFFF)
  }
}
