/// A width and a height that a picture has to fit into.
package struct PictureBox: Sendable, Hashable {
  package let width: Int
  package let height: Int

  package init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }
}

/// What is written on the cover of a book that has none.
package struct PlaceholderCover: Sendable, Hashable {
  /// Settles its color.
  package let work: String
  package let title: String
  package let authors: [String]
  package let size: PictureBox

  package init(work: String, title: String, authors: [String], size: PictureBox) {
    (self.work, self.title, self.authors, self.size) = (work, title, authors, size)
  }
}

/// One piece of work with pixels. What is answered is a list of files or texts.
package enum PictureOrder: Sendable, Hashable {
  /// A JPEG for each box, the largest first.
  case fitting([PictureBox], [UInt8])
  /// The middle as a square JPEG that is so wide.
  case square(Int, [UInt8])
  /// A PNG within the box, for a program that is not to see what a stranger wrote.
  case plain(PictureBox, [UInt8])
  /// The number of a library card in a photograph; nothing where there are no bars.
  case cardNumber([UInt8])
  /// A PNG.
  case placeholder(PlaceholderCover)

  /// What a process has to open before it gives up files.
  package enum Means: String, Sendable, Hashable { case decoder, reader, fonts }

  package var means: Means {
    switch self {
    case .fitting, .square, .plain: .decoder
    case .cardNumber: .reader
    case .placeholder: .fonts
    }
  }

  /// What a stranger sent.
  package var picture: [UInt8] {
    switch self {
    case .fitting(_, let bytes), .square(_, let bytes), .plain(_, let bytes),
      .cardNumber(let bytes):
      bytes
    case .placeholder: []
    }
  }

  package var limits: ImageLimits {
    switch self {
    case .fitting, .plain, .placeholder: ImageLimits()
    case .square, .cardNumber: .photograph
    }
  }
}

/// Orders and answers on a pipe: fields one after the other, each after its length as four bytes. They are read
/// with suspicion on both sides: the one that decodes pictures may do what a picture told it.
extension PictureOrder {
  package var encoded: [UInt8] {
    func texts(_ values: [String]) -> [[UInt8]] { values.map { Array($0.utf8) } }
    func numbers(_ boxes: [PictureBox]) -> [String] {
      boxes.flatMap { ["\($0.width)", "\($0.height)"] }
    }
    return switch self {
    case .fitting(let boxes, let bytes):
      PictureFields.encode(texts(["fitting"] + numbers(boxes)) + [bytes])
    case .square(let side, let bytes): PictureFields.encode(texts(["square", "\(side)"]) + [bytes])
    case .plain(let box, let bytes):
      PictureFields.encode(texts(["plain"] + numbers([box])) + [bytes])
    case .cardNumber(let bytes): PictureFields.encode(texts(["card"]) + [bytes])
    case .placeholder(let cover):
      PictureFields.encode(
        texts(["placeholder"] + numbers([cover.size]) + [cover.work, cover.title] + cover.authors))
    }
  }

  /// Nil for what none of ours is written like.
  package init?(decoding bytes: [UInt8]) {
    guard let fields = PictureFields.decode(bytes), let kind = fields.first else { return nil }
    let rest = fields.dropFirst().dropLast()
    let last = fields[fields.count - 1]
    let numbers = rest.map { PictureFields.number($0) }
    switch (String(decoding: kind, as: UTF8.self), fields.count) {
    case ("fitting", 4...10) where fields.count % 2 == 0:
      var boxes: [PictureBox] = []
      for place in stride(from: 0, to: numbers.count, by: 2) {
        guard let width = numbers[place], let height = numbers[place + 1] else { return nil }
        boxes.append(PictureBox(width, height))
      }
      self = .fitting(boxes, last)
    case ("square", 3):
      guard let side = numbers[0] else { return nil }
      self = .square(side, last)
    case ("plain", 4):
      guard let width = numbers[0], let height = numbers[1] else { return nil }
      self = .plain(PictureBox(width, height), last)
    case ("card", 2): self = .cardNumber(last)
    case ("placeholder", 5...):
      guard let width = PictureFields.number(fields[1]),
        let height = PictureFields.number(fields[2])
      else { return nil }
      let texts = fields[3...].map { String(decoding: $0, as: UTF8.self) }
      self = .placeholder(
        PlaceholderCover(
          work: texts[0], title: texts[1], authors: Array(texts[2...]),
          size: PictureBox(width, height)))
    default: return nil
    }
  }
}

/// What came of an order.
package enum PictureAnswer: Sendable, Hashable {
  case made([[UInt8]])
  case failed(ImageFault)

  package var encoded: [UInt8] {
    switch self {
    case .made(let parts): PictureFields.encode([Array("made".utf8)] + parts)
    case .failed(let fault):
      PictureFields.encode([Array("failed".utf8), Array(fault.rawValue.utf8)])
    }
  }

  package init?(decoding bytes: [UInt8]) {
    guard let fields = PictureFields.decode(bytes), let kind = fields.first else { return nil }
    if kind == Array("made".utf8) {
      self = .made(Array(fields.dropFirst()))
    } else if kind == Array("failed".utf8), fields.count == 2,
      let fault = ImageFault(rawValue: String(decoding: fields[1], as: UTF8.self))
    {
      self = .failed(fault)
    } else {
      return nil
    }
  }
}

private enum PictureFields {
  /// More than any order or answer has.
  private static let most = 64

  static func encode(_ fields: [[UInt8]]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(fields.reduce(0) { $0 + $1.count + 4 })
    for field in fields.prefix(most) {
      for shift in [24, 16, 8, 0] { out.append(UInt8(field.count >> shift & 0xFF)) }
      out += field
    }
    return out
  }

  /// Nil where a length leads beyond the end, or there are too many.
  static func decode(_ bytes: [UInt8]) -> [[UInt8]]? {
    var (fields, place): ([[UInt8]], Int) = ([], 0)
    while place < bytes.count {
      guard place + 4 <= bytes.count, fields.count < most else { return nil }
      let count = bytes.number(at: place, .big, 4)
      place += 4
      guard count <= bytes.count - place else { return nil }
      fields.append(Array(bytes[place..<place + count]))
      place += count
    }
    return fields
  }

  static func number(_ bytes: [UInt8]) -> Int? {
    guard let number = Int(String(decoding: bytes, as: UTF8.self)), (1...10_000).contains(number)
    else { return nil }
    return number
  }
}
