import Crypto
import HTTP
import HTTPClient
import JSON
import Phrasebook
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Notices

/// What receivers find who check it by the standards, with code of their own.
@Suite(.timeLimit(.minutes(2))) struct `A notice by post` {
  @Test func `A notice by post is signed, so that a receiver knows whose it is and that it is new`()
    async throws
  {
    try await withRoom(.sqlite) { room in
      let receiver = try Receiver()
      defer { receiver.stop() }
      let notices = room.notices()
      let added = try await notices.add(
        ChannelOrder(
          name: "hook", medium: .webhook, fields: ["address": Secret(receiver.address)]), of: ada)
      let key = try #require(added.key?.revealText { $0 })
      #expect(key.hasPrefix("whsec_"))
      try await notices.tell([.ready()])
      #expect(try await notices.deliver(limit: 9).sent == 1)
      let post = try #require(receiver.posts.first)
      #expect(post.target == "/in?secret=tell-nobody")
      let (id, time) = (post.headers["webhook-id"] ?? "", post.headers["webhook-timestamp"] ?? "")
      #expect(time == "\(room.clock.now / 1000)")
      let signed = Array("\(id).\(time).".utf8) + post.body
      let bytes = try Base64.standard.decode(String(key.dropFirst(6)))
      #expect(
        post.headers["webhook-signature"]
          == "v1," + Base64.standard.encode(Digest.sha256.authenticate(signed, key: bytes)))
      let body = try JSONValue(parsing: post.body)
      #expect(body["type"] == "hold.ready" && body["id"] == .string(id))
      let notice = try #require(body["data"]?["notices"]?[0])
      #expect(notice["kind"] == "hold_ready" && notice["library"] == "City Library")
      #expect(notice["title"] == .null)
    }
  }

  @Test func `A notice by post says it in the tongue of its reader, and its codes in none`()
    async throws
  {
    try await withRoom(.sqlite) { room in
      let receiver = try Receiver()
      defer { receiver.stop() }
      let notices = room.notices(in: .german)
      for patron in [ada, bob] {
        _ = try await notices.addHook(receiver.address, of: patron)
        try await notices.tell([.ready(patron, until: room.clock.now + 6 * 86_400_000)])
      }
      #expect(try await notices.deliver(limit: 9).sent == 2)
      let said = try receiver.posts.map { post in
        let body = try JSONValue(parsing: post.body)
        #expect(body["type"] == "hold.ready")
        return body["data"]?["notices"]?[0]?["text"]?.string ?? ""
      }
      #expect(said.first?.contains("28. Nov") == true, "\(said)")
      #expect(said.last?.contains("until Sat 28 Nov 12:00") == true, "\(said)")
    }
  }

  @Test func `A notice by post is signed as the pattern's example`() throws {
    let key = Secret(try Base64.standard.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
    let body = Array(#"{"event":"hold.ready","id":"0192"}"#.utf8)
    #expect(
      Signature.text(body, id: "msg_01", at: 1_795_000_000, key)
        == "v1,NHCd+XMpXkAS49S3JCP79cFb0Y/7jiOc3Ihcj0yw+5Q=")
  }

  @Test func `A notice by post to ntfy carries topic and token where only the server sees them`()
    async throws
  {
    try await withRoom(.sqlite) { room in
      let receiver = try Receiver()
      defer { receiver.stop() }
      let notices = room.notices()
      let channel = try await notices.add(
        ChannelOrder(
          name: nil, medium: .ntfy,
          fields: [
            "server": Secret(receiver.address), "topic": Secret("Some-secret_topic"),
            "token": Secret("tk_value"),
          ]), of: ada
      ).channel
      #expect(!channel.shown.contains("secret"))
      try await notices.tell([.ready()])
      #expect(try await notices.deliver(limit: 9).sent == 1)
      let post = try #require(receiver.posts.first)
      #expect(post.headers["authorization"] == "Bearer tk_value")
      let body = try JSONValue(parsing: post.body)
      #expect(body["topic"] == "Some-secret_topic" && body["priority"] == 4)
      #expect(body["title"] == "A hold is ready at City Library")
      #expect(body["click"] == "https://books.example")
    }
  }

  @Test func `the template of a text message is filled with escaped values in JSON and forms`() {
    let values = ["{to}": "+4930", "{text}": #"a "b" & {to}"#, "{id}": "n1"]
    #expect(
      Courier.filled(#"{"to":"{to}","text":"{text}"}"#, values, isJSON: true)
        == #"{"to":"+4930","text":"a \"b\" & {to}"}"#)
    #expect(
      Courier.filled("to={to}&text={text}&id={id}&x={y}", values, isJSON: false)
        == "to=%2B4930&text=a%20%22b%22%20%26%20%7Bto%7D&id=n1&x={y}")
  }

  @Test func `A notice by post by such a gateway goes with its key`() async throws {
    try await withRoom(.sqlite) { room in
      let receiver = try Receiver()
      defer { receiver.stop() }
      let address = try Address(receiver.address)
      let notices = room.notices {
        $0.shortMessages = .post(
          address, over: $0.patrons, body: "to={to}&text={text}",
          authorization: Secret("Bearer sms"))
      }
      _ = try await notices.add(
        ChannelOrder(name: nil, medium: .sms, fields: ["number": Secret("+4930123456")]), of: ada)
      try await room.confirmAll()
      try await notices.tell([.ready()])
      #expect(try await notices.deliver(limit: 9).sent == 1)
      let post = try #require(receiver.posts.last)
      #expect(post.headers["authorization"] == "Bearer sms")
      #expect(String(decoding: post.body, as: UTF8.self).hasPrefix("to=%2B4930123456&text=Carrel"))
    }
  }
}

@Suite(.timeLimit(.minutes(2))) struct `A pushed notice` {
  @Test func `A pushed notice is sealed as the standard's example`() throws {
    let theirs = try ES256.PublicKey(
      point: try Base64.urlSafe.decode(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"))
    let pair = try ES256.PrivateKey(
      secret: Secret(try Base64.urlSafe.decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")),
      point: try Base64.urlSafe.decode(
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"))
    let auth = Secret(try Base64.urlSafe.decode("BTBZMqHH6r4Tts7J_aSIgg"))
    let body = try WebPush.sealed(
      Array("When I grow up, I want to be a watermelon".utf8),
      for: WebPush.Recipient(point: theirs, auth: auth),
      salt: try Base64.urlSafe.decode("DGv6ra1nlYgDCS1FRnbzlw"), by: pair)
    #expect(
      Base64.urlSafe.encode(body)
        == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmY"
        + "WAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexS"
        + "gSxsj_Qulcy4a-fN")
    #expect(throws: CryptoError.wrongLength("the message")) {
      try WebPush.sealed(
        [UInt8](repeating: 1, count: 3_994), for: WebPush.Recipient(point: theirs, auth: auth))
    }
  }

  @Test(arguments: Engine.allCases)
  func `A pushed notice opens in the browser that subscribed, and says who sent it`(
    _ engine: Engine
  ) async throws {
    try await withRoom(engine) { room in
      let receiver = try Receiver()
      defer { receiver.stop() }
      let browser = try Browser(receiver.address)
      let notices = room.notices()
      let channel = try await notices.add(browser.order, of: ada).channel
      #expect(!channel.shown.contains("secret"))
      try await notices.tell([.ready()])
      #expect(try await notices.deliver(limit: 9).sent == 1)
      let post = try #require(receiver.posts.first)
      let content = try JSONValue(parsing: try browser.opened(post.body))
      #expect(content["title"] == "A hold is ready at City Library")
      #expect(post.headers["content-encoding"] == "aes128gcm")
      #expect(post.headers["ttl"] == "86400" && post.headers["urgency"] == "high")
      #expect((1...32).contains(post.headers["topic"]?.count ?? 0))
      // The signature is by the key that browsers were given, over what it says.
      let claims = try browser.claims(
        post.headers["authorization"] ?? "", knowing: try await notices.pushPoint())
      #expect(claims["aud"]?.string.map { receiver.address.hasPrefix("\($0)/") } == true)
      let end = claims["exp"]?.integer ?? 0
      #expect(end > Int(room.clock.now / 1000) && end <= Int(room.clock.now / 1000) + 86_400)
      #expect(claims["sub"] == "mailto:keeper@library.example")
      // Another process of the house is the same sender.
      #expect(try await room.notices().pushPoint() == notices.pushPoint())
    }
  }

  @Test(arguments: ["404 Not Found", "410 Gone"])
  func `A pushed notice to a subscription that is gone ends it`(_ status: String) async throws {
    try await withRoom(.sqlite) { room in
      let receiver = try Receiver((status, []))
      defer { receiver.stop() }
      let notices = room.notices()
      _ = try await notices.add(try Browser(receiver.address).order, of: ada)
      try await notices.tell([.ready()])
      #expect(try await notices.deliver(limit: 9).failed == 1)
      #expect(try await notices.channels(of: ada).first?.offBecause != nil)
      #expect(try await notices.inbox(of: ada, onlyUnread: true).count == 2)
    }
  }
}

/// The other end of a subscription: its own keys, and the steps of RFC 8291 backwards.
private struct Browser {
  let endpoint: String
  let auth: [UInt8]
  let point: [UInt8]
  private let pair: ES256.PrivateKey

  init(_ endpoint: String) throws {
    self.endpoint = endpoint
    pair = try ES256.PrivateKey()
    point = try pair.publicKey().point
    auth = try randomBytes(16)
  }

  var order: ChannelOrder {
    ChannelOrder(
      name: nil, medium: .push,
      fields: [
        "endpoint": Secret(endpoint), "p256dh": Secret(Base64.urlSafe.encode(point)),
        "auth": Secret(Base64.urlSafe.encode(auth)),
      ])
  }

  func opened(_ body: [UInt8]) throws -> [UInt8] {
    let (salt, size, length) = (Array(body[..<16]), Array(body[16..<20]), Int(body[20]))
    try #require(size == [0, 0, 0x10, 0] && length == 65)
    let sender = Array(body[21..<86])
    let hmac = { (key: [UInt8], text: [UInt8]) in Digest.sha256.authenticate(text, key: key) }
    let shared = try pair.agreed(with: ES256.PublicKey(point: sender)).revealBytes { $0 }
    let seed = hmac(hmac(auth, shared), Array("WebPush: info\0".utf8) + point + sender + [1])
    let root = hmac(salt, seed)
    let key = hmac(root, Array("Content-Encoding: aes128gcm\0".utf8) + [1]).prefix(16)
    let nonce = hmac(root, Array("Content-Encoding: nonce\0".utf8) + [1]).prefix(12)
    let plain = try AESGCM.open(
      Array(body[86...]), key: Secret(Array(key)), nonce: Array(nonce))
    try #require(plain.last == 2)
    return Array(plain.dropLast())
  }

  /// What the sender claims, when it is signed by that key.
  func claims(_ header: String, knowing point: String) throws -> JSONValue {
    try #require(header.hasPrefix("vapid t=") && header.hasSuffix(", k=\(point)"))
    let token = header.dropFirst(8).prefix { $0 != "," }.split(separator: ".").map { String($0) }
    try #require(token.count == 3)
    let sender = try ES256.PublicKey(point: try Base64.urlSafe.decode(point))
    let signature = try Base64.urlSafe.decode(token[2])
    try #require(sender.isValid(signature, for: Array("\(token[0]).\(token[1])".utf8)))
    let head = try JSONValue(parsing: Base64.urlSafe.decode(token[0]))
    try #require(head["alg"] == "ES256")
    return try JSONValue(parsing: Base64.urlSafe.decode(token[1]))
  }
}
