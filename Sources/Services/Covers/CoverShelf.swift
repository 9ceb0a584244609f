package import Circulation
import Crypto
import HTTP
package import HTTPClient
package import Machine
package import Pictures

/// Covers on demand: fetched when the first reader looks, scaled, kept in the cache folder, and drawn
/// where nobody has one. However many ask for a picture at once, it is fetched once.
package actor CoverShelf {
  package struct Settings: Sendable, Hashable {
    /// Bytes of pictures kept on disk.
    package var capacity: Int
    package var limits: ImageLimits
    /// How long one fetch may take.
    package var patience: Duration
    /// How long nobody asks again for what is not there, and for what could not be had.
    package var absence: Duration
    package var trouble: Duration

    package init(capacity: Int = 256 << 20, patience: Duration = .seconds(10)) {
      (self.capacity, self.patience) = (capacity, patience)
      limits = ImageLimits()
      (absence, trouble) = (.seconds(7 * 86_400), .seconds(600))
    }
  }

  /// A picture in each size; none where there is no picture.
  private typealias Prints = [CoverSize: [UInt8]]

  private let folder: CacheFolder
  /// By the library that named the picture.
  private let transport: @Sendable (LibraryID) -> Transport
  private let settings: Settings
  /// Milliseconds since 1970.
  private let now: @Sendable () -> Int64
  private let pictures: PictureMaker
  private let room: CoverRoom
  private var underWay: [String: Task<Prints, Never>] = [:]
  /// Bytes in the folder, as far as is known; nil before it was looked at.
  private var filled: Int?

  package init(
    in folder: CacheFolder, over transport: @escaping @Sendable (LibraryID) -> Transport,
    pictures: PictureMaker, settings: Settings = Settings(), now: @escaping @Sendable () -> Int64
  ) {
    (self.folder, self.transport, self.settings) = (folder, transport, settings)
    self.now = now
    self.pictures = pictures
    room = CoverRoom(patience: min(settings.patience, .seconds(10)))
  }

  /// There is always one: whatever keeps a picture away, a placeholder is drawn. Only a machine
  /// without fonts, or with too many pictures to make, has none.
  package func cover(of book: CoveredBook, _ size: CoverSize) async throws(ImageFault) -> Cover {
    for source in book.sources.prefix(Self.mostAddresses) {
      let key = Self.key(source)
      if let bytes = kept(key, size) { return Cover(bytes, .kept) }
      if let bytes = await fetched(source, key)[size] { return Cover(bytes, .fetched) }
    }
    return Cover(try await placeholder(of: book, size), .drawn)
  }

  /// Drawn once, by what is written on it.
  private func placeholder(of book: CoveredBook, _ size: CoverSize) async throws(ImageFault)
    -> [UInt8]
  {
    let words = [book.work, book.title] + book.authors
    let name = Self.name(Self.key(of: words.joined(separator: "\u{0}")), size, "png")
    if let bytes = keptFile(name, from: [0x89, 0x50], to: [0x42, 0x60, 0x82]) { return bytes }
    let bytes = try await pictures.placeholder(
      PlaceholderCover(
        work: book.work, title: book.title, authors: Array(book.authors.prefix(3)), size: size.box))
    keep(bytes, name)
    return bytes
  }

  /// Nobody waits for ten dead hosts.
  private static let mostAddresses = 3

  /// Says nothing of the address, which may name a library, and fits any file system.
  private static func key(_ source: CoverSource) -> String { key(of: source.name) }

  private static func key(of name: String) -> String {
    Digest.sha256.hash(name).prefix(20).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  private static func name(_ key: String, _ size: CoverSize, _ kind: String = "jpg") -> String {
    "\(key)-\(size.rawValue).\(kind)"
  }

  // MARK: - On disk

  private func kept(_ key: String, _ size: CoverSize) -> [UInt8]? {
    keptFile(Self.name(key, size), from: [0xFF, 0xD8], to: [0xFF, 0xD9])
  }

  private func keptFile(_ name: String, from start: [UInt8], to end: [UInt8]) -> [UInt8]? {
    guard let (bytes, used) = folder.read(name, upTo: settings.limits.bytes) else { return nil }
    // A power cut may leave a file without what was in it.
    guard bytes.starts(with: start), bytes.suffix(end.count).elementsEqual(end) else {
      folder.remove(name)
      return nil
    }
    // Not at each glance: reading shall not write.
    if now() - used > Self.glance { folder.touch(name, at: now()) }
    return bytes
  }

  private static let glance: Int64 = 3_600_000

  /// A file that says why there is none, until it is too old to be believed.
  private func isAbsent(_ key: String) -> Bool {
    guard let (note, written) = folder.read("\(key).none", upTo: 16) else { return false }
    let span = note == Self.troubled ? settings.trouble : settings.absence
    return now() < written + span.milliseconds
  }

  private static let troubled = Array("later".utf8)

  // MARK: - Fetching

  private func fetched(_ source: CoverSource, _ key: String) async -> Prints {
    if let running = underWay[key] { return await running.value }
    guard !isAbsent(key) else { return [:] }
    // Of its own: whoever asked first may lose patience, and others wait for it too.
    let task = Task { await fetch(source, key) }
    underWay[key] = task
    defer { underWay[key] = nil }
    return await task.value
  }

  private func fetch(_ source: CoverSource, _ key: String) async -> Prints {
    let address = source.address
    // Catalogues write braces and blanks into addresses; whoever reads them knows what is meant.
    let parsed = (try? Address(address)) ?? (try? Address(Address.escaped(address)))
    guard let parsed, ["http", "https"].contains(parsed.scheme) else {
      keep(Array("never".utf8), "\(key).none")
      return [:]
    }
    // Another time: nothing is known of this picture.
    guard await room.enter(source.library) else { return [:] }
    defer { room.leave(source.library) }
    do throws(CoverTrouble) {
      let bytes = try await download(parsed, over: transport(source.library))
      let prints = try await developed(bytes)
      for size in CoverSize.allCases { keep(prints[size] ?? [], Self.name(key, size)) }
      folder.remove("\(key).none")
      return prints
    } catch {
      keep(error == .later ? Self.troubled : Array("none".utf8), "\(key).none")
      return [:]
    }
  }

  private enum CoverTrouble: Error { case noPicture, later }

  /// In each size.
  private func developed(_ bytes: [UInt8]) async throws(CoverTrouble) -> Prints {
    let sizes = [CoverSize.large, .thumbnail]
    do throws(ImageFault) {
      let made = try await pictures.fitting(sizes.map(\.box), bytes)
      return Dictionary(uniqueKeysWithValues: zip(sizes, made))
    } catch {
      switch error {
      // It may be the machine's fault and not the picture's.
      case .busy, .stopped, .noProgram, .outOfMemory: throw .later
      default: throw .noPicture
      }
    }
  }

  /// Addresses come from feeds, so the client's gate judges them, and whoever they redirect to.
  private func download(
    _ address: Address, over transport: Transport
  ) async throws(CoverTrouble) -> [UInt8] {
    let request = HTTPClient.Request(
      .get, address, headers: ["Accept": "image/webp,image/jpeg,image/png,image/gif"],
      deadline: .at(.now + settings.patience), limits: .init(body: settings.limits.bytes))
    let reply: Reply
    do throws(TransportError) { reply = try await transport.send(request) } catch {
      switch error {
      case .refusedAddress, .refusedRedirect, .tooManyRedirects, .tooLarge, .invalidRequest:
        throw .noPicture
      default: throw .later
      }
    }
    switch reply.status.code {
    case 200: return reply.body
    case 429, 500...: throw .later
    default: throw .noPicture
    }
  }

  private func keep(_ bytes: [UInt8], _ name: String) {
    // A full disk keeps nothing, and nobody fails for that: the next one asks again.
    guard (try? folder.write(bytes, to: name, at: now())) != nil else { return }
    filled = filled.map { $0 + bytes.count } ?? folder.all().reduce(0) { $0 + $1.size }
    if let filled, filled > settings.capacity { makeRoom() }
  }

  /// The least used go first, and a tenth more than has to, so that it is not done for each.
  private func makeRoom() {
    let files = folder.all().sorted { ($0.used, $0.name) < ($1.used, $1.name) }
    var left = files.reduce(0) { $0 + $1.size }
    for file in files where left > settings.capacity / 10 * 9 {
      folder.remove(file.name)
      left -= file.size
    }
    filled = left
  }
}
