import AppSupport
import Crypto
import Secrets
import Testing

@testable import Registry

@Suite struct `A code of a moment` {
  private static let key = Array("12345678901234567890".utf8)

  /// RFC 4226, appendix D.
  @Test func `A code of a moment is that of the counter, by the published table`() {
    let published = [
      "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871",
      "520489",
    ]
    for (step, code) in published.enumerated() {
      #expect(TimedCode.code(Secret(Self.key), at: Int64(step)) == code)
    }
  }

  /// RFC 6238, appendix B, of whose eight digits an app shows the last six.
  @Test(
    arguments: [
      (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"),
      (1_234_567_890, "89005924"), (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
    ] as [(Int64, String)])
  func `A code of a moment is that of the time, by the published table`(
    seconds: Int64, published: String
  ) {
    let step = TimedCode.step(at: seconds * 1000)
    #expect(TimedCode.code(Secret(Self.key), at: step) == published.suffix(6))
    #expect(Authenticator(key: Self.key).code(at: seconds * 1000) == published.suffix(6))
  }

  @Test func `A code of a moment is taken one step early or late, and no further`() {
    let (app, key, now) = (Authenticator(key: Self.key), Secret(Self.key), Int64(1_700_000_000_000))
    for steps in Int64(-3)...3 {
      let found = TimedCode.step(of: Array(app.code(at: now, steps: steps).utf8), key, at: now)
      #expect(found == (abs(steps) < 2 ? TimedCode.step(at: now) + steps : nil), "\(steps)")
    }
    #expect(TimedCode.step(of: [], key, at: now) == nil)
  }

  /// RFC 4648 §10, without padding.
  @Test(arguments: [
    ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"),
    ("fooba", "MZXW6YTB"), ("foobar", "MZXW6YTBOI"),
  ])
  func `A code of a moment is made with a key that apps can be told`(
    plain: String, published: String
  ) {
    #expect(Base32.encode(Secret(plain)).revealText { $0 == published })
  }

  @Test func `A code of a moment is made with a key whose address names reader and house`() {
    let key = FactorKey(Secret(Self.key), owner: "Ada & Söhne", issuer: "Town Library")
    let text = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    #expect(key.text.revealText { $0 == text })
    #expect(key.grouped.revealText { $0 == "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ" })
    let address =
      "otpauth://totp/Town%20Library:Ada%20%26%20S%C3%B6hne?secret=\(text)"
      + "&issuer=Town%20Library&algorithm=SHA1&digits=6&period=30"
    #expect(key.address.revealText { $0 == address })
  }
}
