package import HTTP

/// The table of routes: which path and method leads to which handler. `Note` is whatever the
/// owner of the table wants to say of each route, above all who may use it; because it has no
/// default, no route can be added without saying so, and a test can walk the table.
package struct Router<Note: Sendable>: Sendable {
  package struct Row: Sendable {
    package let methods: [Method]
    package let pattern: String
    package let note: Note
    /// Of requests that may have a body.
    package let body: BodyLimit
    fileprivate let fits: @Sendable ([String]) -> Bool
    fileprivate let answer: @Sendable (Request) -> Handler.Answer?
  }

  /// In the order of adding.
  package private(set) var table: [Row] = []
  private var tree = RouteTree()
  private var surrounding: Surrounding?
  private var uploads: (@Sendable (Request) -> BodyLimit)?
  /// Makes the answer when no route does: 404, or 405 with the methods there are.
  private let refuse: @Sendable (Request, Status) -> Response

  package init(
    refuse: @escaping @Sendable (Request, Status) -> Response = { _, status in
      .problem(
        Problem(status, code: status == .notFound ? "not_found" : "method_not_allowed"))
    }
  ) {
    self.refuse = refuse
  }

  /// Says, from its head alone, what a request to a route for uploads may send.
  package mutating func decideUploads(_ decide: @escaping @Sendable (Request) -> BodyLimit) {
    uploads = decide
  }

  /// A route that waits for something before it answers.
  package mutating func on<Value>(
    _ methods: Method..., at path: RoutePath<Value>, note: Note,
    body: BodyLimit = .form, answer: @escaping @Sendable (Request, Value) async -> Response
  ) {
    add(methods, path, note, body) { request, value in .later { await answer(request, value) } }
  }

  /// A route that has its bytes at hand; it runs on the loop's thread.
  package mutating func immediate<Value>(
    _ methods: Method..., at path: RoutePath<Value>, note: Note,
    body: BodyLimit = .form, answer: @escaping @Sendable (Request, Value) -> Response
  ) {
    add(methods, path, note, body) { request, value in .now(answer(request, value)) }
  }

  /// A route that decides for each request whether it has to wait.
  package mutating func deciding<Value>(
    _ methods: Method..., at path: RoutePath<Value>, note: Note,
    body: BodyLimit = .form, answer: @escaping @Sendable (Request, Value) -> Handler.Answer
  ) {
    add(methods, path, note, body, answer)
  }

  package mutating func on(
    _ methods: Method..., at path: RoutePath<Void>, note: Note,
    body: BodyLimit = .form, answer: @escaping @Sendable (Request) async -> Response
  ) {
    add(methods, path, note, body) { request, _ in .later { await answer(request) } }
  }

  package mutating func immediate(
    _ methods: Method..., at path: RoutePath<Void>, note: Note,
    body: BodyLimit = .form, answer: @escaping @Sendable (Request) -> Response
  ) {
    add(methods, path, note, body) { request, _ in .now(answer(request)) }
  }

  /// What lies around the making of an answer: what is set there holds while it is made. It is given
  /// for answers that are at hand and for those that wait.
  package struct Surrounding: Sendable {
    fileprivate let now: @Sendable (Request, () -> Handler.Answer) -> Handler.Answer
    fileprivate let later: @Sendable (Request, () async -> Response) async -> Response

    package init(
      now: @escaping @Sendable (Request, () -> Handler.Answer) -> Handler.Answer,
      later: @escaping @Sendable (Request, () async -> Response) async -> Response
    ) {
      (self.now, self.later) = (now, later)
    }

    fileprivate func answer(
      _ request: Request, _ make: () -> Handler.Answer
    ) -> Handler.Answer {
      switch now(request, make) {
      case .now(let response): .now(response)
      case .later(let rest): .later { await later(request, rest) }
      }
    }
  }

  /// Adds routes that are all answered within the same surrounding.
  package mutating func within(_ surrounding: Surrounding, _ add: (inout Router) -> Void) {
    let before = self.surrounding
    self.surrounding = surrounding
    add(&self)
    self.surrounding = before
  }

  private mutating func add<Value>(
    _ methods: [Method], _ path: RoutePath<Value>, _ note: Note, _ body: BodyLimit,
    _ answer: @escaping @Sendable (Request, Value) -> Handler.Answer
  ) {
    let pattern = path.pattern
    let surrounding = surrounding
    tree.insert(table.count, at: path.segments)
    table.append(
      Row(
        methods: methods, pattern: pattern, note: note, body: body,
        fits: { path.match($0) != nil },
        answer: { request in
          path.match(request.path).map { value in
            let made =
              surrounding?.answer(request) { answer(request, value) } ?? answer(request, value)
            return Router.label(made, with: pattern)
          }
        }))
  }

  private static func label(_ answer: Handler.Answer, with pattern: String) -> Handler.Answer {
    switch answer {
    case .now(var response):
      response.route = pattern
      return .now(response)
    case .later(let rest):
      return .later {
        var response = await rest()
        response.route = pattern
        return response
      }
    }
  }

  /// The router as one handler, for a server or for a test.
  package var handler: Handler { Handler(bodyLimit: { bodyLimit($0) }, answering: { answer($0) }) }

  /// What no route takes may have no body either.
  private func bodyLimit(_ request: Request) -> BodyLimit {
    guard request.method != .get, request.method != .head, !request.isAboutServer,
      let row = rows(tree.routes(for: request.path), for: request.method).first(where: {
        $0.fits(request.path)
      })
    else { return .none }
    if row.body == .upload, let uploads { return uploads(request) }
    return row.body
  }

  private func rows(
    _ candidates: [Int], for method: Method
  ) -> some Sequence<Row> {
    candidates.lazy.map { table[$0] }.filter { row in
      // The server cuts the body off the answer to HEAD.
      row.methods.contains(method) || (method == .head && row.methods.contains(.get))
    }
  }

  private func answer(_ request: Request) -> Handler.Answer {
    if request.isAboutServer { return .now(options(Set(table.flatMap(\.methods)))) }
    let candidates = tree.routes(for: request.path)
    for row in rows(candidates, for: request.method) {
      if let answer = row.answer(request) { return answer }
    }
    let methods = candidates.filter { table[$0].fits(request.path) }.flatMap { table[$0].methods }
    guard !methods.isEmpty else { return .now(unknown(request)) }
    if request.method == .options { return .now(options(Set(methods))) }
    var response = refuse(request, .methodNotAllowed)
    response.headers.set("Allow", Router.allow(Set(methods)))
    return .now(response)
  }

  /// `/works/` where only `/works` is known leads there, with its query.
  private func unknown(_ request: Request) -> Response {
    let isRead = request.method == .get || request.method == .head
    guard isRead, request.path.last == "" else { return refuse(request, .notFound) }
    let path = Array(request.path.dropLast())
    guard !path.contains(""),
      tree.routes(for: path).contains(where: {
        table[$0].methods.contains(.get) && table[$0].fits(path)
      })
    else { return refuse(request, .notFound) }
    let link = path.map { "/" + PercentCoding.encode(segment: $0) }.joined()
    let query = request.head.rawQuery.map { "?" + $0 } ?? ""
    return .redirect(to: request.link(link.isEmpty ? "/" : link) + query, .permanentRedirect)
  }

  private func options(_ methods: Set<Method>) -> Response {
    Response(.noContent, headers: ["Allow": Router.allow(methods)])
  }

  private static func allow(_ methods: Set<Method>) -> String {
    var all = methods.union([.options])
    if all.contains(.get) { all.insert(.head) }
    return all.map(\.rawValue).sorted().joined(separator: ", ")
  }
}
