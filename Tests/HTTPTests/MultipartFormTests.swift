import HTTP
import Testing

@Suite struct `A form with files` {
  static let body = [
    "--x-1", "Content-Disposition: form-data; name=\"seal\"", "", "abc",
    "--x-1", "content-disposition: form-data; name=\"photo\"; filename=\"a;\\\"b.jpg\"",
    "Content-Type: image/jpeg", "", "one\r\n--x-2\r\ntwo", "--x-1",
    "Content-Disposition: form-data; name=\"none\"; filename=\"\"",
    "Content-Type: application/octet-stream", "", "", "--x-1--", "",
  ].joined(separator: "\r\n")

  @Test func `A form with files is read with its fields and its files`() throws {
    let form = try #require(MultipartForm(Array(Self.body.utf8), boundary: "x-1"))
    #expect(form.fields == ["seal": "abc"])
    #expect(form.files.count == 1)
    #expect(form.file("photo") == Array("one\r\n--x-2\r\ntwo".utf8))
    let type = try #require(MediaType(parsing: "multipart/form-data; boundary=x-1"))
    #expect(MultipartForm(Array(Self.body.utf8), type: type) == form)
  }

  @Test func `A form with files is refused where it is cut off anywhere`() {
    let bytes = Array(Self.body.utf8)
    for count in 0..<(bytes.count - 4) {
      #expect(MultipartForm(Array(bytes.prefix(count)), boundary: "x-1") == nil, "\(count)")
    }
  }

  @Test func `a multipart form without names, with too many parts or a bad boundary is refused`() {
    let part = "--m\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n"
    #expect(MultipartForm(Array((part + "--m--").utf8), boundary: "m") != nil)
    let many = String(repeating: part, count: 51) + "--m--"
    #expect(MultipartForm(Array(many.utf8), boundary: "m") == nil)
    #expect(MultipartForm(Array("--m\r\n\r\nb\r\n--m--".utf8), boundary: "m") == nil)
    #expect(MultipartForm(Array((part + "--m--").utf8), boundary: "") == nil)
    #expect(MultipartForm(Array("x".utf8), type: .form) == nil)
  }
}
