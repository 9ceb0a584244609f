import Catalog
import Circulation
import Database
import Machine
import Matching

/// Finds the books of a list among the works of a catalogue, both made here, and says how long that
/// took and how right it was. Called by scripts/bench-wishes.
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 3, let works = Int(arguments[1]), let books = Int(arguments[2]) else {
  print("usage: bench-wishes DATABASE WORKS WISHES [LIMIT-SECONDS]")
  ThisProcess.exit(2)
}
let limit = arguments.count > 3 ? Double(arguments[3]) ?? 3 : 3
let store = try await Store.open(try Location(arguments[0]))
_ = try await store.migrate([Catalog.migrations], at: 0)
let catalog = Catalog(store: store, now: { 0 })
let shelf = Shelf(seed: 11)
let library = LibraryID("bench")
var written: [Book] = []
for start in stride(from: 0, to: works, by: 5000) {
  let part = (start..<min(start + 5000, works)).map { shelf.book($0) }
  written += part
  try await catalog.take(part.map(\.edition), of: library, provider: ProviderID("bench"))
}
var held: [String: WorkID] = [:]
for start in stride(from: 0, to: works, by: 2000) {
  let part = written[start..<min(start + 2000, works)]
  let found = try await catalog.works(for: part.map { (library, $0.edition.item) })
  for (book, work) in zip(part, found) { held[book.edition.item.rawValue] = work }
}
// Every tenth wish is a book that the library has not; the others are written as people write.
let step = max(1, works / books)
let wishes = (0..<books).map { number -> (Candidate, WorkID?) in
  if number % 10 == 9 { return (shelf.book(works + number).wish(number), nil) }
  let book = written[number * step % works]
  return (book.wish(number), held[book.edition.item.rawValue])
}
// Once to warm the cache of the database, as a gateway that runs has it.
_ = try await catalog.recognize(wishes.prefix(200).map(\.0))
var found: [Recognition] = []
let took = try await ContinuousClock().measure {
  found = try await catalog.recognize(wishes.map(\.0))
}
await store.close()
var (right, open, wrong, missed) = (0, 0, 0, 0)
for (answer, wish) in zip(found, wishes) {
  switch (answer, wish.1) {
  case (.sure(let work), let truth?) where work == truth: right += 1
  case (.sure(let work), let truth):
    wrong += 1
    if wrong <= 10, arguments.contains("--errors") {
      print(wish.0.title, wish.0.authors, wish.0.isbns, work, truth ?? "none")
    }
  case (.unsure, _): open += 1
  case (.none, nil): right += 1
  case (.none, let truth):
    missed += 1
    if missed <= 10, arguments.contains("--errors") {
      print("missed", wish.0.title, wish.0.authors, wish.0.isbns, truth ?? "none")
    }
  }
}
let seconds = took / .seconds(1)
print(
  "\(books) wishes against \(Set(held.values).count) works: \(Int(seconds * 1000)) ms;",
  "\(right) right, \(open) to be asked, \(missed) missed, \(wrong) wrong")
print("ratio \(Double(Int(seconds / limit * 1000)) / 1000) of the limit of \(limit) s (at most 1)")
ThisProcess.exit(seconds <= limit && wrong * 200 <= books && right * 10 >= books * 8 ? 0 : 1)
