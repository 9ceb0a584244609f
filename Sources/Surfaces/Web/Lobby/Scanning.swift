import Barcodes
import HTTP
import HTTPServer
import Images
import Machine
import Secrets
import Synchronization

/// Reads the number of a card out of a photograph, for browsers that cannot do it themselves.
final class CardScanner: Sendable {
  enum End: Sendable, Hashable {
    case read(String)
    case nothing
    /// No picture of a kind that we know.
    case unreadable
    case tooLarge
    /// Others are being read, or this machine has nothing to read them with.
    case unavailable
  }

  private let running = Mutex(0)
  private static let most = 2
  /// Bars stay readable at this size, and what is larger takes longer for nothing.
  private static let side = 1800

  func read(_ photograph: [UInt8]) async -> End {
    let mayRun = running.withLock { running in
      guard running < Self.most else { return false }
      running += 1
      return true
    }
    guard mayRun else { return .unavailable }
    defer { running.withLock { $0 -= 1 } }
    return await OwnThread.run { Self.found(in: photograph) }
  }

  private static func found(in photograph: [UInt8]) -> End {
    let found: [Barcode.Found]
    do {
      let limits = ImageLimits(bytes: 12 << 20, pixels: 50_000_000)
      let picture = try Picture(decoding: photograph, limits).scaled(toFit: side, side)
      found = try Barcode.read(picture)
    } catch let fault as ImageFault {
      return fault == .tooLarge ? .tooLarge : .unreadable
    } catch {
      return .unavailable
    }
    // Of several, the longest: a price tag beside the card is shorter.
    guard let number = found.map(\.number).max(by: { $0.count < $1.count }) else { return .nothing }
    return .read(number)
  }
}

extension Lobby {
  func addScanning<Note: Sendable>(to router: inout Router<Note>, _ open: Note) {
    router.on(.post, at: LobbyPaths.photo, note: open, body: .upload) { request in
      await self.scanned(request)
    }
  }

  private func scanned(_ request: Request) async -> Response {
    let upload = request.upload
    let form = upload?.fields ?? FormFields()
    let onward = Onward(form[Onward.field])
    guard let cookie = request.doorMark, FormSeal(Secret(cookie)).allows(request, form)
    else { return door(request, onward, .staleForm, .forbidden) }
    guard let photograph = upload?.file("photo") else {
      return door(request, onward, .noPhoto, .unprocessableContent)
    }
    switch await scanner.read(photograph) {
    case .read(let number): return door(request, onward, nil, card: number)
    case .nothing: return door(request, onward, .nothingRead, .unprocessableContent)
    case .unreadable: return door(request, onward, .noPicture, .unprocessableContent)
    case .tooLarge: return door(request, onward, .largePhoto, .contentTooLarge)
    case .unavailable: return door(request, onward, .cannotRead, .serviceUnavailable)
    }
  }
}
