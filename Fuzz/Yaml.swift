import Yaml

// Compiled against the module built with the fuzzer, never by the package:
// see `make fuzz`. Whatever the bytes, reading ends in a document or in a typed refusal.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzYaml(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  do throws(YamlError) {
    let document = try YamlNode(parsing: bytes)
    let reading = YamlReading(document)
    let server = reading.root["server"]
    _ = reading.attempt(try server["port"].int(in: 1...65535))
    _ = reading.attempt(try server["name"].string())
    _ = reading.attempt(try reading.root["lanes"].items().map(\.path.description))
    _ = reading.faults.map(\.description)
  } catch {
    precondition(error.position.line >= 1 && error.position.column >= 1)
    precondition(!error.description.isEmpty)
  }
  return 0
}
