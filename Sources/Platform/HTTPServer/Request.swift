package import HTTP

/// One request as handlers see it: already checked, its path decoded, its origin judged.
package struct Request: Sendable {
  /// What stays the same for all requests of one connection.
  final class Line: Sendable {
    let peer: Peer
    let policy: ProxyPolicy
    let presence = Presence()
    let permits = Permits()

    init(peer: Peer, policy: ProxyPolicy) { (self.peer, self.policy) = (peer, policy) }
  }

  package let head: RequestHead
  /// The decoded segments below the base path; empty for the root.
  package let path: [String]
  package let body: [UInt8]
  package let id: RequestID
  let line: Line
  private let forwarding: Forwarding?

  init(_ head: RequestHead, body: [UInt8], id: RequestID, on line: Line) {
    (self.head, self.body, self.line) = (head, body, line)
    forwarding =
      head.marks.contains(.forwarded) || head["X-Request-Id"] != nil
      ? Forwarding(head, from: line.peer, under: line.policy) : nil
    self.id = forwarding?.requestID.map(RequestID.init) ?? id
    let base = line.policy.publicAddress?.basePath ?? forwarding?.basePath
    path = base?.cut(from: head.path) ?? head.path
  }

  package var method: Method { head.method }
  package var headers: Headers { head.headers }
  package var query: FormFields { head.query }
  package var cookies: Cookies { Cookies(head.headers) }

  package subscript(header: String) -> String? { head[header] }

  /// The fields of a form body; nil when the body is of another type.
  package var form: FormFields? {
    guard let type = head["Content-Type"].flatMap({ MediaType(parsing: $0) }),
      type.essence == MediaType.form.essence
    else { return nil }
    return FormFields(parsing: body)
  }

  /// A form body with files in it; nil when the body is of another type, or broken.
  package var upload: MultipartForm? {
    head["Content-Type"].flatMap { MediaType(parsing: $0) }.flatMap {
      MultipartForm(body, type: $0)
    }
  }

  /// `OPTIONS *`: about the server, not a path.
  package var isAboutServer: Bool { head.target.form == .asterisk }

  // MARK: Where it comes from

  /// Whoever holds the other end of the socket: the proxy, if there is one.
  package var peer: Peer { line.peer }

  /// The client's address, by the word of trusted proxies where there are any.
  package var clientAddress: IPAddress? { forwarding?.client ?? line.peer.address }

  package var presence: Presence { line.presence }

  // MARK: What it is called from outside

  /// Whether the settings name the site. Else `host` may be what the client wrote.
  package var isNamedBySettings: Bool { line.policy.publicAddress != nil }

  package var scheme: String {
    line.policy.publicAddress?.scheme ?? forwarding?.scheme ?? "http"
  }

  /// With its port, if one was given.
  package var host: String {
    line.policy.publicAddress?.host ?? forwarding?.host ?? head.hostText ?? "localhost"
  }

  package var basePath: BasePath {
    line.policy.publicAddress?.basePath ?? forwarding?.basePath ?? .root
  }

  /// Whether an `Origin` is this site: by the settings, else by its trusted proxy or `Host`. Never for
  /// `null`, which pages without an origin send. Without settings and proxy the scheme is not known:
  /// a proxy with TLS may not say so.
  package func isOwnOrigin(_ origin: String) -> Bool {
    let origin = origin.lowercased()
    guard let end = origin.firstRange(of: "://") else { return false }
    let itsScheme = String(origin[..<end.lowerBound])
    if let known = line.policy.publicAddress?.scheme ?? forwarding?.scheme, known != itsScheme {
      return false
    }
    return Self.bare(String(origin[end.upperBound...]), itsScheme)
      == Self.bare(host.lowercased(), itsScheme)
  }

  /// Without the port that the scheme has anyway.
  private static func bare(_ host: String, _ scheme: String) -> String {
    let port = [":80": "http", ":443": "https"].first { host.hasSuffix($0.key) }
    return port?.value == scheme ? String(host.dropLast(port?.key.count ?? 0)) : host
  }

  /// A link inside the site: the base path, then what a route printed.
  package func link(_ path: String) -> String { basePath.description + path }

  /// The same link for the outside: mail, feeds, redirects to another scheme.
  package func absoluteLink(_ path: String) -> String { "\(scheme)://\(host)\(link(path))" }
}

extension Request {
  /// A request without a socket, for calling handlers directly. It passes the same guard as one
  /// from the wire, so a test cannot ask what a client could not.
  package init(
    _ method: Method = .get, _ target: String = "/", headers: Headers = [:], body: [UInt8] = [],
    peer: Peer = .ip(IPAddress(v4: 0x7F00_0001), port: 1), policy: ProxyPolicy = ProxyPolicy(),
    id: String = "test", limits: Limits = Limits()
  ) throws(Refusal) {
    var text = "\(method) \(target) HTTP/1.1\r\n"
    if headers["Host"] == nil { text += "Host: localhost\r\n" }
    for field in headers.fields { text += "\(field.name): \(field.value)\r\n" }
    if !body.isEmpty, headers["Content-Length"] == nil, headers["Transfer-Encoding"] == nil {
      text += "Content-Length: \(body.count)\r\n"
    }
    let bytes = Array((text + "\r\n").utf8)
    let reader = RequestReader(limits)
    guard let (head, count) = try reader.readHead(bytes.span), count == bytes.count else {
      throw .malformed(.framing)
    }
    self.init(head, body: body, id: RequestID(id), on: Line(peer: peer, policy: policy))
  }
}
