import Arguments
import Testing
import TextSafety

@Suite struct `A page of help` {
  private func page(_ path: [String], width: Int? = 80) throws -> String {
    let page = HelpPage(Sample.program, TextLayout(width: width, isStyled: false))
    return try #require(page.text(of: path)).text
  }

  @Test(arguments: [[], ["search"], ["borrow"], ["hold"], ["hold", "list"]])
  func `A page of help leads with examples`(_ path: [String]) throws {
    let text = try page(path)
    let examples = try #require(text.firstRange(of: "Examples\n"))
    for later in ["Usage\n", "Flags", "flags\n", "Commands\n"] {
      if let place = text.firstRange(of: later) {
        #expect(examples.lowerBound < place.lowerBound)
      }
    }
  }

  @Test(arguments: [20, 40, 60, 80, 100])
  func `A page of help stays within its width`(_ width: Int) throws {
    for path in [[], ["search"], ["borrow"], ["hold"]] {
      for line in try page(path, width: width).split(separator: "\n") where line.contains(" ") {
        let longest = line.split(separator: " ").map(\.count).max() ?? 0
        let isOneLongWord = line.count - longest < 30 && width < 50
        #expect(cells(line) <= width || isOneLongWord || line.hasPrefix("  sample"))
      }
    }
  }

  @Test func `A page of help names each parameter with what can be said about it`() throws {
    let text = try page(["borrow"])
    #expect(text.contains("-f, --format FORMAT  Its format. One of: epub, pdf."))
    #expect(try page(["search"]).contains("-n, --limit N"))
    #expect(try page(["search"]).contains("Default: 20."))
    #expect(try page(["search"]).contains("Also called\n  find"))
  }

  @Test func `A page of help does not exist for unknown paths`() {
    let page = HelpPage(Sample.program, TextLayout(width: 80, isStyled: false))
    #expect(page.text(of: ["nothing"]) == nil)
  }

  @Test func `A page of help is bold only when asked for`() throws {
    #expect(try !page([]).contains("\u{1b}"))
    let styled = HelpPage(Sample.program, TextLayout(width: 80, isStyled: true))
    #expect(styled.text(of: [])?.text.contains("\u{1b}[1mExamples\u{1b}[0m") == true)
  }
}

@Suite struct `A page of the manual` {
  @Test func `A page of the manual exists for the program and each first word`() {
    #expect(
      Sample.program.manual.map(\.fileName)
        == ["sample.1", "sample-search.1", "sample-borrow.1", "sample-hold.1"])
  }

  @Test func `A page of the manual carries no text that the formatter would obey`() throws {
    let borrow = try #require(Sample.program.manual.first { $0.fileName == "sample-borrow.1" })
    #expect(borrow.text.contains("It\\(aqs \"yours\" then."))
    #expect(borrow.text.contains("\\&.dots \\e and \\- dashes"))
  }

  @Test func `A page of the manual holds every flag`() throws {
    let search = try #require(Sample.program.manual.first { $0.fileName == "sample-search.1" })
    for flag in ["limit", "tag", "all", "timeout", "home", "verbose", "json", "help"] {
      #expect(search.text.contains("\\fB\\-\\-\(flag)\\fR"))
    }
  }
}
