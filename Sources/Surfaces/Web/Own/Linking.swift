import Adobe
import Circulation
import Database
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Membership
import Phrasebook
import ProviderKit
import Registry
import Secrets

/// What the forms of accounts do.
struct Linking {
  private let own: Own
  private let form: FormFields
  private var enrollment: Enrollment { own.stock.enrollment }
  private var call: Call { own.lobby.lending.call(own.reader.patron, own.caller.request) }

  init(_ own: Own, _ form: FormFields) { (self.own, self.form) = (own, form) }

  // MARK: - A new one

  func carry() async throws(Problem) -> FormEnd {
    var page = try LinkPage(own, form)
    let library = LibraryID((form["at"] ?? "").trimmed)
    let way: SignInWay
    let described: ProviderKit.Library
    do throws(EnrollmentError) {
      (way, described) = (try enrollment.way(to: library), try enrollment.houses.library(library))
    } catch {
      return .page(try page.page(), .unprocessableContent)
    }
    let fields = LinkPage.Fields(way)
    if fields.isPage { return await away(to: described, nil) }
    switch fields.read(form) {
    case .failure(let trouble):
      page.trouble = trouble
      return .page(try page.page(), .unprocessableContent)
    case .success(let credentials):
      let name = (form["name"] ?? "").trimmed
      do throws(Stopped) {
        try await tried(credentials, at: library) { () throws(EnrollmentError) in
          _ = try await enrollment.link(
            library, of: described.provider,
            as: name.isEmpty ? .like(described.name) : .exactly(name),
            for: own.reader.patron, with: credentials, by: .patron, in: call)
        }
      } catch {
        page.trouble = error.trouble
        return .page(try page.page(), error.status)
      }
      return .onward(OwnPaths.accounts.print(), ["did": OwnDeed.linked.rawValue])
    }
  }

  // MARK: - One that is there

  func keep(_ account: Account) async throws(Problem) -> FormEnd {
    var page = AccountPage(own, account)
    switch form["do"] {
    case "check":
      let call = call
      do throws(EnrollmentError) { _ = try await enrollment.check(account, in: call) } catch {
        page.trouble = await stopped(error, at: account.library, by: call.deadline).trouble
        own.lobby.watch.forget()
        return .page(try await page.page(), .conflict)
      }
      return .onward(path(account), ["did": OwnDeed.checked.rawValue])
    case "renew": return try await renew(account, page)
    case "adobe":
      do throws(DatabaseError) {
        try await own.stock.adobe?.forget(own.reader.patron, at: account.library)
      } catch { throw Refusals.unread(said("Nothing can be written now.")) }
      return .onward(path(account), ["did": OwnDeed.adobeAnew.rawValue])
    default:
      throw Problem(.badRequest, code: "bad_value", detail: said("This form is not complete."))
    }
  }

  private func renew(_ account: Account, _ page: AccountPage) async throws(Problem) -> FormEnd {
    var page = page
    let way: SignInWay
    do throws(EnrollmentError) { way = try enrollment.way(to: account.library) } catch {
      page.trouble = Stopped(error, nameOf(account)).trouble
      return .page(try await page.page(), .conflict)
    }
    let fields = LinkPage.Fields(way)
    if fields.isPage, let described = try? enrollment.houses.library(account.library) {
      return await away(to: described, account)
    }
    switch fields.read(form) {
    case .failure(let trouble):
      page.trouble = trouble
      return .page(try await page.page(), .unprocessableContent)
    case .success(let credentials):
      do throws(Stopped) {
        try await tried(credentials, at: account.library) { () throws(EnrollmentError) in
          _ = try await enrollment.renew(account, with: credentials, by: .patron, in: call)
        }
      } catch {
        page.trouble = error.trouble
        return .page(try await page.page(), error.status)
      }
      return renewed(account, credentials)
    }
  }

  /// A pass ends with the PIN it was given for; whoever just typed the new one need not do it again.
  private func renewed(_ account: Account, _ credentials: Credentials) -> FormEnd {
    account.id == own.reader.pass.account
      ? .passing(path(account), .new(credentials))
      : .onward(path(account), ["did": OwnDeed.relinked.rawValue])
  }

  func unlink(_ account: Account) async throws(Problem) -> FormEnd {
    guard form["sure"] == "yes" else { return .page(AccountPage.unlinking(own, account)) }
    do throws(EnrollmentError) { try await enrollment.unlink(account, in: call) } catch {
      throw Refusals.unread(said("The account cannot be unlinked just now."))
    }
    return account.id == own.reader.pass.account
      ? .passing(LobbyPaths.signIn.print(), .ended)
      : .onward(OwnPaths.accounts.print(), ["did": OwnDeed.unlinked.rawValue])
  }

  // MARK: - At a service's own page

  private func away(to library: ProviderKit.Library, _ account: Account?) async -> FormEnd {
    do throws(EnrollmentError) {
      let visit = try await own.stock.visits.begin(
        at: library.id, for: own.reader.patron, account: account?.id,
        redirect: own.caller.request.absoluteLink(OwnPaths.back.print()), in: call)
      return .page(LinkPage.away(own, visit, library.name))
    } catch {
      return .page(failed(Stopped(error, library.name).trouble.words), .badGateway)
    }
  }

  func comeBack() async throws(Problem) -> FormEnd {
    let pasted = form["pasted"].map { ProviderKit.SignInPage.Answer(pasted: $0) }
    let answer = pasted ?? .redirected(FormFields(parsing: form["answer"] ?? ""))
    let found: PageVisits.Pending?
    do throws(EnrollmentError) {
      found = try await own.stock.visits.take(form["state"] ?? "", of: own.reader.patron)
    } catch { throw Refusals.unread(said("Nobody can sign in there just now.")) }
    guard let pending = found else {
      return .page(
        failed(said("This sign-in was not begun here, or too long ago. Begin once more.")),
        .conflict)
    }
    let name = own.lobby.stock.nameOfLibrary(pending.library)
    // It may have been unlinked meanwhile: then it is a new one.
    let known = pending.account.flatMap { id in own.shelf.accounts.first { $0.id == id } }
    do throws(EnrollmentError) {
      let credentials = try await own.stock.visits.finish(pending, answer, in: call)
      if let known {
        _ = try await enrollment.renew(known, with: credentials, by: .patron, in: call)
        return renewed(known, credentials)
      }
      let library = try enrollment.houses.library(pending.library)
      _ = try await enrollment.link(
        library.id, of: library.provider, as: .like(name), for: own.reader.patron,
        with: credentials, by: .patron, in: call)
    } catch {
      return .page(failed(Stopped(error, name).trouble.words), .conflict)
    }
    return .onward(OwnPaths.accounts.print(), ["did": OwnDeed.linked.rawValue])
  }

  private func failed(_ words: String) -> Page {
    var page = own.page(
      said("It was not linked"), .accounts,
      under: (OwnPaths.accounts.print(), said("Cards and services"))
    ) {
      tag("h1") { said("It was not linked") }
      tag("p") {
        tag("a", .init("class", "button"), .init("href", own.link(OwnPaths.accounts.print()))) {
          said("To cards and services")
        }
      }
    }
    page.notice = .alert(words)
    return page
  }

  // MARK: - Trying secrets

  /// A library counts wrong PINs and blocks cards. So they are counted here first, by the card and by
  /// where they come from.
  private func tried(
    _ credentials: Credentials, at library: LibraryID,
    _ body: () async throws(EnrollmentError) -> Void
  ) async throws(Stopped) {
    let deadline = call.deadline
    let request = own.caller.request
    let trial = Doorkeeper.CardTrial(
      of: own.reader.patron, at: library, number: credentials["card"],
      pin: credentials[Stopped.secretField],
      cookie: DeviceCookie(request.cookies[PageCookie.device.name(over: request)]))
    let name = own.lobby.stock.nameOfLibrary(library)
    var failure: EnrollmentError?
    let answer = await own.lobby.lending.doorkeeper.trying(trial, from: request.origin) {
      do throws(EnrollmentError) {
        try await body()
        return .right
      } catch {
        failure = error
        // What says nothing of the secrets is no guess.
        return Stopped(error, name).trouble.field == Stopped.secretField ? .wrong : .undecided
      }
    }
    switch answer {
    case .judged: break
    case .refused: throw Stopped.rejected(by: name)
    case .slowed(let seconds): throw Stopped(seconds: seconds)
    }
    if let failure { throw await stopped(failure, at: library, by: deadline) }
  }

  /// Where a patron gave the address, a failure says nothing of the network by its words or by its time.
  private func stopped(
    _ error: EnrollmentError, at library: LibraryID, by deadline: ContinuousClock.Instant
  ) async -> Stopped {
    if case .refused(let refusal) = error, refusal.explanation == nil,
      ![.credentialsRejected, .accountExpired, .accountBlocked].contains(refusal.reason),
      enrollment.houses.isGivenByPatron(library)
    {
      await own.stock.pause(deadline - .now)
      return .unanswered
    }
    return Stopped(error, own.lobby.stock.nameOfLibrary(library))
  }

  private func nameOf(_ account: Account) -> String {
    own.lobby.stock.nameOfLibrary(account.library)
  }

  private func path(_ account: Account) -> String { OwnPaths.account.print(account.id.rawValue) }
}
