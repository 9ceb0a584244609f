import Crypto
import Secrets

/// How a receiver knows that a post is ours, is new, and is not another one told again: the pattern of
/// Standard Webhooks.
enum Signature {
  static func text(_ body: [UInt8], id: String, at seconds: Int64, _ key: Secret) -> String {
    let signed = Array("\(id).\(seconds).".utf8) + body
    return "v1," + Base64.standard.encode(Digest.sha256.authenticate(signed, key: key))
  }
}
