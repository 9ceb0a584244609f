import Circulation
import HTTP
import JSON
import ProviderKit
import Synchronization

// Who wrote a book is an address that has to be asked for, maybe on another host (§5).

/// What one run of the adapter has asked so far.
final class Errand: Sendable {
  /// So many addresses are asked for in one run; the rest is for the next.
  static let most = 300

  private struct State {
    var asked = 0
    /// Without an answer in this run: an address, or a host that is down.
    var silent: Set<String> = []
    /// Elsewhere every host is spoken to for as long as the run takes.
    var sessions: [Address.Origin: Session] = [:]
  }

  private let state = Mutex(State())

  /// Whether that address is still to be asked for.
  func sets(outFor address: Address) -> Bool {
    state.withLock { state in
      guard state.asked < Self.most, !state.silent.contains(address.text),
        !state.silent.contains(address.origin.description)
      else { return false }
      state.asked += 1
      return true
    }
  }

  func note(silent name: String) { state.withLock { _ = $0.silent.insert(name) } }

  func session(to origin: Address.Origin, beside session: Session) -> Session {
    state.withLock { state in
      if let known = state.sessions[origin] { return known }
      let fresh = session.another
      state.sessions[origin] = fresh
      return fresh
    }
  }
}

/// What addresses were found to say, for all readers of this gateway and until it ends.
final class Catalogued: Sendable {
  enum Card: Sendable, Hashable {
    case author(String)
    case work([Address])
  }

  private let cards = Mutex<[Address: Card]>([:])
  private static let most = 10_000

  subscript(_ address: Address) -> Card? { cards.withLock { $0[address] } }

  func keep(_ card: Card, of address: Address) {
    cards.withLock { cards in
      if cards.count >= Self.most { cards = [:] }
      cards[address] = card
    }
  }
}

extension BookWyrmProvider {
  private var catalogued: Catalogued {
    session.fittings.fitting("authors", make: { Catalogued() }, close: { _ in })
  }

  /// The names for each of these books. No name is worth a shelf: whoever does not answer is left
  /// out, and at most half of the time goes into asking.
  func authors(of editions: [WireEdition], for profile: Profile, in call: Call)
    async throws(CirculationError) -> [[String]]
  {
    let now = session.clock.now()
    let half = Call(
      patron: call.patron, deadline: now + now.duration(to: call.deadline) / 2,
      requestID: call.requestID)
    var told: [[String]] = []
    for edition in editions {
      var addresses = edition.authors
      if addresses.isEmpty, edition.named.isEmpty, let work = edition.work,
        case .work(let found)? = try await card(at: work, for: profile, in: half)
      {
        addresses = found
      }
      var names = edition.named
      for address in addresses.prefix(Self.mostAuthors) {
        if case .author(let name)? = try await card(at: address, for: profile, in: half) {
          names.append(name)
        }
      }
      told.append(names.distinct)
    }
    return told
  }

  /// Anthologies list everybody.
  private static let mostAuthors = 5
  /// Who has not answered by then is down, and not only far behind in line.
  private static let patience = Duration.seconds(2)

  private func card(at address: Address, for profile: Profile, in call: Call)
    async throws(CirculationError) -> Catalogued.Card?
  {
    if let known = catalogued[address] { return known }
    // Over a line that anybody may write on, nothing is asked that a safe one told us of.
    guard address.isSecure || !profile.home.isSecure, session.clock.now() < call.deadline,
      errand.sets(outFor: address)
    else { return nil }
    let began = session.clock.now()
    do throws(CirculationError) {
      let answer = try await self.session(to: address, for: profile)
        .following(address, .list, in: call)
      guard let card = try Self.card(in: answer) else {
        errand.note(silent: address.text)
        return nil
      }
      catalogued.keep(card, of: address)
      return card
    } catch {
      if error.reason == .cancelled { throw error }
      // Our own time was up: nothing is said against the host.
      let isHasty = began.duration(to: session.clock.now()) < Self.patience
      if error.reason == .deadlineExceeded, isHasty { return nil }
      errand.note(silent: error.isOfHost ? address.origin.description : address.text)
      return nil
    }
  }

  private func session(to address: Address, for profile: Profile) -> Session {
    address.origin == profile.home.origin
      ? session.toward(address.origin.description)
      : errand.session(to: address.origin, beside: session)
  }

  /// Nil for one that is neither, or says nothing.
  private static func card(in answer: Answer) throws(CirculationError) -> Catalogued.Card? {
    guard (200..<300).contains(answer.status) else {
      if answer.status >= 500 || answer.status == 429 || answer.status == 401 {
        throw Failures.failure(.providerUnavailable, .list, status: answer.status)
      }
      return nil
    }
    let json = try Documents.object(answer, .list)
    if let authors = json["authors"]?.array, json["type"]?.words != "Author" {
      return .work(authors.compactMap { WireEdition.address($0) }.distinct)
    }
    return json["name"]?.words.map { .author(Entities.decoded($0)) }
  }
}

extension CirculationError {
  /// Whether the whole host is to be left alone, and not this address only.
  fileprivate var isOfHost: Bool {
    if case .malformedResponse = reason { false } else { true }
  }
}
