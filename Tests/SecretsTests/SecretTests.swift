import Testing

@testable import Secrets

@Suite struct `A secret` {
  let secret = Secret("ZZPIN4711ZZ")

  @Test func `A secret shows in no way of printing`() {
    struct Card {
      let number = "1"
      let pin = Secret("ZZPIN4711ZZ")
    }
    var dumped = ""
    dump(Card(), to: &dumped)
    for text in [
      "\(secret)", String(reflecting: secret), String(describing: Card()), dumped, "\([secret])",
      "\(Optional(secret) as Any)", "\(["pin": secret])",
    ] {
      #expect(!text.contains("4711"), "\(text)")
    }
  }

  @Test func `A secret is lent inside a closure`() {
    #expect(secret.revealText { $0 } == "ZZPIN4711ZZ")
    #expect(secret.reveal { $0.byteCount } == 11)
    #expect(Secret("").isEmpty && Secret("").revealText { $0 } == "")
    #expect(Secret("PIN mit Ümlaut").revealText { $0 } == "PIN mit Ümlaut")
  }

  @Test func `A secret is lent as an array, too`() {
    #expect(secret.revealBytes { $0 } == Array("ZZPIN4711ZZ".utf8))
    #expect(Secret("").revealBytes { $0 } == [])
    #expect(secret.count == 11)
  }

  @Test func `A secret matches what holds the same`() {
    #expect(secret.matches(Secret("ZZPIN4711ZZ")))
    #expect(!secret.matches(Secret("ZZPIN4712ZZ")))
    #expect(!secret.matches(Secret("ZZPIN4711Z")))
    #expect(Secret("").matches(Secret("")))
  }

  @Test func `A secret compares in full`() {
    #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
    #expect(!constantTimeEqual([1, 2, 3], [9, 2, 3]))
    #expect(!constantTimeEqual([1, 2, 3], [1, 2]))
    #expect(constantTimeEqual([], []))
  }

  @Test func `A secret is wiped from an array`() {
    var bytes: [UInt8] = [1, 2, 3]
    wipe(&bytes)
    #expect(bytes.isEmpty)
  }
}
