import HTTP
import HTTPServer
import Pictures
import Secrets

extension Lobby {
  /// Reads the number of a card out of a photograph, for browsers that cannot do it themselves.
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
    do throws(ImageFault) {
      guard let number = try await pictures.cardNumber(photograph) else {
        return door(request, onward, .nothingRead, .unprocessableContent)
      }
      return door(request, onward, nil, card: number)
    } catch {
      switch error {
      case .tooLarge: return door(request, onward, .largePhoto, .contentTooLarge)
      // Others are being read, or this machine has nothing to read them with.
      case .busy, .noProgram, .noReader, .outOfMemory:
        return door(request, onward, .cannotRead, .serviceUnavailable)
      case .unknownFormat, .damaged, .stopped, .noFont:
        return door(request, onward, .noPicture, .unprocessableContent)
      }
    }
  }
}
