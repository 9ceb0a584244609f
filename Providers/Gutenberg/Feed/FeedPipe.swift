import Archive
import Circulation
import Compression

/// Why a feed cannot be read on.
enum FeedFault: Error, Sendable, Hashable {
  /// It ends too early, in the member named.
  case truncated(member: String?)
  case damaged(String)
  /// The disk, not the file.
  case unreadable(String)

  var sentence: String {
    switch self {
    case .truncated(let member?): "the archive ends in the middle of \(member)"
    case .truncated(nil): "the archive ends in the middle"
    case .damaged(let what): "the archive is damaged: \(what)"
    case .unreadable(let why): why
    }
  }
}

/// A run of records from a feed, read and said in Carrel's words.
struct FeedPage: Sendable {
  var editions: [Edition] = []
  var warnings: [String] = []
  /// Members of books read so far, those included that are no good.
  var offset: Int
  var isLast = false
  /// What stopped it, behind everything that was whole.
  var fault: FeedFault?
}

/// The packed archive on its way to editions: never unpacked to a disk, and never held as a whole.
actor FeedPipe {
  private let packed: BZip2Reader?
  private let plain: @Sendable () throws(CompressionError) -> [UInt8]
  private var tar = TarReader(memberLimit: 16 << 20) { MemberName.number($0) != nil }
  private var offset = 0
  private var last: String?

  enum Packing: Sendable { case bzip2, none }

  init(
    _ packing: Packing, reading source: @escaping @Sendable () throws(CompressionError) -> [UInt8]
  ) {
    packed = packing == .bzip2 ? BZip2Reader(limit: 64 << 30, reading: source) : nil
    plain = source
  }

  /// Passes over as many books.
  func skip(to wanted: Int) async -> FeedFault? {
    while offset < wanted {
      switch await step() {
      case .success(nil): return nil
      case .success: offset += 1
      case .failure(let fault): return fault
      }
    }
    return nil
  }

  func page(of count: Int) async -> FeedPage {
    var page = FeedPage(offset: offset)
    var groups: [Task<Group, Never>] = []
    var members: [TarMember] = []
    var taken = 0
    loop: while taken < count {
      switch await step() {
      case .success(.member(let member)?):
        members.append(member)
        taken += 1
        offset += 1
        if members.count == Group.size {
          groups.append(Group.reading(members))
          members = []
        }
      case .success(.oversized(let name)?):
        page.warnings.append("\(name): larger than any record")
        taken += 1
        offset += 1
      case .success(nil):
        page.isLast = true
        break loop
      case .failure(let fault):
        page.fault = fault
        break loop
      }
    }
    if !members.isEmpty { groups.append(Group.reading(members)) }
    for group in groups {
      let read = await group.value
      page.editions += read.editions
      page.warnings += read.warnings
    }
    page.offset = offset
    return page
  }

  private enum Found {
    case member(TarMember)
    case oversized(String)
  }

  /// The next book's member; nil at the end.
  private func step() async -> Result<Found?, FeedFault> {
    while true {
      do throws(TarError) {
        switch try tar.next() {
        case .member(let member):
          last = member.name
          return .success(.member(member))
        case .tooLarge(let name, _): return .success(.oversized(name))
        case .end: return .success(nil)
        case .needsMore: break
        }
      } catch {
        return .failure(fault(error))
      }
      let more: [UInt8]?
      do throws(CompressionError) { more = try await unpacked() } catch {
        return .failure(fault(error))
      }
      guard let more else {
        do throws(TarError) { try tar.finish() } catch { return .failure(fault(error)) }
        return .success(nil)
      }
      tar.feed(more)
    }
  }

  private func unpacked() async throws(CompressionError) -> [UInt8]? {
    if let packed { return try await packed.next() }
    let more = try plain()
    return more.isEmpty ? nil : more
  }

  private func fault(_ error: TarError) -> FeedFault {
    switch error {
    case .truncated(let member): .truncated(member: member ?? last)
    case .damaged(let member):
      .damaged("no member where one should follow \(member ?? "the start")")
    case .nameTooLong: .damaged("a name longer than any path")
    }
  }

  private func fault(_ error: CompressionError) -> FeedFault {
    switch error {
    case .truncated:
      do throws(TarError) { try tar.finish() } catch { return fault(error) }
      return .truncated(member: last)
    case .damaged: return .damaged("after \(last ?? "its start")")
    case .trailingBytes: return .damaged("bytes follow its end")
    case .tooLarge: return .damaged("it unpacks to more than any catalogue")
    case .outOfMemory: return .unreadable("out of memory")
    case .unreadable(let why): return .unreadable(why)
    }
  }
}

/// Some members at a time are read beside the unpacking of those that follow.
private struct Group: Sendable {
  static let size = 50

  var editions: [Edition] = []
  var warnings: [String] = []

  static func reading(_ members: [TarMember]) -> Task<Group, Never> {
    Task.detached {
      var group = Group()
      for member in members { group.read(member) }
      return group
    }
  }

  private mutating func read(_ member: TarMember) {
    do throws(RecordFault) {
      let (record, wasMended) = try Record.reading(member.bytes)
      let (edition, warnings) = record.edition()
      editions.append(edition)
      self.warnings += warnings
      if wasMended { self.warnings.append("\(member.name): its encoding was mended") }
      if record.number != MemberName.number(member.name) {
        self.warnings.append("\(member.name): is the record of number \(record.number)")
      }
    } catch {
      warnings.append("\(member.name): \(error)")
    }
  }
}
