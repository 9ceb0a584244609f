package import HTTP
package import HTTPServer
package import JSON

/// A request as a dialect sees it: without the prefix of its tenant, and knowing under which address
/// the client called, because links must lead back there.
package struct MockRequest: Sendable {
  package let method: Method
  package let path: [String]
  /// Path and query as written, without the prefix.
  package let target: String
  package let query: FormFields
  package let headers: Headers
  package var body: [UInt8]
  /// `http://127.0.0.1:4711`, with the prefix of the tenant if there is one; no slash at the end.
  package let base: String

  package init(_ request: Request, dropping count: Int = 0) {
    method = request.method
    path = Array(request.path.dropFirst(count))
    query = request.query
    headers = request.headers
    body = request.body
    let prefix = request.path.prefix(count).map { "/" + PercentCoding.encode(segment: $0) }.joined()
    base = request.absoluteLink("") + prefix
    let raw = request.head.rawTarget
    target = raw.hasPrefix(prefix) && !prefix.isEmpty ? String(raw.dropFirst(prefix.count)) : raw
  }

  /// A line of a protocol that has neither methods nor paths: the library it came to stands for these.
  package init(
    line: [UInt8], to library: String, of provider: String, remembering memory: String
  ) {
    (method, path) = (.get, ["lines", provider, library])
    target = "/" + path.map { PercentCoding.encode(segment: $0) }.joined(separator: "/")
    (query, base, body) = (FormFields(parsing: []), "", line)
    headers = [LineDesk.memory: memory]
  }

  package var pathText: String { "/" + path.joined(separator: "/") }

  /// The fields of a form body, whatever type it is declared to have: old clients forget it.
  package var form: FormFields { FormFields(parsing: body) }

  package var json: JSONValue? { try? JSONValue(parsing: body, by: .tolerant) }

  package var bearer: String? { credentials(of: "bearer") }
  package var basic: String? { credentials(of: "basic") }

  /// What stands behind the scheme's word, which is written in any case.
  private func credentials(of scheme: String) -> String? {
    guard let field = headers["Authorization"] else { return nil }
    let parts = field.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == scheme else { return nil }
    return parts[1].filter { !$0.isWhitespace }
  }
}
