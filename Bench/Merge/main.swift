import Catalog
import Circulation
import Database
import Machine

/// Merges the editions of a file, a JSON object a line, and says how long it took and how right it
/// is. Called by scripts/bench-merge.
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else {
  print("usage: bench-merge DATABASE EDITIONS [LIMIT-SECONDS [LIMIT-MILLISECONDS]]")
  ThisProcess.exit(2)
}
let listed = try lines(of: arguments[1])
let store = try await Store.open(try Location(arguments[0]))
_ = try await store.migrate([Catalog.migrations], at: 0)
let catalog = Catalog(store: store, now: { 0 })

var sources: [String] = []
for line in listed where !sources.contains(line.source) { sources.append(line.source) }
let merging = try await ContinuousClock().measure {
  for source in sources {
    let editions = listed.filter { $0.source == source }.map(\.edition)
    try await catalog.take(
      editions, of: LibraryID(source), provider: ProviderID(source))
  }
}
let works = try await homes(of: listed)
let seconds = merging / .seconds(1)
print(
  "\(listed.count) editions of \(sources.count) sources: \(Set(works).count) works in",
  "\(tenths(seconds)) s, \(Int(Double(listed.count) / seconds)) a second")

var times: [Duration] = []
for (place, line) in listed.enumerated()
where place % max(1, listed.count / 400) == 0 {
  var edition = line.edition
  edition.subtitle = (edition.subtitle.map { $0 + " " } ?? "") + "revised"
  times.append(
    try await ContinuousClock().measure {
      try await catalog.take(
        [edition], of: LibraryID(line.source), provider: ProviderID(line.source))
    })
  try await catalog.take(
    [line.edition], of: LibraryID(line.source), provider: ProviderID(line.source))
}
times.sort()
let median = times[times.count / 2] / .milliseconds(1)
let worst = times[times.count * 99 / 100] / .milliseconds(1)
print("one changed edition: median \(tenths(median)) ms, p99 \(tenths(worst)) ms")
let after = try await homes(of: listed)
let isSame = after == works
print(isSame ? "changed and changed back, the works are as before" : "THE WORKS ARE NOT AS BEFORE")
report(listed, works)
await store.close()
let limits = (
  arguments.count > 2 ? Double(arguments[2]) ?? 60 : 60,
  arguments.count > 3 ? Double(arguments[3]) ?? 5 : 5
)
print("limits: \(tenths(limits.0)) s for all, \(tenths(limits.1)) ms for one")
ThisProcess.exit(seconds <= limits.0 && median <= limits.1 && isSame ? 0 : 1)

func homes(of lines: [Line]) async throws -> [String] {
  var homes: [String] = []
  var rest = lines[...]
  while !rest.isEmpty {
    let batch = rest.prefix(2000)
    rest = rest.dropFirst(2000)
    let entries = try await catalog.entries(
      for: batch.map { (LibraryID($0.source), $0.edition.item) })
    homes += entries.map { $0?.work.rawValue ?? "" }
  }
  return homes
}

/// Counted in pairs: of those that were merged how many belong together, and the other way round.
func report(_ lines: [Line], _ works: [String]) {
  struct Both: Hashable {
    let found: String
    let truth: String
  }
  var found: [String: Int] = [:]
  var right: [String: Int] = [:]
  var both: [Both: Int] = [:]
  for (line, work) in zip(lines, works) {
    guard let truth = line.work else { continue }
    found[work, default: 0] += 1
    right[truth, default: 0] += 1
    both[Both(found: work, truth: truth), default: 0] += 1
  }
  let pairs = { (counts: [Int]) in counts.reduce(0) { $0 + $1 * ($1 - 1) / 2 } }
  let (merged, belonging) = (pairs(Array(found.values)), pairs(Array(right.values)))
  let agreed = pairs(Array(both.values))
  guard merged > 0, belonging > 0 else { return }
  print(
    "precision \(thousandths(Double(agreed) / Double(merged))) of \(merged) merged pairs,",
    "recall \(thousandths(Double(agreed) / Double(belonging))) of \(belonging) true ones")
  if CommandLine.arguments.contains("--errors") { showErrors(lines, works) }
}

func showErrors(_ lines: [Line], _ works: [String]) {
  let byWork = Dictionary(grouping: zip(lines, works), by: \.1)
  let byTruth = Dictionary(grouping: zip(lines, works), by: { $0.0.work ?? "" })
  let tell = { (pair: (Line, String)) in
    let edition = pair.0.edition
    return "  \(pair.1) \(pair.0.source) \(edition.item) \(edition.title) | "
      + "\(edition.subtitle ?? "") | \(edition.authors) \(edition.languages) \(edition.isbns)"
  }
  for (_, members) in byWork.filter({ Set($0.value.map(\.0.work)).count > 1 }).prefix(25) {
    print("merged wrongly:", members.prefix(6).map(tell).joined(separator: "\n"), separator: "\n")
  }
  for (truth, members) in byTruth.filter({ !$0.key.isEmpty && Set($0.value.map(\.1)).count > 1 })
    .prefix(25)
  {
    print(
      "kept apart \(truth):", members.prefix(6).map(tell).joined(separator: "\n"), separator: "\n")
  }
}

func tenths(_ number: Double) -> String { String((number * 10).rounded() / 10) }
func thousandths(_ number: Double) -> String { String((number * 10_000).rounded() / 10_000) }
