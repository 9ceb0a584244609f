/// Makes pictures out of the pictures of strangers, wherever that is done: the gateway has it done in
/// processes of their own. What comes back is looked at here: a decoder that a picture has taken over shall
/// reach no reader with anything but a picture of the size that was asked for.
package struct PictureMaker: Sendable {
  private let make: @Sendable (PictureOrder) async throws(ImageFault) -> [[UInt8]]

  package init(
    _ make: @escaping @Sendable (PictureOrder) async throws(ImageFault) -> [[UInt8]]
  ) { self.make = make }

  /// As JPEG, one for each box.
  package func fitting(
    _ boxes: [PictureBox], _ bytes: [UInt8]
  ) async throws(ImageFault) -> [[UInt8]] {
    let made = try await done(.fitting(boxes, bytes))
    guard made.count == boxes.count else { throw .stopped }
    for (one, box) in zip(made, boxes) { try Self.check(one, .jpeg, box) }
    return made
  }

  /// As JPEG.
  package func square(_ side: Int, _ bytes: [UInt8]) async throws(ImageFault) -> [UInt8] {
    try Self.one(await done(.square(side, bytes)), .jpeg, PictureBox(side, side))
  }

  /// As PNG.
  package func plain(_ box: PictureBox, _ bytes: [UInt8]) async throws(ImageFault) -> [UInt8] {
    try Self.one(await done(.plain(box, bytes)), .png, box)
  }

  /// Nil where there are no bars in the photograph.
  package func cardNumber(_ photograph: [UInt8]) async throws(ImageFault) -> String? {
    let made = try await done(.cardNumber(photograph))
    guard let number = made.first else { return nil }
    guard made.count == 1, (1...64).contains(number.count),
      number.allSatisfy({ (0x20...0x7E).contains($0) })
    else { throw .stopped }
    return String(decoding: number, as: UTF8.self)
  }

  /// As PNG.
  package func placeholder(_ cover: PlaceholderCover) async throws(ImageFault) -> [UInt8] {
    try Self.one(await make(.placeholder(cover)), .png, cover.size)
  }

  /// What is no picture, or too large a one, costs nothing.
  private func done(_ order: PictureOrder) async throws(ImageFault) -> [[UInt8]] {
    try order.limits.check(order.picture)
    return try await make(order)
  }

  private static func one(
    _ made: [[UInt8]], _ kind: ImageHeader.Kind, _ box: PictureBox
  ) throws(ImageFault) -> [UInt8] {
    guard made.count == 1 else { throw .stopped }
    try check(made[0], kind, box)
    return made[0]
  }

  private static func check(
    _ bytes: [UInt8], _ kind: ImageHeader.Kind, _ box: PictureBox
  ) throws(ImageFault) {
    guard let header = try? ImageHeader(reading: bytes), header.kind == kind,
      header.width <= box.width, header.height <= box.height
    else { throw .stopped }
  }
}
