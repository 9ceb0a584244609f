import Circulation
import HTTP
import HTTPClient
import Secrets
import Synchronization
import Testing

@testable import ProviderKit

/// The worked examples of RFC 5849 and of a service that still speaks this.
private final class Nonces: Sendable {
  private let count = Mutex(0)

  func next() -> String {
    count.withLock {
      $0 += 1
      return "n\($0)"
    }
  }
}

@Suite struct `A request signed by OAuth 1` {
  static let photos = OAuth1.Keys(
    name: Secret("dpf43f3p2l4k3l03"), secret: Secret("kd94hf93k423kf44"))
  static let shelf = OAuth1.Keys(
    name: Secret("carrelDevKey0001"), secret: Secret("c0nsumer-s3cret&With+odd~chars"))
  static let reading = OAuth1.Keys(name: Secret("acTok789"), secret: Secret("acSecret012"))

  private func parameters(_ request: WireRequest) throws -> FormFields {
    let text = try #require(request.headers["Authorization"])
    #expect(text.hasPrefix("OAuth "))
    return FormFields(
      text.dropFirst(6).split(separator: ", ").compactMap { part in
        let pair = part.split(separator: "=", maxSplits: 1)
        guard pair.count == 2 else { return nil }
        return .init(
          String(pair[0]), PercentCoding.decode(String(pair[1].dropFirst().dropLast())) ?? "")
      })
  }

  private func signature(_ request: WireRequest) throws -> String? {
    try parameters(request)["oauth_signature"]
  }

  private func form(_ address: String, _ fields: [(name: String, value: String)]) throws
    -> WireRequest
  {
    WireRequest.form(try Address(address), fields)
  }

  @Test func `A request signed by OAuth 1 has the base string of the standard`() throws {
    var request = WireRequest(
      .post, try Address("http://EXAMPLE.com:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b"),
      headers: ["Content-Type": "application/x-www-form-urlencoded"])
    request.body = Array("c2&a3=2+q".utf8)
    let own = [
      ("oauth_consumer_key", "9djdj82h48djs9d2"), ("oauth_token", "kkk9d7dh3k39sjv7"),
      ("oauth_signature_method", "HMAC-SHA1"), ("oauth_timestamp", "137131201"),
      ("oauth_nonce", "7d8f3e4a"),
    ].map { FormFields.Field($0.0, $0.1) }
    #expect(
      OAuth1.baseString(of: request, own)
        == "POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D"
        + "%253D%25253D%26c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce"
        + "%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201"
        + "%26oauth_token%3Dkkk9d7dh3k39sjv7")
    let signer = OAuth1.Signer(
      .init(name: Secret("9djdj82h48djs9d2"), secret: Secret("j49sk3j29djd")),
      token: .init(name: Secret("kkk9d7dh3k39sjv7"), secret: Secret("dh893hdasih9")), fixed: [])
    let signed = signer.signed(request, .init(nonce: "7d8f3e4a", time: 137_131_201))
    #expect(try signature(signed) == "r6/TJjbCOr97/+UU0NsvSne7s5g=")
  }

  @Test func `A request signed by OAuth 1 leads from the token on trial to the one that counts`()
    throws
  {
    let signer = OAuth1.Signer(
      Self.photos,
      token: .init(name: Secret("hh5s93j4hdidpola"), secret: Secret("hdhd0244k9j7ao03")),
      fixed: [])
    let request = OAuth1.accessToken(
      at: try Address("https://photos.example.net/token"), by: signer, verifier: "hfdp7dh39dks9884",
      .init(nonce: "walatlh", time: 137_131_201))
    #expect(try signature(request) == "gKgrFCywp7rO0OXSjdot/IHF7IU=")
    #expect(try parameters(request)["oauth_verifier"] == "hfdp7dh39dks9884")
    #expect(!request.isRepeatable)
  }

  @Test func `A request signed by OAuth 1 fetches a picture`() throws {
    let token = OAuth1.Keys(name: Secret("nnch734d00sl2jdk"), secret: Secret("pfkkdhi9sl3r4s00"))
    let address = try Address("http://photos.example.net/photos?file=vacation.jpg&size=original")
    let request = WireRequest(.get, address)
    let signed = OAuth1.Signer(Self.photos, token: token, fixed: [])
      .signed(request, .init(nonce: "chapoH", time: 137_131_202))
    #expect(try signature(signed) == "MdpQcU8iPSUjWoN/UDMsK2sui9I=")
    let older = OAuth1.Signer(Self.photos, token: token)
      .signed(request, .init(nonce: "kllo9940pd9333jh", time: 1_191_242_096))
    #expect(try signature(older) == "tR3+Ty81lMeYAr/Fid0kMTYa/WM=")
  }

  @Test func `OAuth 1 token requests can be signed without a callback and a verifier`() throws {
    let first = OAuth1.requestToken(
      .get, at: try Address("https://www.goodreads.com/oauth/request_token"),
      by: OAuth1.Signer(Self.shelf), callback: nil, .init(nonce: "n-0001", time: 1_735_689_600))
    #expect(try signature(first) == "eIG06ozesCUfKdvIlorQKAQ4ziM=")
    let trial = OAuth1.Keys(name: Secret("rqTok123"), secret: Secret("rqSecret456"))
    let second = OAuth1.accessToken(
      .get, at: try Address("https://www.goodreads.com/oauth/access_token"),
      by: OAuth1.Signer(Self.shelf, token: trial), verifier: nil,
      .init(nonce: "n-0002", time: 1_735_689_660))
    #expect(try signature(second) == "/QLNQ+uYXfTsbpK/Ch+Inz4GeVE=")
    let page = OAuth1.page(
      at: try Address("https://www.goodreads.com/oauth/authorize"), for: trial,
      callback: "http://127.0.0.1:1/callback?state=s")
    #expect(
      page.query
        == "oauth_token=rqTok123&oauth_callback=http%3A%2F%2F127.0.0.1%3A1%2Fcallback%3Fstate%3Ds")
  }

  @Test func `A request signed by OAuth 1 signs an awkward query, a body, and a body in French`()
    throws
  {
    let signer = OAuth1.Signer(Self.shelf, token: Self.reading)
    let base = "https://www.goodreads.com"
    let list = try Address(base + "/review/list.xml").adding([
      .init("v", "2"), .init("shelf", "to-read"), .init("page", "1"), .init("per_page", "200"),
      .init("search[query]", "Bronte & sisters"),
    ])
    let read = signer.signed(WireRequest(.get, list), .init(nonce: "n-0004", time: 1_735_689_700))
    #expect(try signature(read) == "Je+vVCIqx3MkoVoY5oo3Cm+NJYc=")
    #expect(read.headers["Authorization"]?.contains("Je%2BvVCIqx3MkoVoY5oo3Cm%2BNJYc%3D") == true)
    let write = signer.signed(
      try form(base + "/shelf/add_to_shelf.xml", [("name", "to-read"), ("book_id", "17349")]),
      .init(nonce: "n-0005", time: 1_735_689_701))
    #expect(try signature(write) == "ylDOJZatxZhwkZpWQE/2bdJoe5k=")
    let review = signer.signed(
      try form(
        base + "/review.xml",
        [
          ("book_id", "6900"), ("review[rating]", "5"),
          ("review[review]", "Élan vital – 100% \"très\" bien+"),
          ("review[read_at]", "2025-01-01"), ("shelf", "read"),
        ]), .init(nonce: "n-0006", time: 1_735_689_702))
    #expect(try signature(review) == "HLWsstC3Fn2G2JVLDXOjLppBOFI=")
  }

  @Test func `OAuth 1 with the plaintext method sends the secrets themselves`() throws {
    let signer = OAuth1.Signer(Self.shelf, method: .plaintext)
    let signed = signer.signed(
      WireRequest(.get, try Address("https://x.example/")), .init(nonce: "n", time: 1))
    #expect(try signature(signed) == "c0nsumer-s3cret%26With%2Bodd~chars&")
  }

  @Test func `A request signed by OAuth 1 gets a new nonce for every try`() async throws {
    let script = Scripted(.status(503), .status(200))
    let nonces = Nonces()
    let request = OAuth1.Signer(Self.shelf).signing(
      WireRequest(.get, try Address("https://x.example/")),
      by: { .init(nonce: nonces.next(), time: 1) })
    _ = try await script.session().send(
      request, .shelf,
      in: .init(patron: nil, deadline: script.start + .seconds(60), requestID: "r"))
    #expect(script.seen.count == 2)
    let fields = script.seen.compactMap { $0.headers["Authorization"] }
    #expect(fields[0].contains("oauth_nonce=\"n1\"") && fields[1].contains("oauth_nonce=\"n2\""))
  }

  @Test func `A request signed by OAuth 1 reads a token out of a form`() {
    let keys = OAuth1.Keys(answer: Array("oauth_token=a%2Bb&oauth_token_secret=&x=1".utf8))
    #expect(keys?.name.revealText { $0 } == "a+b")
    #expect(OAuth1.Keys(answer: Array("Invalid OAuth Request".utf8)) == nil)
  }
}
