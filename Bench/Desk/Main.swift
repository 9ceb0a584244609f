import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import LibraryDesk
import Lines
import Machine
import ProviderKit
import Secrets
import Synchronization

// Signs readers in at a library's desk, as many at a time as is said, and prints how many a second that
// is: bench-desk ADDRESS LOGIN PASSWORD-FILE CARD PIN-FILE SECONDS AT-ONCE CONNECTIONS. The last line is
// `sign-ins failures p50 p99 slowest` in milliseconds.

let words = CommandLine.arguments
guard words.count == 9, let seconds = Double(words[6]), let atOnce = Int(words[7]) else {
  print("usage: bench-desk ADDRESS LOGIN PASSWORD-FILE CARD PIN-FILE SECONDS AT-ONCE CONNECTIONS")
  ThisProcess.exit(2)
}

func secret(_ path: String) throws -> Secret {
  Secret(try WholeFile.read(path, upTo: 4096).filter { $0 > 0x20 })
}

var configuration = ClientConfiguration()
configuration.gate.allowances = ["127.0.0.0/8"].compactMap { AddressGate.Allowance($0) }
let client = try Client(configuration)
let session = Session(
  provider: LibraryDeskProvider.listing.id, transport: client.transport,
  lines: LineClient(configuration))
let library = Library(
  id: LibraryID("bench"), provider: LibraryDeskProvider.listing.id, name: "Bench",
  endpoints: ["sip2": try Address(words[1])],
  settings: [
    "sign_in": "sip2", "holds": "sip2", "sip2_maker": "koha", "sip2_login": words[2],
    "sip2_institution": "MAIN", "sip2_connections": words[8], "branches": "CPL = Central",
  ], secrets: ["sip2_password": try secret(words[3])])
let reader = Credentials(["card": Secret(words[4]), "pin": try secret(words[5])])
let provider = try LibraryDeskProvider.listing.make(library, reader, session)

struct Run: Sendable {
  var times: [Duration] = []
  var failures: [String: Int] = [:]
}

let run = Mutex(Run())
let end = ContinuousClock.now + .seconds(seconds)
await withTaskGroup(of: Void.self) { group in
  for _ in 0..<atOnce {
    group.addTask {
      repeat {
        let began = ContinuousClock.now
        let call = Call(patron: nil, deadline: began + .seconds(10), requestID: "bench")
        do throws(CirculationError) {
          _ = try await provider.checkAccount(in: call)
          let took = began.duration(to: .now)
          run.withLock { $0.times.append(took) }
        } catch {
          let took = began.duration(to: .now)
          run.withLock { run in
            run.failures[error.reason.code, default: 0] += 1
            run.times.append(took)
          }
          // Whoever is told at once that nobody is asked would fill the run with it.
          if took < .milliseconds(50) { try? await Task.sleep(for: .milliseconds(50)) }
        }
      } while ContinuousClock.now < end
    }
  }
}
let done = run.withLock { $0 }
let times = done.times.map { $0 / .milliseconds(1) }.sorted()
let failed = done.failures.values.reduce(0, +)
func rank(_ share: Double) -> Double {
  times.isEmpty ? 0 : times[min(times.count - 1, Int(Double(times.count) * share))]
}
for (reason, count) in done.failures.sorted(by: { $0.key < $1.key }) { print(reason, count) }
print(times.count - failed, failed, rank(0.5), rank(0.99), times.last ?? 0)
ThisProcess.exit(0)
