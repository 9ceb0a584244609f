import Testing

@testable import Registry

@Suite struct `The name of an account` {
  @Test(arguments: [
    "city", "City", "a", "7", "city-2", "my_card", String(repeating: "x", count: 40),
  ])
  func `The name of an account is a word`(name: String) {
    #expect(AccountName.isSound(name))
  }

  @Test(arguments: [
    "", "-city", "_city", "city library", "stadtbücherei", "a/b", "a.b", "a\n", "a\0",
    String(repeating: "x", count: 41),
  ])
  func `The name of an account is nothing else`(name: String) {
    #expect(!AccountName.isSound(name))
  }

  @Test(arguments: [
    ("city", "city"), ("City Library", "city-library"), ("  The  City's  ", "the-city-s"),
    ("Bücherei", "bcherei"), ("図書館", "account"), ("", "account"), ("--", "account"),
    (String(repeating: "long ", count: 20), "long-long-long-long-long-long-lo"),
  ])
  func `The name of an account is made of a wish`(wish: String, name: String) {
    #expect(AccountName.like(wish).choice(avoiding: []) == name)
    #expect(AccountName.isSound(name))
  }

  @Test func `The name of an account takes a number where it is taken`() {
    let wish = AccountName.like("City")
    #expect(wish.choice(avoiding: ["city"]) == "city-2")
    #expect(wish.choice(avoiding: ["city", "city-2", "city-4"]) == "city-3")
    #expect(AccountName.exactly("City").choice(avoiding: ["town"]) == "City")
    #expect(AccountName.exactly("City").choice(avoiding: ["city"]) == nil)
  }
}
