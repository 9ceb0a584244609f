import Circulation
import HTTP
import JSON
import ProviderKit

// Pages of shelves and lists, and the books on them (§3–5).

extension OpenLibraryProvider {
  func log(_ shelf: Shelf, _ number: Int, words: String? = nil, in call: Call)
    async throws(CirculationError) -> LogPage
  {
    let answer = try await ask(.list, in: call) { user in
      settings.log(shelf, of: user, page: number, words: words)
    }
    return try LogPage(ofReader(answer, .list), .list)
  }

  /// Everybody has shelves and lists, so where there are none it is the reader who is not there.
  func ofReader(_ answer: Answer, _ operation: Circulation.Operation)
    throws(CirculationError) -> JSONValue
  {
    do throws(CirculationError) { return try Documents.object(answer, operation) } catch {
      guard error.reason == .titleGone else { throw error }
      throw failure(.credentialsRejected, operation, says: "no reader of that name")
    }
  }

  func items(of shelf: Shelf, _ number: Int, in call: Call)
    async throws(CirculationError) -> ListPage
  {
    let page = try await log(shelf, number, in: call)
    guard !page.entries.isEmpty else { return ListPage(entries: []) }
    let editions = try await editions(page.entries.compactMap(\.anyEdition), in: call)
    let ratings = try await ratings(afresh: number == 1, in: call)
    var (entries, seen): ([ListEntry], Set<ItemID>) = ([], [])
    for logged in page.entries {
      let (work, title) = try await settled(logged.key, logged.title, in: call)
      // Two that were merged into one stand there twice.
      guard seen.insert(work.item).inserted else { continue }
      var entry = Translation.entry(
        work, title, logged.authors, year: logged.firstPublishYear, at: settings.api)
      entry.record = logged.key.name
      if let edition = logged.edition { entry.identifiers.append(edition.identifier) }
      entry.take(logged.anyEdition.flatMap { editions[$0] })
      entry.rating = (ratings[logged.key] ?? ratings[work]).map(Double.init)
      entry.addedAt = logged.date
      (entry.lists, entry.state) = ([shelf.id], shelf.state)
      entries.append(entry)
    }
    return ListPage(entries: entries, next: page.isLast(number) ? nil : String(number + 1))
  }

  func items(of list: Key, _ number: Int, in call: Call)
    async throws(CirculationError) -> ListPage
  {
    let all = try await seeds(of: list, in: call)
    let start = (number - 1) * Settings.perPage
    let seeds = Array(all.dropFirst(start).prefix(Settings.perPage))
    guard !seeds.isEmpty else { return ListPage(entries: []) }
    let listed = seeds.compactMap(\.key).filter { $0.kind == .work }
    let found = try await works(listed, in: call)
    let editions = try await editions(
      seeds.compactMap(\.key).filter { $0.kind == .edition }
        + listed.compactMap { found[$0]?.anyEdition }, in: call)
    let ratings = try await ratings(afresh: number == 1, in: call)
    var (entries, seen): ([ListEntry], Set<ItemID>) = ([], [])
    for seed in seeds {
      guard let key = seed.key else { continue }
      var entry = try await entry(of: seed, key, found, editions, in: call)
      guard seen.insert(entry.item).inserted else { continue }
      entry.record = key.name
      entry.rating = Key(entry.item).flatMap { ratings[$0] }.map(Double.init)
      entry.lists = [ListID(list.name)]
      entries.append(entry)
    }
    let isLast = start + seeds.count >= all.count
    return ListPage(entries: entries, next: isLast ? nil : String(number + 1))
  }

  func seeds(of list: Key, in call: Call) async throws(CirculationError) -> [WireSeed] {
    let answer = try await ask(.list, in: call) { user in settings.seeds(of: list, of: user) }
    return try Documents.list(
      Documents.object(answer, .list)["entries"], "what stands on a list", .list, WireSeed.init)
  }

  /// An edition that belongs to no work stands for itself.
  private func entry(
    of seed: WireSeed, _ key: Key, _ found: [Key: WireFound], _ editions: [Key: WireEdition],
    in call: Call
  ) async throws(CirculationError) -> ListEntry {
    if key.kind == .edition {
      let edition = editions[key]
      var entry = Translation.entry(
        edition?.work ?? key, edition?.title ?? seed.title, [], year: nil, at: settings.api)
      if edition?.work != nil { entry.identifiers.append(key.identifier) }
      entry.take(edition)
      return entry
    }
    let told = found[key]
    let (work, title) = try await settled(key, told?.title ?? seed.title, in: call)
    var entry = Translation.entry(
      work, title, told?.authors ?? [], year: told?.firstPublishYear, at: settings.api)
    entry.take(told?.anyEdition.flatMap { editions[$0] })
    return entry
  }

  // MARK: - Books (§5)

  /// What became of a work that has no name where it is listed: merged into another, or deleted.
  private func settled(_ key: Key, _ title: String?, in call: Call)
    async throws(CirculationError) -> (Key, String?)
  {
    if let title { return (key, title) }
    do throws(CirculationError) {
      let record = try await record(key, in: call)
      return (record.key, record.json["title"]?.words)
    } catch {
      guard error.reason == .titleGone else { throw error }
      return (key, nil)
    }
  }

  /// What stands under that key, or under the one that it was merged into.
  func record(_ key: Key, in call: Call)
    async throws(CirculationError) -> (key: Key, json: JSONValue)
  {
    var key = key
    for _ in 0..<Self.mostMergers {
      let answer = try await ask(settings.record(key), .list, in: call)
      if (300..<400).contains(answer.status),
        let next = answer.location.flatMap({ Key($0, key.kind) })
      {
        key = next
        continue
      }
      let json = try Documents.object(answer, .list)
      switch json["type"]?["key"]?.string {
      case "/type/redirect":
        guard let next = json["location"]?.words.flatMap({ Key($0, key.kind) }) else {
          throw Documents.malformed("where a work has gone", .list)
        }
        key = next
      case "/type/delete": throw failure(.titleGone, .list, says: "deleted")
      default:
        guard json["key"]?.words.flatMap({ Key($0, key.kind) }) == key else {
          throw Documents.malformed("the book that was asked for", .list)
        }
        return (key, json)
      }
    }
    throw Documents.malformed("a work, not mergers without end", .list)
  }

  private static let mostMergers = 5

  private func editions(_ keys: [Key], in call: Call)
    async throws(CirculationError) -> [Key: WireEdition]
  {
    var found: [Key: WireEdition] = [:]
    let keys = keys.distinct
    for start in stride(from: 0, to: keys.count, by: Settings.perPage) {
      let batch = keys[start..<min(start + Settings.perPage, keys.count)]
      let told = try await books(batch.map { "OLID:\($0.name)" }, in: call)
      for key in batch { found[key] = told["OLID:\(key.name)"] }
    }
    return found
  }

  func books(_ numbers: [String], in call: Call)
    async throws(CirculationError) -> [String: WireEdition]
  {
    let answer = try await ask(settings.books(numbers), .list, in: call)
    return try WireEdition.told(Documents.object(answer, .list), of: numbers, .list)
  }

  private func works(_ keys: [Key], in call: Call)
    async throws(CirculationError) -> [Key: WireFound]
  {
    guard !keys.isEmpty else { return [:] }
    let answer = try await ask(settings.works(keys), .list, in: call)
    let docs = try WireFound.docs(Documents.object(answer, .list), .list)
    return Dictionary(docs.map { ($0.key, $0) }) { first, _ in first }
  }
}
