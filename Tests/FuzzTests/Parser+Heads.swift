import HTTP

@testable import HTTPClient
@testable import HTTPServer

extension Parser {
  static let heads = [
    Parser("address") { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      guard let address = try? HTTP.Address(text) else { return }
      // What it says of itself leads to the same place.
      precondition((try? HTTP.Address(address.text)) == address)
      _ = try? address.resolving(text)
    },
    Parser("form") { bytes in
      let form = FormFields(parsing: bytes)
      precondition(FormFields(parsing: form.encoded) == form)
      _ = MultipartForm(bytes, boundary: "b0undary")
    },
    Parser("fields") { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      _ = (HTTPDate(text), ByteRanges(text), MediaType(parsing: text), Accept(text))
      _ = (AcceptEncoding(text), Cookies([text]), EntityTag(parsing: text))
      _ = URITemplate(text).filled(["searchTerms": "a", "q": "b"])
    },
    // The same bytes arrive at once and one by one, and both ways end alike.
    Parser("request") { bytes in
      let whole = RequestProbe.run(bytes)
      let split = RequestProbe.run(bytes, step: 1)
      precondition(whole.requests == split.requests && whole.bodyBytes == split.bodyBytes)
      precondition((whole.refusal == nil) == (split.refusal == nil))
    },
    Parser("reply-head") { bytes in
      var reader = HeadReader(limits: .init())
      for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
        guard case .complete(let head) = reader.take(line + [0x0A]) else { continue }
        precondition(head.status.code >= 200)
        _ = head.headers["Content-Type"].map { MediaType(parsing: $0) }
        _ = head.headers["Retry-After"].map { HTTPDate($0) }
      }
    },
    Parser("network") { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      if let address = IPAddress(text) {
        precondition(IPAddress(address.description) == address)
        _ = address.household
      }
      if let network = IPNetwork(text) {
        precondition(IPNetwork(network.description) == network)
      }
    },
  ]
}
