package import FoundationEssentials

/// What a loan turns into when it is opened. Addresses are the provider's own and short-lived: they
/// are asked for just in time, used once, and never stored.
package enum Fulfilment: Sendable, Hashable {
  /// A file to fetch as it is.
  case file(Link)
  /// A licence document, stored and handed on untouched to a reading program that knows it.
  case licence(Link, Format.Protection)
  /// A page at the provider where the book is read or heard.
  case handOff(Link)
  /// A list of parts, as audiobooks have.
  case manifest(Link)

  package struct Link: Sendable, Hashable {
    package let address: String
    package let format: Format
    /// Header fields that the fetch must carry, such as a bearer token. Never logged.
    package var headers: [Header]
    package var expires: Date?
    package var singleUse: Bool
    package var length: Int?

    package init(address: String, format: Format) {
      (self.address, self.format) = (address, format)
      headers = []
      singleUse = false
    }
  }

  /// A field whose value is kept out of every description, because tokens travel in it.
  package struct Header: Sendable, Hashable, CustomStringConvertible {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

    package var description: String { "\(name): •••" }
  }

  package var link: Link {
    switch self {
    case .file(let link), .licence(let link, _), .handOff(let link), .manifest(let link): link
    }
  }
}
