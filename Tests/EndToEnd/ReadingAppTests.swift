import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import TestSupport
import Testing

/// Programs that others wrote for feeds, led through a running gateway by links alone.
@Suite struct `A program that knows nothing of Carrel` {
  private func withGateway(
    _ engine: Engine, _ settings: String, _ body: (Stage, String) async throws -> Void
  ) async throws {
    try await Stage.play(engine) { stage in
      let text = try String(contentsOfFile: stage.settings, encoding: .utf8)
      try Data((settings + text).utf8).write(to: URL(filePath: stage.settings))
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      let gateway = try stage.startTalking(["serve"])
      var address: String?
      while address == nil, let line = try await gateway.nextLine() {
        address = line.split(separator: " ").last.map(String.init).flatMap {
          line.hasPrefix("listening on") ? $0 : nil
        }
      }
      try await body(stage, try #require(address))
      gateway.send(SIGTERM)
      #expect(try await gateway.waitForEnd() == .exited(0))
    }
  }

  /// Opens whatever leads on, turns every page, and tells each book with how it can be had.
  private static let python = """
    import feedparser, sys
    waiting, seen, books = [sys.argv[1]], set(), {}
    while waiting:
        address = waiting.pop(0)
        if address in seen or len(seen) > 40:
            continue
        seen.add(address)
        feed = feedparser.parse(address)
        if feed.status == 401:
            continue
        assert not feed.bozo, (address, feed.bozo_exception)
        assert feed.status == 200 and feed.version == "atom10", (address, feed.status)
        assert feed.feed.title and feed.feed.id and feed.feed.updated_parsed, address
        for entry in feed.entries:
            assert entry.title and entry.id and entry.updated_parsed, address
            ways = [l for l in entry.links if l.rel.startswith("http://opds-spec.org/acquisition")]
            if ways:
                books[entry.id] = entry.title
            else:
                waiting += [l.href for l in entry.links
                            if l.rel in ("subsection", "http://opds-spec.org/sort/popular")]
        waiting += [l.href for l in feed.feed.links if l.rel == "next"]
    for name in sorted(books.values()):
        print(name)
    """

  /// Reads the feed by the library for Atom, and each entry again at its own address.
  private static let perl = """
    use strict; use warnings; use XML::Atom::Feed; use XML::Atom::Entry; use LWP::UserAgent;
    sub body {
      my $reply = LWP::UserAgent->new->get($_[0]);
      die $_[0], $reply->status_line unless $reply->is_success;
      my $content = $reply->content;
      return \\$content;
    }
    my @titles; my $next = $ARGV[0];
    while ($next) {
      my $feed = XML::Atom::Feed->new(body($next)) or die XML::Atom::Feed->errstr;
      for my $entry ($feed->entries) {
        my ($own) = grep { $_->rel eq "alternate" } $entry->links;
        my $whole = XML::Atom::Entry->new(body($own->href))
          or die XML::Atom::Entry->errstr;
        die "another title" unless $whole->title eq $entry->title and $whole->id eq $entry->id;
        die "no way" unless grep { $_->rel =~ m{/acquisition} } $whole->links;
        push @titles, $whole->title;
      }
      ($next) = map { $_->href } grep { $_->rel eq "next" } $feed->links;
    }
    print "$_\\n" for sort @titles;
    """

  @Test(arguments: Engine.allCases)
  func `A program that knows nothing of Carrel finds the books that the lane has`(engine: Engine)
    async throws
  {
    try await withGateway(
      engine,
      """
      opds:
        public: true
      server:
        port: 0
      http:
        allow_hosts: [127.0.0.0/8]

      """
    ) {
      stage, address in
      let titles = try await stage.json("lane", "show", "popular", "--limit", "200").items
        .compactMap { $0["title"]?.string }
      #expect(titles.count > 20)
      let walked = try await run(
        "/usr/bin/python3", ["-c", Self.python, "\(address)/opds"],
        environment: Stage.variables, within: .seconds(120))
      #expect(walked.end == .exited(0), "\(walked.errorText)")
      let found = walked.outputText.split(separator: "\n").map(String.init)
      #expect(Set(titles).isSubset(of: Set(found)))

      let read = try await run(
        "/usr/bin/perl", ["-e", Self.perl, "\(address)/opds/lanes/popular/books?count=10"],
        environment: Stage.variables, within: .seconds(120))
      #expect(read.end == .exited(0), "\(read.errorText)")
      let again = read.outputText.split(separator: "\n").map(String.init)
      #expect(again.sorted() == titles.sorted())
      // Our own reader finds nothing to complain of either.
      let own = try await stage.json("opds", "get", "\(address)/opds/2/lanes/popular/books")
      #expect(own.item["kind"] == "acquisition")
      #expect(own.item["entries"]?.array?.isEmpty == false)
    }
  }

  @Test func `feeds answer HEAD, conditional and compressed requests`() async throws {
    let settings = "opds:\n  public: true\nserver:\n  port: 0\n"
    try await withGateway(.sqlite, settings) { _, address in
      func curl(_ words: String...) async throws -> String {
        try await run("curl", ["-s"] + words, environment: Stage.variables).outputText
      }
      let page = "\(address)/opds/lanes/popular/books"
      let head = try await curl("-I", page)
      let whole = try await curl("-i", page)
      func field(_ name: String, _ text: String) -> String? {
        text.split(whereSeparator: \.isNewline).first {
          $0.lowercased().hasPrefix(name.lowercased() + ":")
        }.map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
      }
      for name in ["ETag", "Content-Length", "Content-Type", "Cache-Control", "Vary"] {
        #expect(field(name, head) != nil)
        #expect(field(name, head) == field(name, whole), "\(name)")
      }
      #expect(!head.contains("<feed"))
      let tag = try #require(field("ETag", head))
      let same = try await curl("-i", "-H", "If-None-Match: \(tag)", page)
      #expect(same.hasPrefix("HTTP/1.1 304"))
      let small = try await curl("-I", "-H", "Accept-Encoding: gzip", page)
      #expect(field("Content-Encoding", small) == "gzip")
      #expect(field("Content-Encoding", head) == nil)
      let unpacked = try await curl("--compressed", page)
      #expect(whole.hasSuffix(unpacked))
      // What a stranger says of where we are is not believed.
      let forged = try await curl("-H", "X-Forwarded-Host: evil.example", page)
      #expect(!forged.contains("evil.example"))
      let json = try await curl("-H", "Accept: application/opds+json", page)
      #expect(try JSONValue(parsing: json)["publications"]?.array?.isEmpty == false)
    }
  }

  @Test
  func `a closed catalog refuses an app without a card and tells how to sign in`() async throws {
    try await withGateway(.sqlite, "server:\n  port: 0\n") { _, address in
      let refused = try await run(
        "curl", ["-s", "-i", "\(address)/opds"], environment: Stage.variables)
      #expect(refused.outputText.hasPrefix("HTTP/1.1 401"))
      #expect(refused.outputText.contains("http://opds-spec.org/auth/basic"))
      let document = try await run(
        "curl", ["-s", "\(address)/opds/auth"], environment: Stage.variables)
      #expect(try JSONValue(parsing: document.outputText)["id"]?.string == "\(address)/opds/auth")
    }
  }
}
