import Testing

@testable import Metrics

@Suite struct `A scrape` {
  private static let requests = MetricFamily(
    "carrel_requests_total", .counter, "Requests,\nby a \\ route.",
    labels: [.init("route", "patterns"), .init("status", "numbers")])

  @Test func `A scrape tells help, type and numbers of a family, in order`() {
    var out = Exposition()
    out.add(Self.requests, [Sample(["/b", "200"], 3), Sample(["/a", "200"], 0.5)])
    #expect(
      out.text == """
        # HELP carrel_requests_total Requests,\\nby a \\\\ route.
        # TYPE carrel_requests_total counter
        carrel_requests_total{route="/a",status="200"} 0.5
        carrel_requests_total{route="/b",status="200"} 3

        """)
  }

  @Test func `A scrape escapes what a label's value could break out with`() {
    var out = Exposition()
    out.add(Self.requests, [Sample(["a\"} 1\nforged 2\\", "200"], 1)])
    #expect(out.text.hasSuffix("{route=\"a\\\"} 1\\nforged 2\\\\\",status=\"200\"} 1\n"))
  }

  @Test func `A scrape leaves out a family of which nothing is known`() {
    var out = Exposition()
    out.add(Self.requests, [])
    #expect(out.text.isEmpty)
  }

  @Test(arguments: [
    (0, "0"), (-1, "-1"), (1.5, "1.5"), (1e15, "1000000000000000"), (Double.infinity, "+Inf"),
    (-Double.infinity, "-Inf"), (Double.nan, "NaN"), (1_763_826_000.25, "1763826000.25"),
  ])
  func `A scrape writes numbers as they are read elsewhere`(_ number: Double, _ text: String) {
    #expect(Exposition.number(number) == text)
  }

  @Test func `A scrape has histograms whose boxes hold all that is below`() {
    let times = Histogram<String>(bounds: [0.1, 1])
    for time in [0.05, 0.1, 0.5, 3] { times.observe(time, "/a") }
    var out = Exposition()
    let family = MetricFamily(
      "carrel_seconds", .histogram, "Time.", labels: [.init("route", "patterns")])
    out.add(family, times) { [$0] }
    #expect(
      out.text == """
        # HELP carrel_seconds Time.
        # TYPE carrel_seconds histogram
        carrel_seconds_bucket{route="/a",le="0.1"} 2
        carrel_seconds_bucket{route="/a",le="1"} 3
        carrel_seconds_bucket{route="/a",le="+Inf"} 4
        carrel_seconds_sum{route="/a"} 3.65
        carrel_seconds_count{route="/a"} 4

        """)
  }

  @Test func `A scrape counts from many tasks without a loss`() async {
    let tally = Tally(["known"])
    let times = Histogram<Int>(bounds: [1])
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for step in 0..<1000 {
            tally.add("new")
            times.observe(.milliseconds(500), step % 3)
          }
        }
      }
    }
    #expect(tally.all == ["known": 0, "new": 8000])
    #expect(times.all.values.reduce(0) { $0 + $1.count } == 8000)
    #expect(abs(times.all.values.reduce(0) { $0 + $1.sum } - 4000) < 0.001)
  }
}
