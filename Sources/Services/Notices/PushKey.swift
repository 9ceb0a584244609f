import Crypto
import Database
import Secrets
import Vault

extension Notices {
  /// The pair of keys by which push services know this gateway; made when it is first needed, and for
  /// ever, since each subscription is bound to it.
  func pushKey() async throws(NoticeError) -> ES256.PrivateKey {
    let key = try await sealingKey()
    var sealed = try await keptPushKey()
    if sealed == nil { sealed = try await newPushKey(under: key) }
    do throws(CryptoError) {
      let pem = try FieldSealing.open(sealed ?? [], as: Self.pushKeyName, key)
      return try ES256.PrivateKey(pem: pem.revealText { $0 })
    } catch {
      throw .damaged
    }
  }

  /// What browsers subscribe with: the point of that pair.
  package func pushPoint() async throws(NoticeError) -> String {
    let key = try await pushKey()
    do throws(CryptoError) {
      return Base64.urlSafe.encode(try key.publicKey().point)
    } catch {
      throw .damaged
    }
  }

  private static var pushKeyName: [UInt8] { Array("push-key".utf8) }

  private func keptPushKey() async throws(NoticeError) -> [UInt8]? {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.first("SELECT sealed FROM notice_key WHERE id = 1") {
        row throws(DatabaseError) -> [UInt8] in try row[0]
      }
    }
  }

  /// Where another gateway is faster, its key is the one.
  private func newPushKey(under key: Secret) async throws(NoticeError) -> [UInt8] {
    let fresh: [UInt8]
    do throws(CryptoError) {
      fresh = try FieldSealing.seal(ES256.PrivateKey().pem(), as: Self.pushKeyName, key)
    } catch {
      throw .damaged
    }
    return try await write { tx throws(DatabaseError) in
      try tx.execute(
        "INSERT INTO notice_key (id, sealed) VALUES (1, \(fresh)) ON CONFLICT (id) DO NOTHING")
      return try tx.value("SELECT sealed FROM notice_key WHERE id = 1")
    }
  }
}
