/// A file in a tar archive.
package struct TarMember: Sendable, Hashable {
  package let name: String
  package let bytes: [UInt8]

  package init(_ name: String, _ bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
}

/// Why an archive cannot be read on. What was handed out before is whole.
package enum TarError: Error, Sendable, Hashable {
  /// It ends in the middle of this member; nil where not even its name is there.
  case truncated(member: String?)
  /// No header where one should be.
  case damaged(after: String?)
  /// A name that is longer than any path.
  case nameTooLong
}

extension TarError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .truncated(let member): "the archive ends in the middle\(member.map { " of \($0)" } ?? "")"
    case .damaged(let member): "the archive is damaged\(member.map { " behind \($0)" } ?? "")"
    case .nameTooLong: "a name in the archive is too long"
    }
  }
}

/// Hands out the files of a tar archive one by one, from bytes that come in pieces, and writes none
/// of them to a disk: ustar, long names as GNU and as pax write them.
package struct TarReader: Sendable {
  package enum Step: Sendable, Hashable {
    case member(TarMember)
    /// Larger than is allowed; its content was passed over.
    case tooLarge(name: String, size: Int)
    /// Feed it, or finish.
    case needsMore
    /// Behind the marks that end an archive, whatever follows them.
    case end
  }

  private let memberLimit: Int
  private let wants: @Sendable (String) -> Bool
  private var bytes: [UInt8] = []
  private var position = 0
  private var passing = 0
  private var header: TarHeader?
  private var longName: String?
  private var paxSize: Int?
  private var emptyBlocks = 0
  private var last: String?
  private var isOver = false

  /// Longer than any path of Linux, with room for a pax header's other fields.
  private static let nameLimit = 64 << 10

  /// Members that nobody wants are passed over without being put together.
  package init(
    memberLimit: Int = 16 << 20, wanting wants: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    (self.memberLimit, self.wants) = (memberLimit, wants)
  }

  package mutating func feed(_ more: [UInt8]) {
    guard !isOver else { return }
    if position > 0 {
      bytes.removeFirst(position)
      position = 0
    }
    if bytes.isEmpty { bytes = more } else { bytes += more }
  }

  package mutating func next() throws(TarError) -> Step {
    while true {
      if isOver { return .end }
      if passing > 0 {
        let step = min(passing, bytes.count - position)
        (position, passing) = (position + step, passing - step)
        if passing > 0 { return .needsMore }
      }
      if let header {
        guard bytes.count - position >= header.padded else { return .needsMore }
        let content = Array(bytes[position..<position + header.size])
        position += header.padded
        self.header = nil
        if let member = try take(header, content) { return .member(member) }
        continue
      }
      guard bytes.count - position >= TarHeader.size else { return .needsMore }
      let block = bytes[position..<position + TarHeader.size]
      position += TarHeader.size
      if let step = try begin(block) { return step }
    }
  }

  /// The end of the bytes: a member that is not whole now is cut off.
  package func finish() throws(TarError) {
    guard !isOver else { return }
    if let header { throw .truncated(member: longName ?? header.name) }
    guard passing == 0, longName == nil, paxSize == nil, position == bytes.count else {
      throw .truncated(member: longName)
    }
  }

  // MARK: - Headers

  private mutating func begin(_ block: ArraySlice<UInt8>) throws(TarError) -> Step? {
    if block.allSatisfy({ $0 == 0 }) {
      emptyBlocks += 1
      isOver = emptyBlocks == 2
      if isOver { (bytes, position) = ([], 0) }
      return nil
    }
    emptyBlocks = 0
    guard var header = TarHeader(block) else { throw .damaged(after: last) }
    if header.kind.isExtension {
      guard header.size <= Self.nameLimit else { throw .nameTooLong }
      self.header = header
      return nil
    }
    if let paxSize { header.size = paxSize }
    if let longName { header.name = longName }
    (paxSize, longName) = (nil, nil)
    guard header.kind == .file, wants(header.name) else {
      passing = header.padded
      return nil
    }
    guard header.size <= memberLimit else {
      passing = header.padded
      return .tooLarge(name: header.name, size: header.size)
    }
    self.header = header
    return nil
  }

  private mutating func take(_ header: TarHeader, _ content: [UInt8]) throws(TarError)
    -> TarMember?
  {
    switch header.kind {
    case .longName: longName = TarHeader.text(content[...])
    case .longLink, .globalPax, .other: break
    case .pax:
      guard let fields = TarHeader.paxFields(content) else { throw .damaged(after: last) }
      longName = fields["path"] ?? longName
      if let text = fields["size"] {
        guard let size = Int(text), size >= 0 else { throw .damaged(after: last) }
        paxSize = size
      }
    case .file:
      last = header.name
      return TarMember(header.name, content)
    }
    return nil
  }
}
