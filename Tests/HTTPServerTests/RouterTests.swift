import HTTP
import HTTPServer
import Testing

@Suite struct RouterTests {
  enum Access: Sendable { case everyone, patron }

  static let work = Path.root / "works" / .text("id")
  static let page = work / "pages" / .number("page")
  static let triple = page / .text("word")
  static let files = Path.root / "files" / .rest("path")

  static let router: Router<Access> = {
    var router = Router<Access>()
    router.immediate(.get, at: Path.root, note: .everyone) { _ in .text("home") }
    router.immediate(.get, at: Path.root / "works", note: .everyone) { _ in .text("works") }
    router.immediate(.get, at: Path.root / "works" / "new", note: .everyone) { _ in .text("new") }
    router.immediate(.get, at: work, note: .everyone) { _, id in .text("work \(id)") }
    router.on(.put, .delete, at: work, note: .patron) { request, id in
      .text("\(request.method) \(id)")
    }
    router.immediate(.get, at: page, note: .everyone) { _, place in
      .text("page \(place.1) of \(place.0)")
    }
    router.immediate(.get, at: triple, note: .everyone) { _, place in
      .text("\(place.0) \(place.1) \(place.2)")
    }
    router.immediate(.get, at: files, note: .everyone) { _, path in
      .text(path.joined(separator: "|"))
    }
    router.on(.post, at: Path.root / "loans", note: .patron) { _ in Response(.created) }
    return router
  }()

  static func answer(
    _ method: Method = .get, _ target: String
  ) async throws -> (status: Status, text: String, headers: Headers, route: String?) {
    let request = try Request(method, target)
    let response = await router.handler(request)
    let reply = response.reply(to: request)
    return (
      reply.status, String(decoding: reply.bytes ?? [], as: UTF8.self), reply.headers,
      response.route
    )
  }

  @Test(arguments: [
    ("/", "home"), ("/works", "works"), ("/works/new", "new"), ("/works/7", "work 7"),
    ("/works/a%2Fb", "work a/b"), ("/works/%C3%A9%20x", "work é x"),
    ("/works/7/pages/12", "page 12 of 7"), ("/works/new/pages/1", "page 1 of new"),
    ("/works/7/pages/12/hat", "7 12 hat"), ("/files/a/b/c", "a|b|c"), ("/works/7?x=1", "work 7"),
  ])
  func `a path leads to its route`(target: String, text: String) async throws {
    #expect(try await Self.answer(.get, target).text == text)
  }

  @Test(arguments: [
    "/nowhere", "/works/7/pages", "/works/7/pages/x", "/works/7/pages/-1x", "/works/7/pages/007",
    "/works//pages/1", "/files", "/files/", "/files/a%2Fb", "//works", "/Works",
  ])
  func `an unknown path is 404`(target: String) async throws {
    #expect(try await Self.answer(.get, target).status == .notFound)
  }

  @Test func `an unknown method is 405 with those there are`() async throws {
    let answer = try await Self.answer(.post, "/works/7")
    #expect(answer.status == .methodNotAllowed)
    #expect(answer.headers["Allow"] == "DELETE, GET, HEAD, OPTIONS, PUT")
    let loans = try await Self.answer(.get, "/loans")
    #expect(loans.status == .methodNotAllowed)
    #expect(loans.headers["Allow"] == "OPTIONS, POST")
  }

  @Test func `OPTIONS tells the methods`() async throws {
    let answer = try await Self.answer(.options, "/works/7")
    #expect(answer.status == .noContent)
    #expect(answer.headers["Allow"] == "DELETE, GET, HEAD, OPTIONS, PUT")
    let all = try await Self.answer(.options, "*")
    #expect(all.headers["Allow"] == "DELETE, GET, HEAD, OPTIONS, POST, PUT")
    #expect(try await Self.answer(.options, "/nowhere").status == .notFound)
  }

  @Test func `HEAD is GET without the body`() async throws {
    let answer = try await Self.answer(.head, "/works/7")
    #expect(answer.status == .ok)
    #expect(answer.text == "")
    #expect(answer.headers["Content-Length"] == "6")
  }

  @Test func `a slash too many leads to the right place`() async throws {
    let answer = try await Self.answer(.get, "/works/7/?q=a")
    #expect(answer.status == .permanentRedirect)
    #expect(answer.headers["Location"] == "/works/7?q=a")
    #expect(try await Self.answer(.post, "/loans/").status == .notFound)
    #expect(try await Self.answer(.get, "//evil.example/").status == .notFound)
  }

  @Test func `what a route prints, it reads`() {
    for id in ["7", "a/b", "..", "é x", "100%", "?#", "a+b"] {
      let link = Self.work.print(id)
      let parts = link.split(separator: "/").map { PercentCoding.decode(String($0)) ?? "" }
      #expect(Self.work.match(parts) == id)
    }
    #expect(Path.root.print() == "/")
    #expect(Self.page.print(("x", 3)) == "/works/x/pages/3")
    #expect(Self.triple.print(("x", 3, "y")) == "/works/x/pages/3/y")
    #expect(Self.files.print(["a", "b c"]) == "/files/a/b%20c")
    #expect(Self.page.pattern == "/works/{id}/pages/{page}")
    #expect(Self.files.pattern == "/files/{path...}")
  }

  @Test func `answers carry the pattern, not the path`() async throws {
    #expect(try await Self.answer(.get, "/works/7").route == "/works/{id}")
    #expect(try await Self.answer(.put, "/works/7").route == "/works/{id}")
    #expect(try await Self.answer(.get, "/nowhere").route == nil)
  }

  @Test func `the table can be walked`() {
    let patron = Self.router.table.filter { $0.note == .patron }
    #expect(patron.map(\.pattern) == ["/works/{id}", "/loans"])
    #expect(patron[0].methods == [.put, .delete])
    #expect(Self.router.table.count == 9)
  }
}

@Suite struct MiddlewareTests {
  static func tag(_ name: String) -> Middleware {
    Middleware(after: { _, response in response.headers.add("X-Order", name) })
  }

  @Test(arguments: [true, false])
  func `the first is the outermost, for quick and slow handlers`(isQuick: Bool) async throws {
    let inner = isQuick ? Handler.immediate { _ in .text("x") } : Handler { _ in .text("x") }
    let handler = inner.wrapped(in: [Self.tag("outer"), Self.tag("inner")])
    let response = await handler(try Request())
    #expect(response.headers.all("X-Order") == ["inner", "outer"])
  }

  @Test func `an answer given before is the answer`() async throws {
    let door = Middleware(before: { $0["Authorization"] == nil ? Response(.unauthorized) : nil })
    let handler = Handler { _ in .text("in") }.wrapped(in: [Self.tag("x"), door])
    #expect(try await handler(Request()).status == .unauthorized)
    #expect(try await handler(Request()).headers["X-Order"] == "x")
    #expect(try await handler(Request(headers: ["Authorization": "x"])).status == .ok)
  }

  @Test func `a quick handler stays quick`() throws {
    let handler = Handler.immediate { _ in .text("x") }.wrapped(in: [.requestID])
    guard case .now(let response) = handler.answer(try Request(id: "r1")) else {
      Issue.record("it became slow")
      return
    }
    #expect(response.headers["X-Request-Id"] == "r1")
  }

  @Test func `fields are added unless the handler has set them`() async throws {
    let handler = Handler.immediate { _ in Response(headers: ["X-A": "own"]) }
      .wrapped(in: [.headers(["X-A": "common", "X-B": "common"])])
    let response = await handler(try Request())
    #expect(response.headers.all("X-A") == ["own"])
    #expect(response.headers["X-B"] == "common")
  }
}

@Suite struct RequestTests {
  @Test func `everything can be asked of a request`() throws {
    let request = try Request(
      .post, "/a/b%20c?q=1&q=2&r=x+y",
      headers: [
        "Content-Type": "application/x-www-form-urlencoded", "Cookie": "s=1; t=2", "X-A": "v",
      ], body: Array("name=a+b".utf8))
    #expect(request.method == .post)
    #expect(request.path == ["a", "b c"])
    #expect(request.query.all("q") == ["1", "2"])
    #expect(request.query["r"] == "x y")
    #expect(request.form?["name"] == "a b")
    #expect(request.cookies["t"] == "2")
    #expect(request["x-a"] == "v")
    #expect(request.headers["X-A"] == "v")
    #expect(request.head.rawTarget == "/a/b%20c?q=1&q=2&r=x+y")
    #expect(request.head.rawPath == "/a/b%20c")
  }

  @Test func `a test cannot ask what a client could not`() {
    #expect(throws: Refusal.malformed(.path)) { try Request(.get, "/a/../b") }
    #expect(throws: Refusal.malformed(.host)) { try Request(headers: ["Host": "a b"]) }
  }

  @Test func `a form of another type is none`() throws {
    let request = try Request(
      .post, "/", headers: ["Content-Type": "text/plain"], body: Array("a=b".utf8))
    #expect(request.form == nil)
  }
}
