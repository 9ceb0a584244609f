import Adobe
import Circulation
import Database
import FrontDesk
import HTTP
import HTTPServer
import Phrasebook

/// What stands behind a reader's locked books at one library: a number that Adobe's programs are
/// activated with, and that says nothing of its reader.
enum AdobeNumber: Sendable, Hashable {
  /// The library has no vendor here: readers use an Adobe ID of their own, or what it brings with a loan.
  case none
  case notYet
  case made(isActivated: Bool)

  init(_ own: Own, _ library: LibraryID) async throws(Problem) {
    guard let desk = own.stock.adobe, desk.vendor.members[library] != nil else {
      self = .none
      return
    }
    do throws(DatabaseError) {
      let known = try await desk.known(of: own.reader.patron).first { $0.library == library }
      self = known.map { .made(isActivated: $0.isActivated) } ?? .notYet
    } catch {
      throw Refusals.unread(said("Your account cannot be read."))
    }
  }

  var canBeginAnew: Bool { if case .made = self { true } else { false } }

  var words: String {
    switch self {
    case .none: Phrases.adobeNone
    case .notYet: Phrases.adobeNotYet
    case .made(isActivated: false): Phrases.adobeMade
    case .made(isActivated: true): Phrases.adobeActivated
    }
  }
}
