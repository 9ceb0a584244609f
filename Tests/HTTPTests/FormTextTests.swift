import HTTP
import Testing

@Suite struct `Texts of forms` {
  @Test func `NUL in a form becomes a character that databases take`() throws {
    let form = FormFields(parsing: "a%00b=%00&c=d%00")
    #expect(form.fields == [.init("a\u{FFFD}b", "\u{FFFD}"), .init("c", "d\u{FFFD}")])
    let body =
      "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\0c\r\n--x--\r\n"
    let upload = try #require(MultipartForm(Array(body.utf8), boundary: "x"))
    #expect(upload.fields["a"] == "b\u{FFFD}c")
  }
}
