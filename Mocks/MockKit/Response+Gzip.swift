import Compression
import HTTP
package import HTTPServer

extension Response {
  /// As a proxy in front of a service does it: when it is done, for whoever can undo it, and with the
  /// version made weak.
  package func zipped(for request: MockRequest) -> Response {
    let bytes = wholeBody
    let type = headers["Content-Type"].flatMap { MediaType(parsing: $0) }
    guard bytes.count >= 256, type?.isCompressible == true, headers["Content-Encoding"] == nil,
      request.method != .head,
      AcceptEncoding(request.headers["Accept-Encoding"]).choice(gzipAvailable: true) == .gzip,
      let packed = Gzip.compress(bytes)
    else { return self }
    var response = self
    response.body = .bytes(packed)
    response.headers.set("Content-Encoding", "gzip")
    response.headers.add("Vary", "Accept-Encoding")
    response.validators.etag = validators.etag.map { EntityTag($0.opaque, weak: true) }
    return response
  }
}
