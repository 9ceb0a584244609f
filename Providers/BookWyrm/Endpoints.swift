import Circulation
import HTTP
import HTTPClient
import ProviderKit

// What is asked for (§2).

extension Profile {
  var person: Address { user(name + ".json") }

  /// The shelf itself, or a page of it.
  func shelf(_ slug: String, page: Int? = nil) -> Address {
    let shelf = user(name).appending(segment: "books").appending(segment: slug + ".json")
    return page.map { shelf.adding([.init("page", String($0))]) } ?? shelf
  }

  private func user(_ segment: String) -> Address {
    home.appending(segment: "user").appending(segment: segment)
  }
}

extension Session {
  /// The document at that address. Shelves have two paths, and books and authors that were merged lead
  /// to the ones that stayed: redirects are followed within the host, and nowhere else.
  func following(
    _ address: Address, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> Answer {
    var address = address
    for _ in 0..<4 {
      var request = WireRequest(.get, address, headers: ["Accept": Documents.types])
      // Fifteen books with their descriptions are a tenth of it.
      request.bodyLimit = 4 << 20
      request.shownPath = address.path.split(separator: "/").prefix(1).map { "/\($0)/…" }.joined()
      let reply = try await send(request, operation, in: call)
      guard reply.status.isRedirect, let location = reply.headers["Location"],
        let next = try? address.resolving(Address.escaped(location)), next.host == address.host,
        next.origin == address.origin || (next.isSecure && !address.isSecure)
      else { return Answer(reply) }
      address = next
    }
    throw Documents.malformed("an answer, not a redirect", operation)
  }
}
