import Database
import Glibc

/// The two halves of `scripts/bench-database`: makes the rows, and imports them through a store.
let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.count) {
case ("rows", 2):
  guard let count = Int(arguments[2]) else { usage() }
  writeRows(count)
case ("import", 3):
  let count = try await importRows(from: arguments[2], into: arguments[3])
  print(count)
default: usage()
}

func usage() -> Never {
  print("usage: bench-database rows COUNT > FILE | bench-database import FILE DATABASE")
  exit(2)
}
