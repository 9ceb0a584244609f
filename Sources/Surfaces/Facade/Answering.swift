import Catalog
import Circulation
import Database
import FrontDesk
import HTTP
import HTTPServer
import OPDS
import Registry

extension Facade {
  /// Who gets an answer without signing in.
  enum Audience: Sendable {
    /// Whoever the settings let in.
    case anybody
    case readers
  }

  /// From memory where it can be, on the loop's own thread; else by looking, and by writing what is
  /// not written yet.
  func answer(
    _ request: Request, by road: Road, for audience: Audience,
    _ make: @escaping @Sendable (Errand) async throws(Problem) -> Draft
  ) -> Handler.Answer {
    let version: FeedVersion
    do throws(Problem) { version = try road.version(for: request) } catch {
      return .now(Self.refusal(error))
    }
    let head = Letterhead(site: request.site, version: version, signer: signer)
    guard request["Authorization"] == nil else {
      return .later { await answerReader(request, head, make) }
    }
    guard audience == .anybody, settings.isPublic else { return .now(signIn(request, head)) }
    let key = pageKey(request, head, nil)
    if let sight = watch.fresh, let page = pages.page(key), page.pulse == sight.pulse {
      return .now(.cached(page.body))
    }
    return .later {
      await answered { () throws(Problem) in
        try await page(key, request, head, .anonymous, make)
      }
    }
  }

  private func answerReader(
    _ request: Request, _ head: Letterhead,
    _ make: @escaping @Sendable (Errand) async throws(Problem) -> Draft
  ) async -> Response {
    let visitor: Visitor
    switch await stock.admit(request) {
    case .visitor(let known): visitor = known
    case .unknown: return signIn(request, head)
    case .needsLibrary: return signIn(request, head, needsLibrary: true)
    case .refused(let problem): return Self.refusal(problem)
    case .slowed(let seconds): return Self.refusal(Self.slowed(seconds))
    }
    guard let reader = visitor.reader else { return signIn(request, head) }
    guard reader.scopes.contains(.read) else { return Self.refusal(Self.outOfScope(.read)) }
    // Each for itself: a reader who has just borrowed must not be shown what somebody began to
    // look up before.
    return await answered { () throws(Problem) in
      let key = pageKey(request, head, visitor.reader)
      return try await page(key, request, head, visitor, make)
    }
  }

  private func answered(
    _ body: () async throws(Problem) -> Response
  ) async -> Response {
    do throws(Problem) { return try await body() } catch { return Self.refusal(error) }
  }

  /// What cannot be had is told to programs in their own words, and kept by nobody.
  static func refusal(_ problem: Problem) -> Response {
    var problem = problem
    problem.retryAfter = problem.retryAfter ?? Refusals.patience(problem)
    var response = Response.problem(problem)
    response.headers.set("Cache-Control", "no-store")
    Sharing.add(to: &response.headers)
    return response
  }

  // MARK: - Pages

  private func pageKey(
    _ request: Request, _ head: Letterhead, _ reader: Visitor.Reader?
  ) -> String {
    let who = reader.map {
      "\($0.patron.rawValue) \($0.profile.rawValue) \($0.scopes.words.joined(separator: ","))"
    }
    return "\(head.version.rawValue)|\(who ?? "")|\(head.site)|"
      + request.path.joined(separator: "\u{1}") + "?" + (request.head.rawQuery ?? "")
  }

  private func page(
    _ key: String, _ request: Request, _ head: Letterhead, _ visitor: Visitor,
    _ make: @escaping @Sendable (Errand) async throws(Problem) -> Draft
  ) async throws(Problem) -> Response {
    let (errand, pulse) = try await errand(request, head, visitor)
    let kept = pages.page(key)
    if let kept, kept.pulse == pulse { return .cached(kept.body) }
    // By the pulse, too: a reader who has just borrowed is not shown what somebody began to look up
    // before.
    return await pages.once("\(key)|\(pulse)") {
      await answered { () throws(Problem) in
        try await written(key, errand, pulse, unlike: kept, make)
      }
    }
  }

  private func written(
    _ key: String, _ errand: Errand, _ pulse: String, unlike kept: Pages.Page?,
    _ make: @Sendable (Errand) async throws(Problem) -> Draft
  ) async throws(Problem) -> Response {
    let draft = try await make(errand)
    let sum = draft.hashValue
    if let kept, kept.draft == sum {
      pages.note(pulse, key)
      return .cached(kept.body)
    }
    let body = CachedBody(
      try await bytes(of: draft, errand), type(of: draft, errand.version),
      headers: headers(of: draft, errand))
    if draft.privacy == .ordinary {
      pages.keep(Pages.Page(body: body, draft: sum, pulse: pulse), key)
    }
    return .cached(body)
  }

  func errand(
    _ request: Request, _ head: Letterhead, _ visitor: Visitor
  ) async throws(Problem) -> (errand: Errand, pulse: String) {
    do throws(StockError) {
      let sight = try await watch.look()
      guard let reader = visitor.reader else {
        return (
          Errand(
            request: request, head: head, visitor: visitor, shelf: nil,
            libraries: stock.libraries, silent: sight.silent), sight.pulse
        )
      }
      let glance = try await watch.shelf(of: reader.patron)
      return (
        Errand(
          request: request, head: head, visitor: visitor, shelf: glance.shelf,
          libraries: glance.shelf.libraries, silent: sight.silent),
        "\(sight.pulse)|\(glance.pulse)"
      )
    } catch {
      throw Refusals.unread(error.what)
    }
  }

  func type(of draft: Draft, _ version: FeedVersion) -> MediaType {
    let type: MediaType
    switch draft.body {
    case .feed(let feed, let items, let groups):
      let isLending = !items.isEmpty || groups.contains { !$0.isEmpty }
      type = version.feed(isLending ? .acquisition : feed.kind)
    case .entry: type = version.entry
    }
    guard version == .atom else { return type }
    return MediaType(type.type, type.subtype, type.parameters + [.init("charset", "utf-8")])
  }

  func headers(of draft: Draft, _ errand: Errand) -> Headers {
    var headers: Headers = [:]
    let caching =
      switch (draft.privacy, errand.visitor) {
      case (.kept, _): "private, no-store"
      case (.ordinary, .reader): "private, no-cache"
      case (.ordinary, .anonymous): errand.request.caching(seconds: 600)
      }
    headers.set("Cache-Control", caching)
    headers.set("Vary", "Accept, Authorization")
    Sharing.add(to: &headers)
    return headers
  }

  // MARK: - Writing

  func bytes(of draft: Draft, _ errand: Errand) async throws(Problem) -> [UInt8] {
    switch draft.body {
    case .entry(let publication):
      return RenderedPublication(publication, errand.version).document
    case .feed(let feed, let items, let groups):
      let rendered = try await rendered(items + groups.flatMap { $0 }, errand)
      var shown: [[RenderedPublication]] = []
      var rest = rendered[...]
      for group in [items] + groups {
        shown.append(rest.prefix(group.count).compactMap(\.self))
        rest = rest.dropFirst(group.count)
      }
      return feed.document(
        errand.version, publications: shown[0], groups: Array(shown.dropFirst()))
    }
  }

  /// One for each item, in their order; nil for a work that has gone meanwhile.
  private func rendered(
    _ items: [Draft.Item], _ errand: Errand
  ) async throws(Problem) -> [RenderedPublication?] {
    let scope = errand.libraries.map(\.rawValue).joined(separator: ",")
    func key(_ version: WorkVersion) -> String {
      "\(errand.version.rawValue)|\(errand.profile.rawValue)|\(errand.head.site)|\(scope)"
        + "|\(version.work.rawValue)|\(String(version.version, radix: 36))"
    }
    var known: [WorkID: RenderedPublication] = [:]
    var missing: [WorkVersion] = []
    for case .shared(let version) in items where known[version.work] == nil {
      if let entry = pages.entry(key(version)) {
        known[version.work] = entry
      } else if !missing.contains(version) {
        missing.append(version)
      }
    }
    if !missing.isEmpty {
      let versions = Dictionary(missing.map { ($0.work, $0) }, uniquingKeysWith: { $1 })
      let works = missing.map(\.work)
      let entries = try await read { () throws(DatabaseError) in
        try await stock.catalog.entries(of: works, at: errand.libraries)
      }
      let making = making(errand)
      for entry in entries {
        guard let version = versions[entry.work] else { continue }
        let publication = making.publication(entry, changed: version.changed, .short)
        let rendered = RenderedPublication(publication, errand.version)
        pages.keep(rendered, key(version))
        known[entry.work] = rendered
      }
    }
    return items.map { item in
      switch item {
      case .shared(let version): known[version.work]
      case .own(let publication): RenderedPublication(publication, errand.version)
      }
    }
  }

  func making(_ errand: Errand) -> EntryMaking {
    EntryMaking(errand.head, errand.profile, nameOfLibrary: stock.nameOfLibrary)
  }
}

extension Request {
  /// What stands before every path: from the settings, or from what the client calls us.
  var site: String { "\(scheme)://\(host)\(basePath)" }
}
