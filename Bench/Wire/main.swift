import Axis360
import Circulation
import CloudLibrary
import FoundationEssentials
import Machine
import ProviderKit

// Reads one recorded answer again and again, as the adapter reads it off the wire, and prints how many
// megabytes a second that is: bench-wire PROVIDER KIND FILE SECONDS

let words = CommandLine.arguments
guard words.count == 5, let seconds = Double(words[4]),
  let listing = [CloudLibraryProvider.listing, Axis360Provider.listing].first(where: {
    $0.id.rawValue == words[1]
  })
else {
  print("usage: bench-wire PROVIDER KIND FILE SECONDS")
  ThisProcess.exit(2)
}
let bytes = try WholeFile.read(words[3], upTo: 64 << 20)
let now = Date()
let began = ContinuousClock.now
var rounds = 0
var count = 0
repeat {
  switch listing.decode(words[2], 200, nil, bytes, now) {
  case .editions(let editions, _, _): count = editions.count
  case .availability(let answers): count = answers.count
  default:
    print("not read")
    ThisProcess.exit(1)
  }
  rounds += 1
} while began.duration(to: .now) < .seconds(seconds)
let took = began.duration(to: .now) / .seconds(1)
print(Double(bytes.count) * Double(rounds) / took / 1_000_000, count)
