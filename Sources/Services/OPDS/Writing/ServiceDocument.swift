package import HTTP
import Markup

/// Where a client finds what it can write to (RFC 5023 §8).
package struct ServiceDocument: Sendable, Hashable {
  package struct Collection: Sendable, Hashable {
    package let title: String
    package let address: String

    package init(_ title: String, at address: String) {
      (self.title, self.address) = (title, address)
    }
  }

  package let title: String
  package let collections: [Collection]

  package static let type = MediaType("application", "atomsvc+xml")

  package init(_ title: String, _ collections: [Collection]) {
    (self.title, self.collections) = (title, collections)
  }

  package var document: [UInt8] {
    XMLWriter.document(
      tag(
        "service", .init("xmlns", "http://www.w3.org/2007/app"),
        .init("xmlns:atom", "http://www.w3.org/2005/Atom")
      ) {
        tag("workspace") {
          tag("atom:title") { title.composed }
          for collection in collections {
            tag("collection", .init("href", collection.address)) {
              tag("atom:title") { collection.title.composed }
              tag("accept") { "application/atom+xml;type=entry" }
            }
          }
        }
      })
  }
}
