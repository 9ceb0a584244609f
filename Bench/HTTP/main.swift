import Glibc
import HTTP
import HTTPServer

// The server side of `scripts/bench-http`: one page of 60 KB and one of 1 KB from memory, as the
// gateway sends its feeds. Prints its address and serves until its input closes.
//
//     bench-http LOOPS FILE

let arguments = CommandLine.arguments
guard arguments.count == 3, let loops = Int(arguments[1]),
  let file = try? FileBody(path: arguments[2])
else {
  print("usage: bench-http LOOPS FILE")
  exit(2)
}
let page = file.read(0..<file.length)
let feed = MediaType("application", "atom+xml", [.init("profile", "opds-catalog")])
let big = CachedBody(page, feed)
let small = CachedBody(Array(page.prefix(1024)), feed)

var router = Router<Void>()
router.immediate(.get, at: Path.root / "big", note: ()) { _ in .cached(big) }
router.immediate(.get, at: Path.root / "small", note: ()) { _ in .cached(small) }
router.on(.get, at: Path.root / "async", note: ()) { _ in .cached(small) }

let server = Server(ServerSettings([.loopback(port: 0)], loops: loops), router.handler)
try server.start()
print(server.addresses[0])
fflush(nil)
while readLine() != nil {}
await server.stop(within: .seconds(2))
