import Circulation
import Crypto
import FoundationEssentials
import HTTP
import HTTPClient
import OPDS
import ProviderKit

/// What the first look at a catalogue tells: where things are, and how one signs in (§5). It is kept
/// for some minutes, where tokens are.
struct Start: Sendable {
  enum Flow: String, Sendable {
    case none, basic, password
    case basicToken = "basic-token"
  }

  var flow = Flow.none
  var isPrivate = false
  var authenticate: Address?
  var shelf: Address?
  var profile: Address?
  var crawlable: Address?
  /// An address with a place for words, or of the document that holds one.
  var search: String?
  var searchIsTemplate = false
  /// Whether it tells of rights to lend, and knows no readers.
  var isDistributor = false
}

extension OPDSLibraryProvider {
  func start(_ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> Start
  {
    let key = TokenDesk.Key(
      scope: "start \(settings.catalog.text)", credentials: settings.reader?.digest ?? [])
    let authorization = ProviderKit.Authorization(
      key: key,
      fetch: { [self] call throws(CirculationError) in
        let found = try await look(operation, in: call)
        return TokenDesk.Token(
          "start", expires: session.clock.now() + .seconds(600), notes: found.notes)
      })
    return Start(try await session.token(for: authorization, during: operation, in: call).notes)
  }

  private func look(_ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> Start
  {
    var start = Start()
    var reply = try await get(settings.catalog, .nobody, operation, in: call)
    if reply.status == .unauthorized {
      start.isPrivate = true
      try await learn(&start, from: reply, operation, in: call)
      guard settings.reader != nil else {
        throw failure(.credentialsRejected, operation, says: "the catalogue wants a sign-in")
      }
      reply = try await get(settings.catalog, .reader(start), operation, in: call)
    }
    // Only links are taken from it.
    let feed = try Documents.feed(reply, .mending, operation)
    start.take(feed.links)
    start.isDistributor =
      settings.isDistributor || feed.everyPublication.contains { !$0.licenses.isEmpty }
    guard settings.reader != nil, !start.isPrivate else { return start }
    if let link = feed.links.first(.authDocument)?.address {
      try await learn(
        &start, from: try await get(link, .nobody, operation, in: call), operation, in: call)
    } else if let shelf = start.shelf {
      // The door itself tells how it is opened.
      try await learn(
        &start, from: try await get(shelf, .nobody, operation, in: call), operation, in: call)
    }
    return start
  }

  /// From a 401 with the document, with a link to it, or with nothing but a challenge (§14.13).
  private func learn(
    _ start: inout Start, from reply: Reply, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) {
    var document = Documents.authentication(reply)
    if document == nil, let address = reply.linked(.authDocument) {
      document = Documents.authentication(try await get(address, .nobody, operation, in: call))
    }
    guard let document else {
      guard reply.status == .unauthorized || reply.status.isSuccess else {
        throw Documents.failure(reply, operation)
      }
      // Nothing is said: what works everywhere is tried.
      start.flow = .basic
      return
    }
    if start.shelf == nil { start.take(document.links) }
    try start.choose(among: document.flows, at: settings, operation)
  }

  func profile(at address: Address, in call: Call) async throws(CirculationError)
    -> AccountStanding?
  {
    let start = try await start(.checkAccount, in: call)
    do throws(CirculationError) {
      return Documents.standing(try await get(address, .reader(start), .checkAccount, in: call))
    } catch {
      // What is only good to know keeps nobody from the shelf.
      if [.cancelled, .deadlineExceeded].contains(error.reason) { throw error }
      return nil
    }
  }
}

extension Start {
  fileprivate mutating func take(_ links: [Link]) {
    shelf = shelf ?? links.first(.shelf)?.address
    profile = profile ?? links.first(.profile)?.address
    crawlable = crawlable ?? links.first(.crawlable)?.address
    guard search == nil else { return }
    let searches = links.all(.search)
    if let template = searches.first(where: { $0.isTemplated && $0.type?.isCatalog != false }) {
      (search, searchIsTemplate) = (template.href, true)
    } else if let description = searches.first(where: { $0.address != nil }) {
      search = description.href
    }
  }

  /// Basic goes everywhere and asks for nothing first.
  fileprivate mutating func choose(
    among flows: [AuthenticationDocument.Flow], at settings: Settings,
    _ operation: Circulation.Operation
  ) throws(CirculationError) {
    if flows.contains(where: { $0.type == .basic }) {
      flow = .basic
      return
    }
    for known in flows {
      guard let address = known.links.first(.authenticate)?.address else { continue }
      // A password goes out in the clear to nobody but the catalogue itself.
      guard address.isSecure || address.origin == settings.catalog.origin else { continue }
      switch known.type {
      case .oauthPassword: flow = .password
      case .basicToken: flow = .basicToken
      default: continue
      }
      authenticate = address
      return
    }
    throw Documents.failure(
      .notConfigured(
        what: "a sign-in without a browser: \(flows.map(\.type.name).first ?? "none")"),
      operation, says: nil)
  }

  // MARK: - As words beside a token

  fileprivate var notes: [String: String] {
    var notes = ["flow": flow.rawValue]
    let addresses = [
      "authenticate": authenticate, "shelf": shelf, "profile": profile, "crawlable": crawlable,
    ]
    for (name, address) in addresses { notes[name] = address?.text }
    notes["search"] = search
    if searchIsTemplate { notes["template"] = "yes" }
    if isPrivate { notes["private"] = "yes" }
    if isDistributor { notes["distributor"] = "yes" }
    return notes
  }

  fileprivate init(_ notes: [String: String]) {
    func address(_ name: String) -> Address? { notes[name].flatMap { try? Address($0) } }
    flow = notes["flow"].flatMap(Flow.init) ?? .none
    isPrivate = notes["private"] != nil
    isDistributor = notes["distributor"] != nil
    authenticate = address("authenticate")
    shelf = address("shelf")
    profile = address("profile")
    crawlable = address("crawlable")
    search = notes["search"]
    searchIsTemplate = notes["template"] != nil
  }
}

extension AccountStanding {
  /// Nobody signed in: there is the catalogue, and whatever is free to all.
  init(withholding start: Start) {
    self.init()
    withheld = [.shelf, .lending, .earlyReturn, .renewal, .holds]
    if start.search == nil { withheld.insert(.search) }
  }
}
