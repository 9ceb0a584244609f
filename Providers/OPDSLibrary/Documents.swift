import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import JSON
import OPDS
import ProviderKit

/// Whole answers read into values, for the operations and for the decoder alike.
enum Documents: DocumentReading {
  static let provider = OPDSLibraryProvider.listing.id

  /// An answer of success as what it is; a failure as the reason it gives.
  static func document(
    _ reply: Reply, _ tolerance: Document.Tolerance = .strict, _ operation: Circulation.Operation
  ) throws(CirculationError) -> Document {
    guard reply.status.isSuccess else { throw failure(reply, operation) }
    let document: Document
    do throws(Document.Fault) {
      document = try Document(reply.body, type: reply.mediaType, from: reply.address, tolerance)
    } catch {
      throw malformed(error.wanted, operation)
    }
    // Some say what is wrong and call it a success.
    if case .problem(let problem) = document {
      throw failure(Failures.reason(problem, 200, nil, operation), operation, says: problem.word)
    }
    return document
  }

  static func feed(
    _ reply: Reply, _ tolerance: Document.Tolerance, _ operation: Circulation.Operation
  ) throws(CirculationError) -> Feed {
    guard case .feed(let feed) = try document(reply, tolerance, operation) else {
      throw malformed("a feed", operation)
    }
    return feed
  }

  /// A publication by itself, or the only one of a feed.
  static func publication(_ reply: Reply, _ operation: Circulation.Operation)
    throws(CirculationError) -> Publication
  {
    switch try document(reply, .strict, operation) {
    case .entry(let publication): return publication
    case .feed(let feed):
      let all = feed.everyPublication
      if all.count == 1, feed.faults.isEmpty { return all[0] }
    default: break
    }
    throw malformed("one publication", operation)
  }

  /// Half a shelf would pass for a whole one, so a shelf is read whole or not at all.
  static func shelf(_ feed: Feed, _ operation: Circulation.Operation)
    throws(CirculationError) -> [Publication]
  {
    let titles = feed.everyPublication
    let isWhole =
      feed.faults.isEmpty && titles.allSatisfy { !$0.acquisitions.isEmpty || $0.revocation != nil }
      && feed.navigation.allSatisfy { $0.links.contains { $0.type?.isCatalog == true } }
    guard isWhole else { throw malformed("a shelf that can be read to its end", operation) }
    return titles.map { $0.licensed(by: feed.licensor) }
  }

  static func authentication(_ reply: Reply) -> AuthenticationDocument? {
    let document = try? Document(reply.body, type: reply.mediaType, from: reply.address)
    guard case .authentication(let found)? = document else { return nil }
    return found
  }

  static func tokens(_ reply: Reply, _ operation: Circulation.Operation)
    throws(CirculationError) -> OAuth2.Tokens
  {
    let json = try? JSONValue(parsing: reply.body, by: .tolerant)
    if reply.status.isSuccess {
      guard let json, let tokens = OAuth2.Tokens(json) else {
        throw malformed("a token", operation)
      }
      return tokens
    }
    if [400, 401].contains(reply.status.code), let json, let refusal = OAuth2.Refusal(json) {
      throw failure(refusal.reason, operation, says: refusal.code)
    }
    throw failure(reply, operation)
  }

  /// A patron's profile: limits by the draft, the end of a card by Palace. Nil for anything else.
  static func standing(_ reply: Reply) -> AccountStanding? {
    guard reply.status.isSuccess, let json = try? JSONValue(parsing: reply.body, by: .tolerant),
      json.object != nil
    else { return nil }
    var standing = AccountStanding(
      loanLimit: json["loans"]?["total"]?.whole, holdLimit: json["holds"]?["total"]?.whole)
    standing.expires = json["simplified:authorization_expires"]?.words.flatMap(WireDate.instant)
    return standing
  }

  // MARK: - Failures

  static func failure(_ reply: Reply, _ operation: Circulation.Operation) -> CirculationError {
    let problem = problem(reply)
    return failure(
      Failures.reason(problem, reply.status.code, reply.retryAfter, operation), operation,
      says: problem?.word ?? "HTTP \(reply.status.code)")
  }

  static func problem(_ reply: Reply) -> ProblemReport? {
    guard let json = try? JSONValue(parsing: reply.body, by: .tolerant) else { return nil }
    return ProblemReport(json)
  }
}

extension ProblemReport {
  /// Its type and never its text, which may name the reader.
  var word: String? {
    let word = slug
    let isPlain =
      word.utf8.count <= 60 && !word.isEmpty
      && word.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "-" || $0 == "_" || $0 == ":") }
    return isPlain ? word : nil
  }
}

extension Reply {
  var mediaType: MediaType? { headers["Content-Type"].flatMap { MediaType(parsing: $0) } }
}
