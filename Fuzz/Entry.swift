import Foundation

// libFuzzer's way into one parser, which PARSER names: see `scripts/fuzz`. Compiled with Tests/FuzzTests
// against modules that are built for it, never by the package.

private let parser: Parser = {
  let name = ProcessInfo.processInfo.environment["PARSER"] ?? ""
  guard let parser = Parser.outside.first(where: { $0.name == name }) else {
    fatalError("PARSER is one of \(Parser.outside.map(\.name).joined(separator: " "))")
  }
  return parser
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  parser.read(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
