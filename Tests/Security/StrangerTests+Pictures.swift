import Foundation
import HTTP
import HTTPClient
import Images
import JSON
import JourneySupport
import OPDS
import TestSupport
import Testing

/// Pictures are opened before any sign-in, out of catalogs that strangers wrote, and out of the
/// telephones of patrons.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `A stranger with pictures` {
  /// What the gateway's memory may grow by while pictures are sent.
  private static let growth = 64 << 20

  @Test
  func `photos of thousands of pixels a side at the sign-in page do not fill the gateway's memory`()
    async throws
  {
    try await Stage.playOnEach { stage in
      try await RunningGateway.serve(stage) { gateway in
        let before = try peak(gateway)
        let seal = try await Stranger.seal(gateway)
        // By twos, as the attack was found; both are small.
        #expect(Bombs.largePNG.count < 400_000 && !Bombs.largePNG.isEmpty)
        for _ in 0..<3 {
          async let one = seal.photo(Bombs.largePNG)
          async let other = seal.photo(Bombs.largePNG)
          let statuses = [try await one, try await other]
          #expect(statuses.allSatisfy { [413, 422, 503].contains($0) }, "\(statuses)")
        }
        #expect(try peak(gateway) - before < Self.growth)
      }
    }
  }

  @Test
  func `a photo that is a bomb, a lie, a fragment or no picture at all gets a page that says so`()
    async throws
  {
    try await Stage.playOnEach { stage in
      try await RunningGateway.serve(stage) { gateway in
        let before = try peak(gateway)
        let seal = try await Stranger.seal(gateway)
        for (place, bytes) in Bombs.all.enumerated() {
          let status = try await seal.photo(bytes)
          #expect([413, 422].contains(status), "picture \(place): \(status)")
        }
        #expect(try peak(gateway) - before < Self.growth)
        var visitor = Visitor(gateway)
        #expect(try await visitor.send("/sign-in").status.code == 200)
      }
    }
  }

  @Test
  func `a profile picture that is a bomb, a lie, a fragment or no picture is refused on its page`()
    async throws
  {
    try await Stage.playOnEach { stage in
      try await link(stage)
      try await RunningGateway.serve(stage) { gateway in
        var visitor = Visitor(gateway)
        #expect(try await visitor.signIn(Mock.ada, "1111") == 303)
        let page = String(decoding: try await visitor.send("/profile").body, as: UTF8.self)
        let seal = Stranger(visitor: visitor, seal: try Stranger.seal(in: page))
        // A first one is made, so that what it needs is in memory.
        #expect(try await seal.profile(Bombs.jpeg) == 303)
        let before = try peak(gateway)
        for (place, bytes) in Bombs.all.enumerated() {
          let status = try await seal.profile(bytes)
          // The largest that is taken is one color, and is made small.
          #expect([303, 413, 422].contains(status), "picture \(place): \(status)")
        }
        #expect(try peak(gateway) - before < Self.growth)
      }
    }
  }

  @Test
  func `covers of a catalog that are bombs or no pictures become placeholders`() async throws {
    let bombs = [Bombs.coverPNG] + Bombs.all
    let catalog = try PictureCatalog(bombs)
    defer { catalog.server.stop() }
    try await Stage.play { stage in
      try stage.addLibrary(at: catalog.server.url("/feed"))
      try await stage.json(
        "link", "opdslibrary", "--library", "gallery", "--name", "gallery", "--credentials-stdin",
        input: "{}")
      #expect(try await stage.json("harvest", "gallery").item["complete"] == true)
      try await link(stage)
      try await RunningGateway.serve(stage) { gateway in
        let app = gateway.app()
        let feed = try await app.search(
          "bomb", from: try #require(try await app.ask(gateway.start).feed))
        let text = String(
          decoding: try await app.ask(gateway.site + "/opds/search?query=bomb").bytes, as: UTF8.self
        )
        let found = Set(text.matches(of: /"([^"]*\/covers\/[^"]*)"/).map { String($0.output.1) })
        #expect(feed.publications.count > 5 && found.count >= feed.publications.count, "\(text)")
        let before = try peak(gateway)
        let drawn = try await withThrowingTaskGroup(of: Bool.self) { group in
          for address in found {
            group.addTask {
              let answer = try await app.ask(address)
              #expect(answer.status == 200)
              return answer.bytes.starts(with: [0x89, 0x50])
            }
          }
          return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(drawn >= 5)
        #expect(catalog.asked > 5)
        #expect(try peak(gateway) - before < Self.growth)
      }
    }
  }

  // MARK: - A decoder that goes wrong

  @Test(arguments: ["kill -9 $$", "kill -SEGV $$", "cat >/dev/null; echo nonsense", "exit 1"])
  func `a picture process that is killed or talks nonsense is an error on the page`(script: String)
    async throws
  {
    let programs = try OtherPrograms(picture: script)
    try await Stage.play { stage in
      try await RunningGateway.serve(stage, by: programs.carrel) { gateway in
        let seal = try await Stranger.seal(gateway)
        #expect(try await seal.photo(Bombs.jpeg) == 422)
        #expect(try await seal.photo(Bombs.jpeg) == 422)
      }
    }
  }

  @Test func `a picture process that hangs is ended, and the gateway answers meanwhile`()
    async throws
  {
    let programs = try OtherPrograms(picture: "exec sleep 600")
    try await Stage.play { stage in
      try await RunningGateway.serve(stage, by: programs.carrel) { gateway in
        let seal = try await Stranger.seal(gateway)
        let start = ContinuousClock.now
        async let hanging = seal.photo(Bombs.jpeg)
        var visitor = Visitor(gateway)
        #expect(try await visitor.send("/sign-in").status.code == 200)
        #expect(start.duration(to: .now) < .seconds(5))
        #expect(try await hanging == 422)
        #expect(start.duration(to: .now) < .seconds(30))
      }
    }
  }

  @Test func `photos beyond the queue are refused at once, and one is opened at a time`()
    async throws
  {
    let folder = try TemporaryFolder()
    let programs = try OtherPrograms(
      picture: """
        echo started >>\(folder.path("started"))
        [ -e \(folder.path("go")) ] || echo >\(folder.path("began"))
        while [ ! -e \(folder.path("go")) ]; do /bin/sleep 0.05; done
        """)
    _ = try await run("mkfifo", [folder.path("began")])
    try await Stage.play { stage in
      try await RunningGateway.serve(stage, by: programs.carrel) { gateway in
        let seal = try await Stranger.seal(gateway)
        try await withThrowingTaskGroup(of: Int.self) { group in
          // As many as one client has connections: one is opened, three wait.
          for _ in 0..<6 { group.addTask { try await seal.photo(Bombs.jpeg) } }
          var statuses: [Int] = []
          for _ in 0..<2 { if let status = try await group.next() { statuses.append(status) } }
          #expect(statuses == [503, 503])
          // Waits for the process that was started to come to its first lines.
          _ = try await run("head", ["-n", "1", folder.path("began")])
          let started = String(decoding: try folder.read("started"), as: UTF8.self)
          #expect(started.split(separator: "\n").count == 1)
          try folder.write([], to: "go")
          for try await status in group { #expect(status == 422) }
        }
      }
    }
  }

  @Test func `a gateway without the picture program says so, and serves everything else`()
    async throws
  {
    let programs = try OtherPrograms(picture: nil)
    try await Stage.play { stage in
      try await RunningGateway.serve(stage, by: programs.carrel) { gateway in
        let seal = try await Stranger.seal(gateway)
        #expect(try await seal.photo(Bombs.jpeg) == 503)
      }
    }
  }

  // MARK: - What the process may do

  @Test func `the picture process can open no file and no socket, and start no process`()
    async throws
  {
    // With a descriptor and a variable that it must not keep.
    let ended = try await run(
      "/bin/sh",
      ["-c", "exec 7</etc/passwd; exec env -i '\(Programs.path("carrel-picture"))' check"])
    let lines = ended.outputText.split(separator: "\n")
    #expect(ended.end == .exited(0) && lines.contains { $0.hasPrefix("libgd 2.") })
    var open = lines.filter { $0.hasPrefix("open ") }
    // Where the kernel has neither, root may still start processes: limits of their number are not for root.
    if lines.contains("seccomp none"), getuid() == 0 {
      open.removeAll { $0.contains("processes") || $0.contains("signaled") }
    }
    #expect(open == [], "\(ended.outputText)")
  }

  @Test func `doctor says whether the kernel closes the picture process off`() async throws {
    try await Stage.play { stage in
      let items = try await stage.json("doctor").items
      let item = items.first { $0["check"]?.string == "pictures" }
      #expect(item?["state"]?.string == "ok", "\(items)")
    }
  }

  // MARK: -

  private func link(_ stage: Stage) async throws {
    try await stage.json(
      "link", "overdrive", "--library", "city", "--name", "city", "--credentials-stdin",
      input: #"{"card": "\#(Mock.ada)", "pin": "1111"}"#)
  }

  /// The most memory that the gateway had at any time, in bytes.
  private func peak(_ gateway: RunningGateway) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(gateway.processID)/status", encoding: .utf8)
    let found = try #require(status.firstMatch(of: /VmHWM:\s*(\d+) kB/))
    return (Int(found.output.1) ?? 0) << 10
  }
}
