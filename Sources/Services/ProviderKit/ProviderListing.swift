package import Circulation
package import HTTP

/// A kind of service that Carrel can talk to: what it is called, what it can do, what it needs to
/// know, and how an adapter is made. One line in `AllProviders.swift` each.
package struct ProviderListing: Sendable {
  package struct Field: Sendable, Hashable {
    package let name: String
    package let label: String
    package let isSecret: Bool
    package let isRequired: Bool

    package init(_ name: String, _ label: String, isSecret: Bool, isRequired: Bool = true) {
      (self.name, self.label, self.isSecret) = (name, label, isSecret)
      self.isRequired = isRequired
    }
  }

  package let id: ProviderID
  package let title: String
  package let capabilities: Set<Capability>
  /// What an account needs as a rule; `signIn` tells it of one library.
  package let fields: [Field]
  package let needs: LibraryNeeds
  /// How an account at this library is linked.
  package let signIn: @Sendable (Library) throws(SettingsFault) -> SignInWay
  /// Whether this library checks PINs: what decides if its cards sign in here. A provider that does not
  /// say is taken to check none.
  package let pinCheck: @Sendable (Library) throws(SettingsFault) -> PINCheck
  package let decode: Decode
  /// A library that is there for everybody, whether or not the settings name one.
  package let commonLibrary: LibraryID?
  /// How much time one page of a harvest needs where it is more than a request may take.
  package let harvestLimit: Duration?
  /// What the service's terms allow, where that is less than anybody would ask for.
  package let pace: Pacer.Settings
  /// Reads a catalogue that lies on the disk; nil where there are no such files.
  package let fromFile: CatalogueFile.Opening?
  /// The page of the library's own catalogue for a book, where programs have no other door.
  package let outlook: (@Sendable (Library, BookNumbers) throws(SettingsFault) -> Address?)?
  package let make:
    @Sendable (Library, Credentials?, Session) throws(SettingsFault) -> any CirculationProvider

  package init(
    id: ProviderID, title: String, capabilities: Set<Capability>, fields: [Field],
    needs: LibraryNeeds = LibraryNeeds(),
    signIn: (@Sendable (Library) throws(SettingsFault) -> SignInWay)? = nil,
    pinCheck: (@Sendable (Library) throws(SettingsFault) -> PINCheck)? = nil,
    decode: @escaping Decode = { _, _, _, _, _ in .unknownKind([]) },
    commonLibrary: LibraryID? = nil, harvestLimit: Duration? = nil,
    pace: Pacer.Settings = Pacer.Settings(), fromFile: CatalogueFile.Opening? = nil,
    outlook: (@Sendable (Library, BookNumbers) throws(SettingsFault) -> Address?)? = nil,
    make:
      @escaping @Sendable (Library, Credentials?, Session) throws(SettingsFault) ->
      any CirculationProvider
  ) {
    (self.id, self.title, self.capabilities, self.fields) = (id, title, capabilities, fields)
    self.needs = needs
    self.signIn = signIn ?? { _ in .fields(fields) }
    self.pinCheck = pinCheck ?? { _ in .never }
    (self.decode, self.make) = (decode, make)
    (self.commonLibrary, self.harvestLimit) = (commonLibrary, harvestLimit)
    (self.pace, self.fromFile, self.outlook) = (pace, fromFile, outlook)
  }
}
