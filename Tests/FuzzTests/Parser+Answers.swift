import Axis360
import BookWyrm
import Circulation
import CloudLibrary
import FoundationEssentials
import Goodreads
import GoogleBooks
import Gutenberg
import HathiTrust
import LibraryDesk
import OPDSLibrary
import OpenLibrary
import OverDrive
import ProviderKit

/// What services answer, read as each kind of answer that the adapter knows, as a success and not.
extension Parser {
  static let answers = [
    answer("overdrive", OverDriveProvider.listing),
    answer("cloudlibrary", CloudLibraryProvider.listing),
    answer("axis360", Axis360Provider.listing), answer("opds", OPDSLibraryProvider.listing),
    answer("gutenberg", GutenbergProvider.listing),
    answer("hathitrust", HathiTrustProvider.listing), answer("desk", LibraryDeskProvider.listing),
    answer("goodreads", GoodreadsProvider.listing), answer("bookwyrm", BookWyrmProvider.listing),
    answer("googlebooks", GoogleBooksProvider.listing),
    answer("openlibrary", OpenLibraryProvider.listing),
  ]

  private static func answer(_ name: String, _ listing: ProviderListing) -> Parser {
    let now = Date(timeIntervalSince1970: 1_767_225_600)
    var kinds: [String] = []
    if case .unknownKind(let all) = listing.decode("", 200, nil, [], now) { kinds = all }
    precondition(!kinds.isEmpty, "an adapter reads nothing")
    return Parser("answer-\(name)") { [kinds] bytes in
      for kind in kinds { _ = listing.decode(kind, 200, nil, bytes, now) }
      for status in [302, 401, 404, 503] { _ = listing.decode("error", status, nil, bytes, now) }
    }
  }
}
