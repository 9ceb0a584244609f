import Circulation
import HTTP
import Items
import Membership
import ProviderKit
import Setup
import SignIn

extension Visit {
  func credentials(_ given: GivenCredentials, at library: LibraryID)
    async throws(ErrorItem) -> Credentials
  {
    let described = try opened { () throws(HouseError) in try house.counter.library(library) }
    switch given {
    case .fields(let fields): return Credentials(fields)
    case .page(let open):
      let way: SignInWay
      do throws(EnrollmentError) { way = try house.enrollment.way(to: library) } catch {
        throw ErrorItem(error)
      }
      guard case .page(let page) = way else {
        throw ErrorItem(HouseError.library(library, "a sign-in page"))
      }
      return try await signIn(at: page, described, open)
    }
  }

  /// Sends the reader to the service's own page and waits on loopback for the way back.
  private func signIn(
    at page: SignInPage, _ library: ProviderKit.Library, _ open: @Sendable (String) -> Void
  ) async throws(ErrorItem) -> Credentials {
    let session = house.counter.session(of: library)
    // People type slowly and look for their cards.
    let call = call(.seconds(600))
    guard let state = try? OAuth2.newWord() else { throw ErrorItem("unexpected") }
    let catcher: RedirectCatcher
    do throws(RedirectCatcher.Fault) {
      catcher = try RedirectCatcher(port: try port(of: library), state: state)
    } catch {
      throw ErrorItem(
        HouseError.library(library.id, "a free port for the way back (redirect_port)"))
    }
    do {
      let visit = try await page.begin(
        .init(redirect: catcher.redirect, state: state), session, call)
      open(visit.address.text)
      let answer = try await catcher.answer(before: call.deadline)
      return try await page.finish(visit, .redirected(answer), session, call)
    } catch let error as CirculationError {
      await catcher.close()
      throw ErrorItem(error).about(library)
    } catch {
      await catcher.close()
      throw ErrorItem("deadline_exceeded").about(library)
    }
  }

  /// Services compare the redirect letter for letter with what was registered, port and all.
  private func port(of library: ProviderKit.Library) throws(RedirectCatcher.Fault) -> Int {
    guard let text = library.settings["redirect_port"] else { return 0 }
    guard let port = Int(text) else { throw .cannotListen }
    return port
  }
}

extension ErrorItem {
  fileprivate func about(_ library: ProviderKit.Library) -> ErrorItem {
    var item = self
    (item.library, item.account) = (library.name, library.id.rawValue)
    return item
  }
}
