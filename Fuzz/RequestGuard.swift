import HTTPServer

// Feeds bytes to the request guard and the parser behind it. The same bytes arrive at once and
// one by one, and both ways have to end alike.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequestGuard(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  let whole = RequestProbe.run(bytes)
  let split = RequestProbe.run(bytes, step: 1)
  precondition(whole.requests == split.requests && whole.bodyBytes == split.bodyBytes)
  precondition((whole.refusal == nil) == (split.refusal == nil))
  return 0
}
