import JSON
import Testing

@Suite struct `Writing JSON` {
  @Test(arguments: [
    "null", "true", "12", "-1.50", #""""#, "[]", "{}", #"{"b":1,"a":[{},[]]}"#, #""é😀""#,
    #""\"\\\n\r\t\u0000\u001f\u007f""#,
  ])
  func `compact JSON is written exactly as it was read`(_ text: String) throws {
    #expect(try JSONValue(parsing: text).text() == text)
  }

  @Test func `indented JSON puts each member and element on a line of its own`() {
    let value: JSONValue = ["name": "x", "list": [1, 2], "none": [], "more": ["a": nil]]
    #expect(
      value.text(.indented) == """
        {
          "name": "x",
          "list": [
            1,
            2
          ],
          "none": [],
          "more": {
            "a": null
          }
        }
        """)
  }

  @Test func `written JSON has no line break inside a value`() {
    let text = JSONValue.string("a\nb\rc\u{2028}").text()
    #expect(!text.contains("\n") && !text.contains("\r"))
  }

  @Test func `Writing JSON doubles are written so that they read back the same`() throws {
    for number in [0.1, 1e-7, 1.5e300, -2.25, 3] {
      #expect(try JSONValue(parsing: JSONValue(number).text()).double == number)
    }
    #expect(JSONValue(.nan) == .null)
    #expect(JSONValue(.infinity) == .null)
    #expect(JSONValue(3.0) == .integer(3))
  }
}

@Suite struct `JSON objects` {
  @Test func `JSON objects keep the order they were written in`() throws {
    let value = try JSONValue(parsing: #"{"z":1,"a":2,"m":3}"#)
    #expect(value.object?.names == ["z", "a", "m"])
  }

  @Test func `JSON objects are equal whatever their order`() throws {
    let one = try JSONValue(parsing: #"{"a":1,"b":[2]}"#)
    let other = try JSONValue(parsing: #"{"b":[2],"a":1}"#)
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    #expect(try one != JSONValue(parsing: #"{"a":1,"b":[3]}"#))
  }

  @Test(arguments: [3, 16, 17, 40])
  func `JSON objects can be changed at any size`(_ count: Int) {
    var object = JSONObject()
    for number in 0..<count { object["k\(number)"] = .integer(number) }
    object["k1"] = "new"
    object["k0"] = nil
    #expect(object.count == count - 1)
    #expect(object["k1"] == "new")
    #expect(object["k0"] == nil)
    #expect(object["k\(count - 1)"] == (count == 2 ? "new" : .integer(count - 1)))
  }
}

@Suite struct `Reaching into JSON` {
  let document = JSONCursor(["items": [["title": "A", "year": 1984, "isbn": 9_780_141_036_137]]])

  @Test func `a JSON cursor returns values with their type`() throws {
    let item = try document["items"].elements()[0]
    #expect(try item["title"].string() == "A")
    #expect(try item["year"].integer() == 1984)
    #expect(try item["isbn"].identifier() == "9780141036137")
    #expect(item["subtitle"].ifPresent == nil)
  }

  @Test func `a JSON cursor mismatch names the place and both kinds`() throws {
    let item = try document["items"].elements()[0]
    let error = #expect(throws: JSONMismatch.self) { try item["year"].string() }
    #expect(error?.description == "$.items[0].year: expected a string, found a number")
    let absent = #expect(throws: JSONMismatch.self) { try document["items"][5]["x"].bool() }
    #expect(absent?.description == "$.items[5].x: expected true or false, found nothing")
  }
}
