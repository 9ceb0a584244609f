import SIP2
import Text

// Compiled against the module built with the fuzzer, never by the package:
// see `make fuzz`. Whatever the bytes, reading ends in a message or in a typed refusal.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSIP2(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  for charset in Charset.allCases {
    var wire = Wire()
    wire.charset = charset
    guard let frame = try? Frame(reading: bytes, as: wire) else { continue }
    _ = PatronRecord(frame.message)
    _ = SignIn(frame.message, asking: .required)
    _ = ItemRecord(frame.message)
    _ = HoldAnswer(frame.message)
    _ = ServiceStatus(frame.message)
    guard let printed = try? frame.message.bytes(as: wire, sequence: 1) else { continue }
    precondition(!printed.contains { $0 < 0x20 })
    let again = try? Frame(reading: printed, as: wire)
    precondition(again?.checksum == .right)
  }
  return 0
}
