import EPUB
import Machine

// How long a book takes inside one process: bench-reading open|text|search|again FILE ROUNDS [WORDS].
// Prints the milliseconds of the median round and what it came to. `again` searches what is read
// already.

let words = CommandLine.arguments
guard words.count >= 4, let rounds = Int(words[3]), rounds > 0 else {
  print("usage: bench-reading open|text|search|again FILE ROUNDS [WORDS]")
  ThisProcess.exit(2)
}
let file = words[2]
let query = words.count > 4 ? words[4] : "whale"

func read(_ book: Book) throws -> Int {
  var reading = TextReading(book)
  var count = 0
  for spine in book.document.spine.indices { count += try reading.text(at: spine).text.count }
  return count
}

let open = try Book(file: file)
let positions = PositionList(open)
let work: () throws -> Int =
  switch words[1] {
  case "open": { try Book(file: file).document.spine.count }
  case "text": { try read(try Book(file: file)) }
  case "again": { Array(try ContentSearch(query, TextReading(open), positions)).count }
  default: { Array(try ContentSearch(query, in: try Book(file: file))).count }
  }

var times: [Duration] = []
var result = 0
for _ in 0..<rounds {
  let began = ContinuousClock.now
  result = try work()
  times.append(.now - began)
}
let median = times.sorted()[rounds / 2]
print(median / .milliseconds(1), result)
