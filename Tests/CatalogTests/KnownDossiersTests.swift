import Circulation
import Matching
import Testing

@testable import Catalog

@Suite struct `Records read for the matcher` {
  @Test func `Records read for the matcher are read anew when they have changed`() {
    let item = ItemID("changing")
    let (old, new) = (#"{"title":"Northanger Abbey"}"#, #"{"title":"The Moonstone"}"#)
    let before = KnownDossiers.dossier(of: item, old)
    #expect(Matcher.verdict(before, KnownDossiers.dossier(of: item, old)).verdict != .different)
    let after = KnownDossiers.dossier(of: item, new)
    #expect(Matcher.verdict(before, after).verdict == .different)
    #expect(after.candidate.title == "The Moonstone")
  }
}
