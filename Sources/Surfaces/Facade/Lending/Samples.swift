import Circulation
import HTTP
import OPDS

/// Excerpts, where the lender has them at addresses that anybody may open.
enum Samples {
  static func links(of edition: Edition) -> [Acquisition] {
    edition.samples.prefix(3).compactMap { text in
      guard let address = try? Address(text), ["http", "https"].contains(address.scheme) else {
        return nil
      }
      return Acquisition(Link(address.text, [.sample], type: type(of: address), title: "Excerpt"))
    }
  }

  /// By its suffix: nothing else is known of it. A page to read at the lender's otherwise.
  private static func type(of address: Address) -> MediaType {
    let path = address.path.lowercased()
    return switch path.split(separator: ".").last {
    case "epub": .epub
    case "pdf": MediaType("application", "pdf")
    case "mp3": MediaType("audio", "mpeg")
    default: .html
    }
  }
}
