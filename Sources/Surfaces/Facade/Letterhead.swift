import Catalog
import Circulation
import Crypto
import FrontDesk
import HTTP
import HTTPServer
import OPDS
import Secrets

/// What names and addresses in a feed are made from: the site as this visitor calls it, the version
/// it reads, and the gateway's own name, which outlives every address.
struct Letterhead: Sendable {
  /// `https://books.example.org/carrel`
  let site: String
  let version: FeedVersion
  let signer: Signer

  /// JSON has a root of its own, so that a link to it brings JSON to whoever follows it.
  var paths: FeedPaths { version == .json ? .json : .either }

  func address(_ path: String, _ query: FormFields = FormFields()) -> String {
    query.isEmpty ? site + path : "\(site)\(path)?\(query.encoded)"
  }

  // MARK: - Names

  func name(of work: WorkID) -> String { "urn:carrel:\(signer.gateway):\(work.rawValue)" }

  func name(_ words: String...) -> String { name(of: words) }

  /// Of a feed, or of a line in one: what it shows, and how that is narrowed.
  func name(of words: [String], _ query: FormFields = FormFields()) -> String {
    let all = words + (query.isEmpty ? [] : [query.encoded])
    return (["urn:carrel", signer.gateway] + all.map(PercentCoding.encode(segment:)))
      .joined(separator: ":")
  }

  /// The work that one of our names stands for; nil for a name that another gateway gave.
  func work(named name: String) -> WorkID? {
    let start = "urn:carrel:\(signer.gateway):"
    guard name.hasPrefix(start) else { return nil }
    let rest = name.dropFirst(start.count)
    return rest.hasPrefix("w") && rest.dropFirst().allSatisfy(\.isNumber)
      ? WorkID(String(rest)) : nil
  }

  // MARK: - Links

  func feed(
    _ path: String, _ kind: Feed.Kind, _ relations: [Relation], _ title: String? = nil,
    _ query: FormFields = FormFields()
  ) -> Link {
    Link(address(path, query), relations, type: version.feed(kind), title: title)
  }

  func entry(_ work: WorkID, _ relation: Relation, _ title: String? = nil) -> Link {
    Link(
      address(paths.work.print(work.rawValue)), [relation], type: version.entry, title: title)
  }
}
