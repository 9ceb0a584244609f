import HTTP
import Testing

@Suite struct ConditionTests {
  static let held = Validators(
    etag: EntityTag("v1"), lastModified: HTTPDate("Sun, 06 Nov 1994 08:49:37 GMT"))

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var method = Method.get
    let headers: Headers
    var held = ConditionTests.held
    var exists = true
    let verdict: Validators.Verdict

    init(
      _ name: String, _ method: Method, _ headers: Headers,
      held: Validators = ConditionTests.held, exists: Bool = true,
      _ verdict: Validators.Verdict
    ) {
      (testDescription, self.method, self.headers) = (name, method, headers)
      (self.held, self.exists, self.verdict) = (held, exists, verdict)
    }
  }

  @Test(arguments: [
    Row("no condition", .get, [:], .proceed),
    Row("same tag", .get, ["If-None-Match": "\"v1\""], .notModified),
    Row("same tag, weak", .get, ["If-None-Match": "W/\"v1\""], .notModified),
    Row("one of several tags", .get, ["If-None-Match": "\"v0\", W/\"v1\""], .notModified),
    Row("other tag", .get, ["If-None-Match": "\"v2\""], .proceed),
    Row("any tag", .get, ["If-None-Match": "*"], .notModified),
    Row("tag without quotes", .get, ["If-None-Match": "v1"], .proceed),
    Row("HEAD", .head, ["If-None-Match": "\"v1\""], .notModified),
    Row("PUT with the same tag", .put, ["If-None-Match": "\"v1\""], .failed),
    Row("PUT of something new", .put, ["If-None-Match": "*"], exists: false, .proceed),
    Row("PUT over something", .put, ["If-None-Match": "*"], .failed),
    Row(
      "unchanged since", .get, ["If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"], .notModified),
    Row("changed since", .get, ["If-Modified-Since": "Sun, 06 Nov 1994 08:49:36 GMT"], .proceed),
    Row("date that is none", .get, ["If-Modified-Since": "recently"], .proceed),
    Row(
      "tag wins over date",
      .get, ["If-None-Match": "\"v2\"", "If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"],
      .proceed),
    Row("If-Match holds", .put, ["If-Match": "\"v1\""], .proceed),
    Row("If-Match fails", .put, ["If-Match": "\"v2\""], .failed),
    Row("If-Match is strong", .put, ["If-Match": "W/\"v1\""], .failed),
    Row("If-Match any", .put, ["If-Match": "*"], .proceed),
    Row("If-Match any of nothing", .put, ["If-Match": "*"], exists: false, .failed),
    Row("If-Match on GET", .get, ["If-Match": "\"v2\""], .failed),
    Row(
      "unmodified since", .put, ["If-Unmodified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"],
      .proceed),
    Row(
      "modified since", .put, ["If-Unmodified-Since": "Sun, 06 Nov 1994 08:49:36 GMT"], .failed),
    Row(
      "POST with If-Modified-Since", .post, ["If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"],
      .proceed),
    Row("nothing to compare", .get, ["If-None-Match": "\"v1\""], held: Validators(), .proceed),
  ])
  func `conditions are judged in order`(row: Row) {
    #expect(row.held.verdict(for: row.method, row.headers, exists: row.exists) == row.verdict)
  }

  @Test(arguments: [
    ("\"v1\"", true), ("W/\"v1\"", false), ("\"v2\"", false),
    ("Sun, 06 Nov 1994 08:49:37 GMT", true), ("Sun, 06 Nov 1994 08:49:38 GMT", false),
    ("nonsense", false),
  ])
  func `If-Range allows only the very same version`(field: String, allowed: Bool) {
    #expect(Self.held.allowsRange(["If-Range": field]) == allowed)
  }
}

@Suite struct ByteRangesTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let field: String
    let selection: ByteRanges.Selection?
    var length = 100
    var testDescription: String { "\(field) of \(length)" }
  }

  @Test(arguments: [
    Row(field: "bytes=0-9", selection: .parts([0..<10])),
    Row(field: "bytes=0-", selection: .parts([0..<100])),
    Row(field: "bytes=90-1000", selection: .parts([90..<100])),
    Row(field: "bytes=-10", selection: .parts([90..<100])),
    Row(field: "bytes=-1000", selection: .parts([0..<100])),
    Row(field: "bytes=-0", selection: .unsatisfiable),
    Row(field: "bytes=100-", selection: .unsatisfiable),
    Row(field: "bytes=0-0", selection: .unsatisfiable, length: 0),
    Row(field: "bytes=99999999999999999999999-", selection: .unsatisfiable),
    Row(field: "bytes=0-99999999999999999999999", selection: .parts([0..<100])),
    Row(field: "bytes=0-9, 20-29", selection: .parts([0..<10, 20..<30])),
    Row(field: "bytes=20-29,0-9", selection: .parts([20..<30, 0..<10])),
    Row(field: "bytes=0-9,5-14", selection: .parts([0..<15])),
    Row(field: "bytes=0-9,200-", selection: .parts([0..<10])),
    Row(field: "bytes=0-49,50-99", selection: .whole),
    Row(field: "BYTES=0-9", selection: .parts([0..<10])),
    Row(field: "bytes=,0-9,", selection: .parts([0..<10])),
    Row(field: "bytes=9-0", selection: nil),
    Row(field: "bytes=a-b", selection: nil),
    Row(field: "bytes=-", selection: nil),
    Row(field: "bytes=", selection: nil),
    Row(field: "bytes", selection: nil),
    Row(field: "items=0-9", selection: nil),
    Row(field: "bytes=0-9 10-19", selection: nil),
    Row(
      field: "bytes=" + (0..<40).map { "\($0 * 2)-\($0 * 2)" }.joined(separator: ","),
      selection: .whole),
  ])
  func `a range is what the RFC says`(row: Row) {
    #expect(ByteRanges(row.field)?.selection(of: row.length) == row.selection)
  }

  @Test func `Content-Range is printed and read`() {
    #expect(ContentRange.part(0..<10, of: 100).description == "bytes 0-9/100")
    #expect(ContentRange("bytes 0-9/100") == .part(0..<10, of: 100))
    #expect(ContentRange("bytes 0-9/*") == .part(0..<10, of: nil))
    #expect(ContentRange("bytes */100") == .unsatisfied(length: 100))
    for text in ["bytes 9-0/100", "bytes 0-100/100", "bytes 0-9", "items 0-9/10", "bytes */*"] {
      #expect(ContentRange(text) == nil)
    }
  }
}
