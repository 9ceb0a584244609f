import Circulation
import Crypto
import Database
import Desk
import FoundationEssentials
import HTTP
import HTTPClient
import Machine
import ProviderKit

/// From the address to a file that is good.
extension Errand {
  func fetch() async throws(Trouble) -> Arrival {
    try await porter.sentry?.expectScanner()
    if let arrival = try await attempt() { return arrival }
    // An address is good for one use or for a while; another one is asked for, once.
    if let arrival = try await attempt() { return arrival }
    throw .linkRefused
  }

  /// Nil where the address is worn out.
  private func attempt() async throws(Trouble) -> Arrival? {
    let fulfilment = try await address()
    let wanted: Examination.Wanted
    switch fulfilment {
    case .handOff(let link):
      porter.tell(.page(ticket, address: link.address))
      throw .readAtProvider
    case .file(let link): wanted = .file(link.format.content)
    case .licence(_, let protection): wanted = .licence(protection)
    case .manifest: wanted = .manifest
    }
    let link = fulfilment.link
    // Some have nothing to fetch: the vendor's app knows by itself.
    guard !link.address.isEmpty else { throw .readAtProvider }
    try await onDisk { [folder = books.incoming] () throws(FileError) in
      try Folder.makePrivate(folder)
    }
    if let document = InlineDocument.bytes(of: link.address) {
      return try await exchanged(try await written(document, wanted), link.format)
    }
    let now = Date(timeIntervalSince1970: Double(porter.queue.now()) / 1000)
    if let expires = link.expires, expires <= now { return nil }
    guard let arrival = try await download(link, wanted) else { return nil }
    return try await exchanged(arrival, link.format)
  }

  private func address() async throws(Trouble) -> Fulfilment {
    let wish = ticket.wish
    let call = Call(
      patron: wish.patron, deadline: porter.time.monotonic() + porter.settings.patience,
      requestID: "download-\(ticket.id)")
    do throws(DeskError) {
      return try await porter.fulfil(wish.account, wish.item, wish.format, call)
    } catch {
      throw Trouble(error)
    }
  }

  // MARK: - Over the line

  func download(
    _ link: Fulfilment.Link, _ wanted: Examination.Wanted
  ) async throws(Trouble) -> Arrival? {
    guard let address = try? Address(link.address), ["http", "https"].contains(address.scheme)
    else { throw .addressRefused }
    let fitting = try await stored { () async throws(StoreTrouble) in
      try await books.mostFitting()
    }
    if let length = link.length, length > fitting { throw .noRoom }
    var request = HTTPClient.Request(.get, address, deadline: .never)
    for header in link.headers { request.headers.set(header.name, header.value) }
    request.secretHeaders = link.headers.map(\.name)
    request.limits.body = min(most(link), fitting)

    let path = books.incoming(ticket)
    let digest = RunningDigest(of: "\(path).part")
    async let following: Void = digest.follow()
    let reached = reached
    // Not by the address: the next one for the same file is another.
    var download = Download(
      request, to: path, key: "ticket \(ticket.id) \(link.format.id)",
      progress: { step in
        reached.set(step)
        digest.grew(to: step.received)
      })
    download.disk = porter.disk
    let outcome: Download.Outcome
    do throws(TransportError) {
      outcome = try await download.run(over: porter.transport(ticket.wish.library))
    } catch {
      let isForRoom = fitting < most(link)
      if case .tooLarge = error, isForRoom { throw .noRoom }
      throw Trouble(error)
    }
    digest.stop()
    await following
    switch outcome {
    case .answered(let reply):
      if case let trouble = Trouble(reply), trouble != .linkRefused { throw trouble }
      return nil
    case .stored(let stored):
      let whole = try await own(path)
      let fields = stored.head.headers
      let isCounted =
        fields["Content-Encoding"] == nil
        && (fields["Content-Length"] != nil || fields["Content-Range"] != nil)
      let (kind, mark) = try await examined(
        Examination(path: whole, size: stored.size, declared: link.length, isCounted: isCounted),
        wanted)
      let bytes: [UInt8]
      do throws(MachineError) { bytes = try await digest.finished(whole, stored.size) } catch {
        throw Trouble(error)
      }
      return Arrival(
        path: whole, digest: Hex.encode(bytes), size: stored.size, kind: kind, mark: mark)
    }
  }

  /// Catalogues are behind their files, but not by as much as a server that never ends.
  private func most(_ link: Fulfilment.Link) -> Int {
    let most = porter.settings.mostBytes
    guard let length = link.length, length < most / 2 else { return most }
    return min(most, length * 2 + (1 << 20))
  }

  // MARK: - Documents that came with the answer

  private func written(
    _ document: [UInt8], _ wanted: Examination.Wanted
  ) async throws(Trouble) -> Arrival {
    let whole = wholePath
    try await onDisk { () throws(FileError) in
      do throws(MachineError) { try WholeFile.write(document, to: whole) } catch {
        throw .failed(error)
      }
    }
    reached.set(Download.Progress(received: document.count, total: document.count))
    let examination = Examination(
      path: whole, size: document.count, declared: nil, isCounted: true)
    let (kind, mark) = try await examined(examination, wanted)
    return Arrival(
      path: whole, digest: Hex.encode(Digest.sha256.hash(document)), size: document.count,
      kind: kind, mark: mark)
  }

  // MARK: - Steps

  /// A name that only this claim uses, so that a worker that was given up cannot mix its file with that
  /// of the one who came after.
  private var wholePath: String { books.whole(claim) }

  private func own(_ path: String) async throws(Trouble) -> String {
    let whole = wholePath
    try await onDisk { () throws(FileError) in
      do throws(MachineError) { try GuardedFile.move(path, over: whole) } catch {
        throw .failed(error)
      }
    }
    return whole
  }

  /// A file that is no good is not kept, and nothing is gone on with.
  private func examined(
    _ examination: Examination, _ wanted: Examination.Wanted
  ) async throws(Trouble) -> (FileKind, ScanMark?) {
    let result = await OwnThread.run {
      Result { () throws(Trouble) in try examination.kind(wanted) }
    }
    do throws(Trouble) {
      let kind = try result.get()
      let mark = try await porter.sentry?.look(at: examination.path)
      return (kind, mark)
    } catch {
      reached.set(Download.Progress(received: 0, total: nil))
      if error == .malware { await condemn(examination.path) }
      await removeWhole()
      throw error
    }
  }

  /// The same bytes may stand in the store, from before anybody looked for malware or knew this one.
  private func condemn(_ path: String) async {
    let digest = await OwnThread.run { try? BookStore.measure(path).digest }
    guard let digest else { return }
    // What cannot be taken out now is met again by whoever asks for it next.
    do throws(StoreTrouble) { try await books.condemn(Hex.encode(digest)) } catch { return }
  }

  /// What cannot be removed now is swept later.
  func removeWhole() async {
    let whole = wholePath
    do throws(StoreTrouble) { try await books.remove([whole]) } catch { return }
  }

  @discardableResult
  private func onDisk<T: Sendable>(
    _ work: @escaping @Sendable () throws(FileError) -> T
  ) async throws(Trouble) -> T {
    try await stored { () async throws(StoreTrouble) in try await books.onDisk(work) }
  }

  private func stored<T: Sendable>(
    _ work: () async throws(StoreTrouble) -> T
  ) async throws(Trouble) -> T {
    do throws(StoreTrouble) { return try await work() } catch { throw Trouble(error) }
  }
}
