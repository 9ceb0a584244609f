import Crypto
import HTTP
import JSON
import Machine
import MockKit

/// Checks what every request has to prove. Written anew, from the rules and not from the adapter:
/// otherwise both could be wrong alike.
enum Signature {
  /// In milliseconds; a library's settings may say otherwise.
  static let skew: Int64 = 300_000

  /// Over the raw target, query and all; the body does not count.
  static func isRight(on request: MockRequest, by library: MockLibrary, at now: Moment) -> Bool {
    guard let stamp = request.headers["3mcl-Datetime"], let date = HTTPDate(stamp),
      HTTPDate(seconds: date.seconds).description == stamp
    else { return false }
    let allowed = library.settings["skew"]?.integer.map { Int64($0) } ?? skew
    // By the library's clock, which may be anywhere, or by the machine's, which is all that a client
    // outside has: a clock that was moved on must not lock it out.
    let clocks = [now.milliseconds, Time.system.now().millisecondsSinceEpoch]
    guard clocks.contains(where: { abs(date.seconds * 1000 - $0) <= allowed + 1000 }) else {
      return false
    }
    let key = library.settings["account_key"]?.string ?? ""
    let lines = [stamp, request.method.rawValue.uppercased(), request.target]
    let mac = Digest.sha256.authenticate(
      Array(lines.joined(separator: "\n").utf8), key: Array(key.utf8))
    let account = library.settings["account_id"]?.string ?? ""
    return request.headers["3mcl-Authorization"]
      == "3MCLAUTH \(account):\(Base64.standard.encode(mac))"
  }
}
