import Testing

@testable import Setup

private func read(_ yaml: String, system: String? = nil) throws(ConfigurationError)
  -> Configuration
{
  var files = [try SettingsFile(Array(yaml.utf8), path: "a.yaml")]
  if let system { files.append(try SettingsFile(Array(system.utf8), path: "system.yaml")) }
  return try Configuration(from: ConfigurationSources(files: files))
}

private func faults(_ yaml: String) -> [String] {
  do throws(ConfigurationError) {
    _ = try read(yaml)
    return []
  } catch {
    return error.faults.map(\.description)
  }
}

@Suite struct `Libraries in the settings` {
  @Test func `Libraries in the settings keep what was written and where`() throws {
    let libraries = try read(
      """
      libraries:
        city:
          provider: lender
          name: City Library
          endpoints: production
          library_id: 4225
          time_zone: Europe/Berlin
        lantern:
          provider: lender
          endpoints:
            discovery: http://127.0.0.1:9000
      """
    ).libraries
    #expect(libraries.map(\.id) == ["city", "lantern"])
    let city = libraries[0]
    #expect(city.provider.value == "lender" && city.name == "City Library")
    #expect(city.environment?.value == "production")
    #expect(city.settings["library_id"]?.value == "4225")
    #expect(city.settings["library_id"]?.place.description == "a.yaml:6:17")
    #expect(city.settings.count == 1 && city.timeZone?.value == "Europe/Berlin")
    #expect(libraries[1].timeZone == nil)
    #expect(libraries[1].endpoints["discovery"]?.value == "http://127.0.0.1:9000")
    #expect(libraries[1].environment == nil)
  }

  @Test func `Libraries in the settings tell what no adapter can find out`() throws {
    let libraries = try read(
      """
      libraries:
        city:
          provider: lender
          join_at: https://city.example/join
          barcode: code39
          cards_without_pin: true
          patrons_link: false
          adobe_name: CITY
          adobe_secret_file: /etc/carrel/city-adobe
        town:
          provider: lender
      """
    ).libraries
    let facts = libraries[0].facts
    #expect(facts.joining == "https://city.example/join" && facts.bars == "code39")
    #expect(facts.asksForNoPIN && !facts.patronsLink && libraries[0].settings.isEmpty)
    #expect(facts.adobe?.name == "CITY" && facts.adobe?.secretFile == "/etc/carrel/city-adobe")
    #expect(libraries[1].facts == LibrarySettings.Facts())
  }

  @Test func `Libraries in the settings are refused where such a fact is none`() {
    let faults = faults(
      """
      libraries:
        city:
          provider: lender
          join_at: javascript:alert(1)
          barcode: stripes
          cards_without_pin: perhaps
          patrons_link: seldom
          adobe_name: A|B
          adobe_secret_file: here
        town:
          provider: lender
          adobe_name: TOWN
      """)
    #expect(faults.count == 7)
    #expect(faults.contains { $0.contains("needs both adobe_name and adobe_secret_file") })
    #expect(faults.contains { $0.contains("codabar, code39, code128, not 'stripes'") })
  }

  @Test func `Libraries in the settings of the user count before those of the machine`() throws {
    let libraries = try read(
      "libraries: {city: {provider: one}}",
      system: "libraries: {city: {provider: two}, town: {provider: three}}"
    ).libraries
    #expect(libraries.map(\.provider.value) == ["one", "three"])
  }

  @Test(
    arguments: [
      ("libraries: [city]", "a.yaml:1:12: 'libraries' is a group of libraries"),
      ("libraries: {city: here}", "a.yaml:1:19: libraries.city is a group of settings"),
      ("libraries: {city: {name: C}}", "does not say which provider it is at"),
      ("libraries: {'c y': {provider: p}}", "named by letters, digits, - and _"),
      ("libraries: {city: {provider: p, x: [1]}}", "must be a text, not a list"),
    ])
  func `Libraries in the settings name their faults`(_ yaml: String, expected: String) {
    let found = faults(yaml)
    #expect(found.count == 1)
    #expect(found.first?.contains(expected) == true, "\(found)")
  }

  @Test func `Libraries in the settings keep the place of every key, even of one without a value`()
    throws
  {
    let city = try read(
      """
      libraries:
        city:
          provider: lender
          number:
          endpoints: {web: 'http://x'}
      """
    ).libraries[0]
    #expect(city.keys["number"]?.description == "a.yaml:4:5")
    #expect(city.keys["endpoints.web"]?.description == "a.yaml:5:17")
    #expect(city.settings["number"] == nil)
    #expect(city.content == ["provider": "lender", "endpoints.web": "http://x"])
  }

  @Test func `library faults are reported with all other settings faults in file order`() throws {
    var sources = ConfigurationSources(files: [
      try SettingsFile(
        Array("libraries:\n  city:\n    provider: lender\nnonsense: 1\n".utf8), path: "a.yaml")
    ])
    sources.faults = [.init(.file("a.yaml", line: 9, column: 1), key: nil, "syntax")]
    sources.libraryCheck = { libraries, _ in
      libraries.map { ConfigurationFault($0.place, key: $0.id, "checked") }
    }
    do throws(ConfigurationError) {
      _ = try Configuration(from: sources)
      Issue.record("taken")
    } catch {
      #expect(
        error.faults.map(\.description) == [
          "a.yaml:2:3: checked", "a.yaml:4:1: unknown key 'nonsense'", "a.yaml:9:1: syntax",
        ])
    }
  }

  @Test
  func `settings whose faults only disable a library are accepted and keep these faults`() throws {
    var sources = ConfigurationSources(files: [
      try SettingsFile(Array("libraries: {city: {provider: lender}}".utf8), path: "a.yaml")
    ])
    sources.libraryCheck = { libraries, _ in
      libraries.map {
        ConfigurationFault($0.place, key: $0.id, "off", effect: .disablesLibrary, library: $0.id)
      }
    }
    #expect(try Configuration(from: sources).faults.map(\.library) == ["city"])
  }

  @Test func `Libraries in the settings may be none at all`() throws {
    #expect(try read("libraries: {}").libraries.isEmpty)
    #expect(try read("libraries:").libraries.isEmpty)
  }
}

@Suite struct `The file of addresses` {
  @Test func `The file of addresses holds sets by provider and name`() throws {
    let file = try EndpointsFile(
      Array("lender:\n  replay:\n    discovery: http://127.0.0.1:1\n".utf8), path: "e.yaml")
    #expect(file.sets == ["lender": ["replay": ["discovery": "http://127.0.0.1:1"]]])
    #expect(try EndpointsFile([], path: "e.yaml").sets.isEmpty)
  }

  @Test(arguments: ["lender: 1", "lender: {production: x}", "lender: {production: {a: [b]}}"])
  func `The file of addresses names what is no address`(_ yaml: String) {
    #expect(throws: ConfigurationError.self) {
      try EndpointsFile(Array(yaml.utf8), path: "e.yaml")
    }
  }
}
