import Crypto
import LCP
import Machine
import Secrets

// Compiled against the module built with the fuzzer, never by the package:
// see `make fuzz`. Whatever the bytes, a licence is read or refused with a reason that can be shown.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLCP(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  _ = try? LicenseStatus(bytes)
  do throws(LicenseRefusal) {
    let license = try License(bytes)
    precondition(license.link("publication") != nil && license.document == bytes)
    try? license.checkRights(at: .epoch)
    do throws(LicenseRefusal) { try license.checkProof(by: LicenseRoots()) } catch {
      precondition(!error.sentence.isEmpty)
    }
    _ = try license.unlocked(with: [UserKey(passphrase: Secret("fuzz"))])
  } catch {
    precondition(!error.sentence.isEmpty && error.detail.unicodeScalars.count <= 200)
  }
  if let certificate = try? Certificate(der: bytes) {
    _ = certificate.standing(under: certificate, at: 0)
    _ = certificate.keyKind
  }
  _ = try? RevocationList(bytes)
  return 0
}
