package import Circulation
import Crypto
import Database
import Machine

/// A name that a client gave its request, to be able to send it again: within one reader and one route
/// it stands for that request and no other. Neither key nor request is stored, only digests of them.
package struct RequestKey: Sendable, Hashable {
  let number: [UInt8]
  /// Of all that makes the request what it is.
  let request: [UInt8]
  /// Whether a later request with the key is answered from what was noted. A form of a page may be sent long
  /// after: then it is answered by how things stand.
  package let isAnsweredAlike: Bool

  package init(
    _ key: String, of patron: PatronID, on route: String, asking request: String,
    isAnsweredAlike: Bool = true
  ) {
    self.isAnsweredAlike = isAnsweredAlike
    let name = "\(patron.rawValue)\0\(route)\0\(key)"
    number = Array(Digest.sha256.hash(name).prefix(SlipText.numberLength))
    self.request = Array(Digest.sha256.hash(request).prefix(16))
  }

  /// 16 to 255 characters that can be printed.
  package static func isFit(_ key: String) -> Bool {
    (16...255).contains(key.utf8.count) && key.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// Names the attempt at the desk.
  package var attempt: String { "key-" + Hex.encode(number) }
}

extension SlipBox {
  /// The slip that a key stands for; nil where the key is new.
  package func slip(of key: RequestKey) async throws(SlipError) -> HandedSlip? {
    let oldest = now() - settings.memory.milliseconds
    let found = try await database { () throws(DatabaseError) in
      try await store.read { tx throws(DatabaseError) in try tx.keyed(key, since: oldest) }
    }
    return try found?.handed(key)
  }

  /// Lets a key stand for a slip, before anything is done about it. Where another request with the key was
  /// faster, its slip counts.
  package func note(
    _ slip: Slip, as key: RequestKey, of patron: PatronID
  ) async throws(SlipError) -> HandedSlip {
    let now = now()
    let oldest = now - settings.memory.milliseconds
    let body = SlipText(slip: slip, number: key.number, until: now).body
    let found = try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) in
        try tx.execute("DELETE FROM slip WHERE taken_at < \(oldest)")
        try tx.execute(
          """
          INSERT INTO slip (number, patron, taken_at, request, body)
          VALUES (\(key.number), \(patron.rawValue), \(now), \(key.request), \(body))
          ON CONFLICT (number) DO NOTHING
          """)
        return try tx.keyed(key, since: oldest)
      }
    }
    guard let found else { throw .expired }
    return try found.handed(key)
  }
}

private struct KeyedRow: Sendable {
  let request: [UInt8]?
  let body: [UInt8]?
  let outcome: String?

  func handed(_ key: RequestKey) throws(SlipError) -> HandedSlip {
    guard request == key.request, let slip = body.flatMap({ SlipText(body: $0)?.slip }) else {
      throw .keyDiffers
    }
    return HandedSlip(slip: slip, attempt: key.attempt, outcome: outcome)
  }
}

extension Snapshot {
  fileprivate func keyed(
    _ key: RequestKey, since oldest: Int64
  ) throws(DatabaseError) -> KeyedRow? {
    try first(
      """
      SELECT request, body, outcome FROM slip
      WHERE number = \(key.number) AND taken_at >= \(oldest)
      """
    ) { row throws(DatabaseError) in
      KeyedRow(request: try row[0], body: try row[1], outcome: try row[2])
    }
  }
}
