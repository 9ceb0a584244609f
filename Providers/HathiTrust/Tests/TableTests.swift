import Circulation
import ProviderKit
import Testing

@testable import HathiTrust

@Suite struct `Tables of HathiTrust` {
  @Test(arguments: [
    ("pd", true, true), ("ic", false, false), ("op", false, false), ("orph", false, false),
    ("und", false, false), ("umall", false, false), ("ic-world", true, true),
    ("nobody", false, false), ("pdus", true, false), ("cc-by-3.0", true, true),
    ("cc-by-nd-3.0", true, true), ("cc-by-nc-nd-3.0", true, true), ("cc-by-nc-3.0", true, true),
    ("cc-by-nc-sa-3.0", true, true), ("cc-by-sa-3.0", true, true), ("orphcand", false, false),
    ("cc-zero", true, true), ("und-world", true, true), ("icus", false, true),
    ("cc-by-4.0", true, true), ("pd-pvt", false, false), ("supp", false, false),
    ("of tomorrow", false, false), ("", false, false),
  ])
  func `Tables of HathiTrust rights`(_ code: String, us: Bool, elsewhere: Bool) {
    let reach = Reach(code: code)
    #expect(reach.covers(.unitedStates) == us)
    #expect(reach.covers(.elsewhere) == elsewhere)
    #expect(reach.covers(.untold) == (us && elsewhere))
  }

  @Test(arguments: [
    (302, "malformed_response"), (400, "not_configured"), (401, "not_configured"),
    (403, "not_configured"), (404, "not_configured"), (410, "not_configured"),
    (429, "provider_busy"), (500, "provider_unavailable"), (503, "provider_busy"),
    (502, "provider_unavailable"),
  ])
  func `Tables of HathiTrust statuses`(_ status: Int, code: String) {
    #expect(Wire.reason(Wire.decode("error", "<html>", status))?.code == code)
  }

  @Test(arguments: ["", "x", "usa", "u1"])
  func `the HathiTrust adapter refuses a country that is not two letters`(_ text: String) {
    #expect((Country(text) == nil) == !text.isEmpty)
  }

  @Test func `the HathiTrust country setting ignores case`() {
    #expect(Country("US") == .unitedStates && Country("us") == .unitedStates)
    #expect(Country("de") == .elsewhere && Country(nil) == .untold)
  }

  @Test func `a HathiTrust book without an open volume is unavailable and cannot be opened`()
    async throws
  {
    let service = PlayedService()
    service.on(Wire.many([Wire.book([Wire.record()], [Wire.volume("ic")])]))
    let adapter = try service.adapter()
    let told = try await adapter.availability(of: [ItemID("42")], in: service.call)
    #expect(told[ItemID("42")]?.word == "unavailable")
    let error = await #expect(throws: CirculationError.self) {
      try await adapter.fulfil(ItemID("42"), as: nil, in: service.call)
    }
    #expect(error?.reason == .noLicenses)
  }

  @Test func `a HathiTrust link that is not a web address is replaced by the standard page`() {
    let body = Wire.book([Wire.record()], [Wire.volume("pd")])
      .replacing("https://babel.example/cgi/pt?id=", with: "javascript:")
    guard case .fulfilment(.handOff(let link)) = Wire.decode("fulfilment", body) else {
      Issue.record("no page")
      return
    }
    #expect(link.address == "https://babel.hathitrust.org/cgi/pt?id=mdp.39015000000042")
  }

  @Test func `the HathiTrust adapter reads the MARC description of a record`() {
    let marc = """
      <?xml version='1.0'?><collection xmlns='http://www.loc.gov/MARC21/slim'><record>\
      <leader>00000cam a22</leader>\
      <controlfield tag='008'>850101s1911    enk           000 1 fre  </controlfield>\
      <datafield tag='041' ind1='1' ind2=' '><subfield code='a'>fre</subfield>\
      <subfield code='a'>ger</subfield></datafield>\
      <datafield tag='100' ind1='1' ind2=' '><subfield code='a'>Marsh, Odile,</subfield>\
      <subfield code='d'>1880-1931.</subfield></datafield>\
      <datafield tag='245' ind1='1' ind2='4'><subfield code='a'>The tin harbour.</subfield>\
      <subfield code='n'>Part 2,</subfield><subfield code='p'>Tides :</subfield>\
      <subfield code='b'>a tale /</subfield></datafield>\
      <datafield tag='260' ind1=' ' ind2=' '><subfield code='b'>Quay &amp; Co.,</subfield></datafield>\
      <datafield tag='650' ind1=' ' ind2='0'><subfield code='a'>Harbours.</subfield></datafield>\
      <datafield tag='700' ind1='1' ind2=' '><subfield code='a'>Quay, P.,</subfield>\
      <subfield code='e'>illustrator.</subfield></datafield>\
      <datafield tag='700' ind1='1' ind2=' '><subfield code='a'>Else, Someone.</subfield>\
      <subfield code='t'>Another work.</subfield></datafield>\
      </record></collection>
      """
    let edition = Wire.edition(
      Wire.book([Wire.record(oclcs: ["ocm00424023"], marc: marc)], [Wire.volume("pd")]))
    #expect(edition?.title == "The tin harbour. Part 2. Tides")
    #expect(edition?.subtitle == "a tale")
    #expect(edition?.sortTitle == "tin harbour. Part 2. Tides")
    #expect(
      edition?.contributors == [
        Contributor(name: "Odile Marsh", sortName: "Marsh, Odile", role: .author),
        Contributor(name: "P. Quay", sortName: "Quay, P.", role: .illustrator),
      ])
    #expect(edition?.languages == ["fr", "de"])
    #expect(edition?.subjects == ["Harbours"])
    #expect(edition?.publisher == "Quay & Co.")
    #expect(edition?.published?.description == "1911")
    #expect(edition?.identifiers == [ForeignIdentifier(scheme: "oclc", value: "424023")])
  }

  @Test func `an unreadable HathiTrust MARC description leaves the plain title`() {
    let edition = Wire.edition(
      Wire.book([Wire.record(marc: "<collection><rec")], [Wire.volume("pd")]))
    #expect(edition?.title == "The tin harbour" && edition?.authors == ["Odile Marsh"])
  }

  @Test func `the HathiTrust decoder answers an unknown kind with the known kinds`() {
    #expect(
      Wire.decode("novel", "{}")
        == .unknownKind([
          "edition", "editions", "availability", "fulfilment", "hathifile", "error",
        ]))
  }
}
