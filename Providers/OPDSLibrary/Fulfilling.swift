package import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import JSON
import OPDS
import ProviderKit
import Secrets

// From a loan to something that can be opened: step by step, as far as the steps are ours (§2.3).

extension OPDSLibraryProvider {
  package func fulfil(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> Fulfilment
  {
    if let open = try await opened(item, as: format, in: call) { return open }
    let isMember = settings.reader != nil
    let mine = isMember ? try await mine(item, .fulfil, in: call) : nil
    let isLoan = mine?.loan(in: settings) != nil
    let title: Publication
    if let mine, isLoan {
      title = mine
    } else {
      do throws(CirculationError) {
        title = try await publication(item, .fulfil, in: call)
      } catch {
        guard isMember, [.noLicenses, .titleGone].contains(error.reason) else { throw error }
        throw failure(.notBorrowed, .fulfil, says: error.providerSays)
      }
      // What is free needs no loan; nothing else is handed out without.
      guard title.isFree else { throw failure(.notBorrowed, .fulfil) }
    }
    let ways = title.loanWays.flatMap { acquisition in
      acquisition.paths.compactMap { path in
        Formats.format(path, at: isNamed(item) ? acquisition.link.href : nil).map {
          Way(link: acquisition.link, path: path, format: $0)
        }
      }
    }
    let best = ways.min { Formats.rank($0.format) < Formats.rank($1.format) }
    guard let way = format.map({ wanted in ways.first { $0.format.id == wanted.id } }) ?? best
    else { throw failure(.formatUnavailable, .fulfil) }
    return try await follow(way, in: call)
  }

  struct Way {
    let link: Link
    let path: [MediaType]
    let format: Format
  }

  private func isNamed(_ item: ItemID) -> Bool { settings.address(of: item) == nil }

  /// A plain file of an entry without a document of its own has its address in its name.
  private func opened(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> Fulfilment?
  {
    guard isNamed(item), let format, format.protection == .none,
      let word = format.id.split(separator: " ").last, let address = try? Address(String(word))
    else { return nil }
    var link = Fulfilment.Link(address: address.text, format: format)
    link.headers = try await passes(for: address, .fulfil, in: call)
    return Self.fulfilment(link, as: format)
  }

  private func follow(_ way: Way, in call: Call) async throws(CirculationError) -> Fulfilment {
    var (link, path) = (way.link, way.path[...])
    // An entry in between tells where the thing itself is.
    for _ in 0..<3 {
      if link.has(.checkout) {
        link = try await lentLink(link, .fulfil, in: call)
      }
      guard let address = link.address else {
        throw failure(.formatUnavailable, .fulfil, says: "a link that has to be filled in")
      }
      guard let first = path.first else { break }
      if first.isEntry {
        let reply = try await get(address, try await asker(call), .fulfil, in: call)
        let inner = try Documents.publication(reply, .fulfil)
        path = path.dropFirst()
        let next = inner.loanWays.first { $0.link.type?.essence == path.first?.essence }
        guard let next = next ?? inner.loanWays.first else {
          throw failure(.formatUnavailable, .fulfil)
        }
        link = next.link
        continue
      }
      if first.essence == Types.bearer { return try await bearing(address, way.format, in: call) }
      var found = Fulfilment.Link(address: address.text, format: way.format)
      found.headers = try await passes(for: address, .fulfil, in: call)
      return Self.fulfilment(found, as: way.format, first)
    }
    throw failure(.formatUnavailable, .fulfil)
  }

  private func asker(_ call: Call) async throws(CirculationError) -> Asker {
    guard settings.reader != nil else { return .nobody }
    return .reader(try await start(.fulfil, in: call))
  }

  private static func fulfilment(
    _ link: Fulfilment.Link, as format: Format, _ first: MediaType? = nil
  ) -> Fulfilment {
    switch format.protection {
    case .adobe, .lcp: return .licence(link, format.protection)
    case .streaming, .vendorApp: return .handOff(link)
    case .none, .unknown:
      return first.map { Types.manifests.contains($0.essence) } == true
        ? .manifest(link) : .file(link)
    }
  }

  /// A document with a token for one file, which lies wherever it says; the card is not for there.
  private func bearing(_ address: Address, _ format: Format, in call: Call)
    async throws(CirculationError) -> Fulfilment
  {
    let asked = session.clock.date()
    let reply = try await get(address, try await asker(call), .fulfil, in: call)
    guard reply.status.isSuccess else { throw Documents.failure(reply, .fulfil) }
    return .file(try Documents.bearer(reply, format, asked: asked))
  }
}

extension Documents {
  static func bearer(_ reply: Reply, _ format: Format, asked: Date)
    throws(CirculationError) -> Fulfilment.Link
  {
    guard let json = try? JSONValue(parsing: reply.body, by: .tolerant),
      let token = OAuth2.Tokens(json), token.type == "bearer",
      let location = json["location"]?.words,
      let address = try? reply.address.resolving(Address.escaped(location)),
      ["http", "https"].contains(address.scheme)
    else { throw malformed("a bearer token with a place to use it", .fulfil) }
    var link = Fulfilment.Link(address: address.text, format: format)
    link.headers = [.init("Authorization", token.access.revealText { "Bearer \($0)" })]
    link.expires = token.lifetime.map { asked.addingTimeInterval(Double($0.components.seconds)) }
    return link
  }
}
