import HTTPServer

// Feeds bytes to the request guard and the parser behind it. The same bytes arrive at once and
// one by one, and both ways have to end alike.
//
// The modules are built with the fuzzer's instrumentation, then linked with this one file:
//
//     swift build -c release --sanitize fuzzer --scratch-path .build/fuzz --target HTTPServer
//     O=.build/fuzz/release; C=Sources/C
//     swiftc -O -sanitize=fuzzer -parse-as-library -strict-memory-safety \
//       -package-name "$(basename "$PWD")" -I $O/Modules \
//       -Xcc -fmodule-map-file=$C/CEvent/module.modulemap \
//       -Xcc -fmodule-map-file=$C/CLLHTTP/include/module.modulemap \
//       -Xcc -fmodule-map-file=$C/CZlib/module.modulemap Fuzz/RequestGuard.swift \
//       $O/HTTP.build/*.o $O/Compression.build/*.o $O/HTTPServer.build/*.o $O/CLLHTTP.build/*.o \
//       -levent -levent_pthreads -lz -o .build/fuzz/request-guard
//     .build/fuzz/request-guard -max_total_time=60 -max_len=4096

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequestGuard(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  let whole = RequestProbe.run(bytes)
  let split = RequestProbe.run(bytes, step: 1)
  precondition(whole.requests == split.requests && whole.bodyBytes == split.bodyBytes)
  precondition((whole.refusal == nil) == (split.refusal == nil))
  return 0
}
