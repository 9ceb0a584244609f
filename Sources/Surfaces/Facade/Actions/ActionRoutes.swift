import Catalog
import Circulation
import Desk
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPServer
import OPDS
import Registry
import Slips

/// Borrowing for apps that can only browse and download (§9): a page about the book offers what can
/// be done as entries, each with an address that does it once and then shows what came of it.
extension LendingRoutes {
  func addActions<Note: Sendable>(
    to router: inout Router<Note>, _ road: Road, _ notes: Facade.Notes<Note>
  ) {
    let paths = road.paths
    router.on(.get, at: paths.actions, note: notes.reader) { request, work in
      await facade.answering(request, by: road, for: .read) { errand throws(Problem) in
        try await actions(work, errand)
      }
    }
    router.on(.get, .post, at: paths.deed, note: notes.reader) { request, slip in
      await facade.answering(request, by: road, for: .lend) { errand throws(Problem) in
        try await deed(slip, errand)
      }
    }
    router.immediate(.options, at: paths.actions, note: notes.open) { _, _ in Sharing.preflight }
    router.immediate(.options, at: paths.deed, note: notes.open) { _, _ in Sharing.writing }
  }

  // MARK: - The page in between

  private func actions(_ name: String, _ errand: Errand) async throws(Problem) -> Response {
    guard let reader = errand.visitor.reader else { throw Facade.unknownTitle }
    let entry = try await facade.stock.lookedAt(WorkID(name), errand.reach)
    // Nothing is signed for whoever only wants to know what kind of page this is.
    if errand.request.method == .head { return actionHead(errand) }
    let ways = Way.ranked(entry, for: errand.shelf)
    let offers = ActionOffers(
      nameOfLibrary: facade.stock.nameOfLibrary, work: entry.work,
      pickups: await stock.pickups(of: ways, for: errand.request)
    ).all(ways)
    let texts = try await signed { () throws(SlipError) in
      try await stock.slips.write(offers.map(\.slip), for: reader.patron)
    }
    var feed = actionFrame(
      entry.face.title, at: errand.paths.actions.print(name), ["actions", name], errand)
    feed.lead = .books
    feed.navigation = zip(offers, texts).map { offer, text in
      var line = errand.navigation(
        offer.title, errand.paths.deed.print(text), .acquisition,
        named: [
          "action", offer.slip.action.rawValue, offer.slip.account.rawValue,
          offer.slip.item.rawValue, offer.slip.choice ?? "",
        ], saying: offer.summary, updated: feed.updated)
      // Apps that keep what they have seen by its name must not take a new slip for an old one.
      line.id += ":" + String(text.prefix(12))
      return line
    }
    feed.subtitle = ways.map { $0.words(facade.stock.nameOfLibrary($0.listed.library)) }
      .joined(separator: " ")
    return actionFeed(feed, files(of: entry, errand), errand)
  }

  // MARK: - The deed

  private func deed(_ text: String, _ errand: Errand) async throws(Problem) -> Response {
    if errand.request.method == .head { return actionHead(errand) }
    guard let reader = errand.visitor.reader else { throw Facade.unknownTitle }
    let handed: HandedSlip
    do throws(SlipError) { handed = try await stock.slips.take(text, from: reader.patron) } catch {
      guard case .expired = error else { throw Self.problem(error) }
      return try refusal(Self.problem(error), of: nil, errand)
    }
    let outcome = try await outcome(of: handed, reader, errand)
    let now = try await facade.again(errand)
    switch outcome {
    case .refused(let problem): return try refusal(problem, of: handed.slip.work, now)
    case .done(let deed): return try await result(deed, of: handed, at: text, now)
    }
  }

  /// The file to download first, then the ways on.
  private func result(
    _ deed: Deed, of handed: HandedSlip, at text: String, _ errand: Errand
  ) async throws(Problem) -> Response {
    let slip = handed.slip
    let entry = try? await facade.whole(slip.work, errand)
    let library = errand.shelf?.accounts.first { $0.id == slip.account }?.library
    let name = library.map(facade.stock.nameOfLibrary) ?? "the library"
    var feed = actionFrame(
      deed.words(name), at: errand.paths.deed.print(text), ["done", handed.attempt], errand)
    feed.lead = .books
    feed.navigation = [
      errand.navigation(
        entry.map { "More about \($0.face.title)" } ?? "More about it",
        errand.paths.actions.print(slip.work.rawValue), .acquisition,
        named: ["actions", slip.work.rawValue], saying: "What else can be done with it.",
        updated: feed.updated),
      errand.navigation(
        "Your shelf", errand.paths.shelf.print(), .acquisition, named: ["shelf"],
        saying: "All loans and holds.", [.shelf], updated: feed.updated),
    ]
    return actionFeed(feed, entry.flatMap { files(of: $0, errand) }, errand)
  }

  private func outcome(
    of handed: HandedSlip, _ reader: Visitor.Reader, _ errand: Errand
  ) async throws(Problem) -> SlipOutcome {
    guard errand.shelf?.accounts.contains(where: { $0.id == handed.slip.account }) == true else {
      throw Facade.unknownTitle
    }
    return try await signed { () throws(SlipError) in
      try await stock.outcome(of: handed, from: reader.patron) { () throws(Problem) in
        let carrying = try await facade.stock.carrying(
          BegunSlip(handed: handed, isRepeated: false), errand.reach, facade.watch, by: stock,
          call: stock.call(reader.patron, errand.request))
        return try await carrying.perform(handed.slip.action, choice: handed.slip.choice)
      }
    }
  }

  /// Apps that show nothing of an error but its number get a page that says what is wrong (§6).
  private func refusal(
    _ problem: Problem, of work: WorkID?, _ errand: Errand
  ) throws(Problem) -> Response {
    guard errand.profile == .downloads else { throw problem }
    let sentences = [problem.detail ?? problem.title, problem.remedy].compactMap(\.self)
    let path =
      work.map { errand.paths.actions.print($0.rawValue) } ?? errand.paths.shelf.print()
    var feed = actionFrame(sentences[0], at: path, ["refused"], errand)
    var line = errand.navigation(
      sentences[0], path, .acquisition, named: ["refused", problem.code ?? ""],
      saying: sentences.joined(separator: " "), updated: feed.updated)
    line.id += ":" + errand.request.id.description
    feed.navigation = [line]
    return actionFeed(feed, nil, errand)
  }

  // MARK: - Feeds of one book

  private func actionFrame(
    _ title: String, at path: String, _ name: [String], _ errand: Errand
  ) -> Feed {
    var feed = errand.frame(title, .acquisition, at: path, named: name, in: facade)
    feed.updated = Date(milliseconds: facade.stock.now())
    return feed
  }

  /// What can be downloaded at once, and nothing else; nil where nothing can.
  private func files(of entry: CatalogEntry, _ errand: Errand) -> Publication? {
    var publication = facade.making(errand).publication(
      entry, changed: facade.stock.now(), for: errand.shelf, .short)
    publication.acquisitions.removeAll { !$0.has(.acquisition) && !$0.has(.openAccess) }
    publication.links.removeAll { $0.has(.subsection) || $0.has(.revoke) }
    return publication.acquisitions.isEmpty ? nil : publication
  }

  private func actionHead(_ errand: Errand) -> Response {
    var response = Response(
      headers: ["Content-Type": errand.version.feed(.acquisition).description])
    facade.seal(&response)
    return response
  }

  private func actionFeed(
    _ feed: Feed, _ publication: Publication?, _ errand: Errand
  ) -> Response {
    let rendered = [publication].compactMap(\.self).map {
      RenderedPublication($0, errand.version)
    }
    var response = Response.bytes(
      feed.document(errand.version, publications: rendered),
      errand.version.feed(publication == nil ? .navigation : .acquisition))
    facade.seal(&response)
    return response
  }

  // MARK: - Slips that are no good

  private func signed<Value: Sendable>(
    _ body: () async throws(SlipError) -> Value
  ) async throws(Problem) -> Value {
    do throws(SlipError) { return try await body() } catch { throw Self.problem(error) }
  }

  private static func problem(_ error: SlipError) -> Problem {
    switch error {
    case .notYours:
      Problem(
        .forbidden, code: "slip_not_yours", detail: "This address was not made for you.",
        remedy: "Open the book in your own catalogue.")
    case .expired, .keyDiffers:
      Problem(
        .gone, code: "slip_expired", detail: "This page is too old to act on.",
        remedy: "Open the book again.")
    case .database: Refusals.unread("Nothing can be written now.")
    case .locked:
      Problem(
        .serviceUnavailable, code: "vault_locked", detail: "The gateway is locked.",
        remedy: "Tell whoever runs it.")
    }
  }
}
