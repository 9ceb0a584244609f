import Database
import FrontDesk
import HTTP
import HTTPServer
import Machine
import Markup
import Phrasebook
import Pictures
import Profiles
import Registry

extension Lobby {
  func addProfile<Note: Sendable>(
    to router: inout Router<Note>, _ note: Note, _ stock: OwnStock
  ) {
    moment(OwnPaths.card, &router, note, stock) { own, id throws(Problem) in
      try await CardPage(own, own.account(id)).page()
    }
    form(OwnPaths.card, &router, note, stock, proof: .always) { own, id, form throws(Problem) in
      try await CardPage(own, own.account(id)).carry(form)
    }
    picture(OwnPaths.bars, &router, note, stock) { own, id throws(Problem) in
      guard own.reader.pass.isFresh(at: own.caller.now) else {
        throw Problem(.forbidden, code: "proof_needed")
      }
      return try await CardPage(own, own.account(id)).bars()
    }
    picture(OwnPaths.picture, &router, note, stock) { own, _ throws(Problem) in
      let found: [UInt8]?
      do throws(DatabaseError) {
        found = try await own.stock.profiles.picture(of: own.reader.patron)
      } catch {
        throw Refusals.unread(said("The picture cannot be read."))
      }
      guard let found else { throw Problem(.notFound, code: "not_found") }
      var response = Response.bytes(found, .jpeg)
      // Its address changes with it; on a machine that others use it must not outlive the sign-out.
      response.headers.set("Cache-Control", "private, max-age=3600")
      return response
    }
    form(OwnPaths.picture, &router, note, stock, body: .upload) { own, _, form throws(Problem) in
      try await self.keepPicture(own, form)
    }
  }

  /// Something that a page of a reader's own shows; nothing for anybody else.
  private func picture<Value, Note>(
    _ path: RoutePath<Value>, _ router: inout Router<Note>, _ note: Note, _ stock: OwnStock,
    _ make: @escaping @Sendable (Own, Value) async throws(Problem) -> Response
  ) {
    router.on(.get, at: path, note: note) { request, value in
      do throws(Problem) {
        let caller = try await self.caller(request)
        guard caller.reader != nil else { return WebRoutes.refusal(request, .notFound) }
        return try await make(try self.own(caller, stock), value)
      } catch {
        return WebRoutes.refusal(request, error.status)
      }
    }
  }

  private func keepPicture(_ own: Own, _ form: FormFields) async throws(Problem) -> FormEnd {
    let profiles = own.stock.profiles
    let patron = own.reader.patron
    do throws(DatabaseError) {
      if form["do"] == "drop" {
        try await profiles.dropPicture(of: patron)
        return .onward(OwnPaths.profile.print(), ["did": OwnDeed.unpictured.rawValue])
      }
      guard let photo = own.caller.request.upload?.file("photo") else {
        return try await refused(own, said("No picture was chosen."), .unprocessableContent)
      }
      let picture: [UInt8]
      do throws(ImageFault) {
        picture = try await pictures.square(Profiles.side, photo)
      } catch {
        return try await refused(own, error)
      }
      try await profiles.keep(picture: picture, of: patron)
      return .onward(OwnPaths.profile.print(), ["did": OwnDeed.pictured.rawValue])
    } catch {
      throw Refusals.unread(said("Nothing can be written now."))
    }
  }

  private func refused(
    _ own: Own, _ fault: ImageFault
  ) async throws(DatabaseError) -> FormEnd {
    switch fault {
    case .tooLarge:
      return try await refused(
        own, said("That picture is too large: take one of at most 12 megabytes."),
        .contentTooLarge)
    case .busy, .noProgram, .outOfMemory, .noReader, .noFont:
      return try await refused(
        own, said("Pictures cannot be read at the moment: please try again later."),
        .serviceUnavailable)
    case .unknownFormat, .damaged, .stopped:
      return try await refused(
        own, said("That file is no picture that can be read here: take a JPEG, PNG or WebP."),
        .unprocessableContent)
    }
  }

  private func refused(
    _ own: Own, _ words: String, _ status: Status
  ) async throws(DatabaseError) -> FormEnd {
    do throws(Problem) {
      var page = try await ProfilePage(own).page()
      page.notice = .alert(words)
      return .page(page, status)
    } catch {
      return .page(Page.refusal(error, own.caller), error.status)
    }
  }
}
