import Testing

@Suite struct `The house` {
  // Read once for all rules.
  private static let read = Result { try Rules(root: SourceTree.checkout) }
  let rules: Rules

  init() throws { rules = try Self.read.get() }

  @Test func `The house is not empty, or no rule below would mean anything`() {
    #expect(rules.rooms.count > 10)
    #expect(rules.tree.files.flatMap(\.imports).count > 10)
  }

  @Test func `The house imports go up the layers only`() {
    #expect(rules.upwardImports() == [])
  }

  @Test func `C modules are imported in Platform only`() {
    #expect(rules.cImportsOutsidePlatform() == [])
  }

  @Test func `The house heavy Foundations stay out`() {
    #expect(rules.forbiddenFoundations() == [])
  }

  @Test func `the Circulation module imports nothing but Foundation`() {
    #expect(rules.circulationImports() == [])
  }

  @Test func `a provider's name appears only in its own folders`() {
    #expect(rules.strayProviderNames() == [])
  }

  @Test func `a source file over 300 lines gives a reason for its length`() {
    #expect(rules.longFiles() == [])
  }

  @Test func `no source file is nested deeper than five folders`() {
    #expect(rules.deepFiles() == [])
  }

  @Test func `the sources declare at most twelve protocols`() {
    #expect(rules.protocols().count <= 12, "\(rules.protocols())")
  }

  @Test func `no task in the sources returns a tuple`() {
    #expect(rules.tuplesFromTasks() == [])
  }

  @Test func `no returned tuple in the sources awaits a call that can fail`() {
    #expect(rules.awaitedPartsOfTuples() == [])
  }

  @Test func `no command writes text that its type has not cleaned`() {
    #expect(rules.uncleanedWrites() == [])
  }

  @Test func `The house unsafe code stays in Platform`() {
    #expect(rules.unsafeOutsidePlatform() == [])
  }
}
