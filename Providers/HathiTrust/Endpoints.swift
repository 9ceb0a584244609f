import HTTP
import ProviderKit

// The one remote call, as a value (§1).

/// With or without the whole description.
enum Detail: String, Sendable { case brief, full }

extension Settings {
  /// Many at once: `id:0;oclc:424023;isbn:9780030110405|id:1;…`. The labels are ours, so that the
  /// answer can be read however the service spells what it was asked.
  func volumes(_ wishes: [Wish], _ detail: Detail) -> WireRequest {
    let specs = wishes.enumerated().map { place, wish in
      (["id:\(Self.label(place))"] + wish.numbers.map { "\($0.scheme.rawValue):\($0.value)" })
        .joined(separator: ";")
    }
    let path = ["api", "volumes", detail.rawValue, "json", specs.joined(separator: "|")]
    var request = WireRequest(.get, path.reduce(catalog) { $0.appending(segment: $1) })
    // Twenty books with their descriptions; two hundred records are the most there can be.
    request.bodyLimit = 8 << 20
    return request
  }

  static func label(_ place: Int) -> String { "w\(place)" }
}
