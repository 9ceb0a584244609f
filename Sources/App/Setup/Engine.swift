package import Items
package import Secrets
package import Shelving

/// The heavy half of the program, as the commands see it: what needs the network, the database and
/// the feeds. The small program `carrel` starts in a few milliseconds because it is not linked with
/// any of that; for a command that needs the engine it becomes `carrel-gateway`, which is. That is
/// why this is a protocol with one conformer: it is the seam between two programs. Book files have
/// one of their own, see `BookFiles`.
package protocol Engine: ListEngine {
  var libraries: [LinkedLibrary] { get }

  /// Every fault of these libraries' settings. Only this half of the program knows the providers and
  /// what each needs.
  func faults(of libraries: [LibrarySettings], endpoints: EndpointsFile) -> [ConfigurationFault]

  /// Runs the gateway until the task is cancelled.
  func serve(
    _ configuration: Configuration, in place: GatewayPlace,
    ready: @escaping @Sendable (Listening) -> Void
  ) async throws(ServeError)

  /// Looks at everything that a gateway stands on, and goes on after whatever it finds.
  func examine(at seat: Seat) async -> [CheckupItem]
  /// What a helper needs to know, without secrets.
  func supportArchive(_ checks: [CheckupItem], at seat: Seat) async -> SupportArchive

  func providers(at seat: Seat) async throws(ErrorItem) -> [ProviderItem]
  /// What an account at this library would need; nil for the library if the provider has just one.
  func needs(of provider: String, library: String?, at seat: Seat)
    async throws(ErrorItem) -> SignInNeeds
  func link(_ order: LinkOrder, at seat: Seat) async throws(ErrorItem) -> AccountItem
  func unlink(_ account: String, at seat: Seat) async throws(ErrorItem) -> AccountItem
  func accounts(at seat: Seat) async throws(ErrorItem) -> [AccountItem]
  /// What signing in to an account again needs.
  func needs(of account: String, at seat: Seat) async throws(ErrorItem) -> SignInNeeds
  func login(_ account: String, with credentials: GivenCredentials, at seat: Seat)
    async throws(ErrorItem) -> AccountItem
  /// Asks the library about one account, or about each; `trouble` tells of those that failed.
  func check(_ account: String?, at seat: Seat) async throws(ErrorItem) -> [CheckItem]

  func harvest(
    _ account: String?, full: Bool, at seat: Seat,
    progress: @escaping @Sendable (HarvestProgress) -> Void
  ) async throws(ErrorItem) -> [HarvestItem]
  /// Reads a catalogue that lies on the disk, for whoever has the provider linked, and for this
  /// patron.
  func readCatalogue(
    of provider: String, from file: String, at seat: Seat,
    progress: @escaping @Sendable (HarvestProgress) -> Void
  ) async throws(ErrorItem) -> HarvestItem
  func sync(at seat: Seat) async throws(ErrorItem) -> [SyncItem]
  /// Does what the schedule says is due now, for all readers; tells what was done.
  func doDue(at seat: Seat) async throws(ErrorItem) -> [DueItem]
  func search(_ order: SearchOrder, at seat: Seat) async throws(ErrorItem) -> SearchAnswer
  /// One title with its offers, asked of every library anew.
  func show(_ title: String, at seat: Seat) async throws(ErrorItem) -> WorkItem
  /// Why its editions are one work, and why its offers are in their order.
  func explain(_ title: String, at seat: Seat) async throws(ErrorItem) -> ExplanationItem
  /// Decides which editions are one work, and tells what was decided.
  func decide(_ order: WorkOrder, at seat: Seat) async throws(ErrorItem) -> DecisionItem
  func decisions(at seat: Seat) async throws(ErrorItem) -> [DecisionItem]
  /// A picture of one title, drawn where nobody has one.
  func cover(of title: String, _ size: CoverOrder.Size, at seat: Seat)
    async throws(ErrorItem) -> CoverOrder.Answer
  /// All lanes, each after the one it lies in.
  func lanes(at seat: Seat) async throws(ErrorItem) -> [LaneItem]
  func lane(_ order: LaneShowOrder, at seat: Seat) async throws(ErrorItem) -> LaneAnswer
  func loans(at seat: Seat) async throws(ErrorItem) -> [LoanItem]
  func holds(at seat: Seat) async throws(ErrorItem) -> [HoldItem]
  func circulate(_ order: ShelfOrder, at seat: Seat) async throws(ErrorItem) -> ReceiptItem
  /// Lets holds rest and wakes them, so that books come when there is room for them. The plan is told
  /// before anything is done.
  func pace(_ order: PaceOrder, at seat: Seat, plan: @escaping @Sendable ([PaceItem]) -> Void)
    async throws(ErrorItem) -> [PaceItem]

  /// The reader's books, each in its one state; what can be lost first comes first.
  func myBooks(_ choice: MyBookChoice, at seat: Seat) async throws(ErrorItem) -> [MyBookItem]
  func decide(_ order: MyBookOrder, at seat: Seat) async throws(ErrorItem) -> MyBookItem

  /// Asks for titles on loan as files, and fetches them; none for whatever stands in the line. Tells
  /// how far those are that are under way.
  func download(
    _ order: DownloadOrder, at seat: Seat, progress: @escaping @Sendable ([DownloadItem]) -> Void
  ) async throws(ErrorItem) -> [DownloadItem]
  /// The line, without what is done.
  func downloads(at seat: Seat) async throws(ErrorItem) -> [DownloadItem]
  /// Tells which were changed, as they are now.
  func change(_ order: QueueOrder, at seat: Seat) async throws(ErrorItem) -> [DownloadItem]

  /// A password for one app or machine of the reader's, told this once.
  func addDevice(_ order: DeviceOrder, at seat: Seat) async throws(ErrorItem) -> DeviceKey
  func devices(at seat: Seat) async throws(ErrorItem) -> [DeviceItem]
  func revokeDevice(_ name: String, at seat: Seat) async throws(ErrorItem) -> DeviceItem

  /// The patron's browsers that are signed in.
  func sessions(at seat: Seat) async throws(ErrorItem) -> [SessionItem]
  /// Ends the session of that id, or all; returns those that ended.
  func endSessions(_ id: String?, revokingAppPasswords: Bool, at seat: Seat)
    async throws(ErrorItem) -> [SessionItem]

  /// What readers wrote to whoever runs the gateway, the newest first.
  func feedback(at seat: Seat) async throws(ErrorItem) -> [FeedbackItem]
  /// Who looks after the gateway.
  func operators(at seat: Seat) async throws(ErrorItem) -> [OperatorItem]
  /// Gives a reader that role, or takes it from them.
  func setOperator(_ reader: String, to isOperator: Bool, at seat: Seat)
    async throws(ErrorItem) -> OperatorItem
  /// Who signs in at the pages with codes from an app.
  func codes(at seat: Seat) async throws(ErrorItem) -> [CodesItem]
  /// A key for a reader's app. Nothing counts before one of its codes was given.
  func beginCodes(of reader: String, at seat: Seat) async throws(ErrorItem) -> CodesKey
  func confirmCodes(of reader: String, with code: Secret, at seat: Seat)
    async throws(ErrorItem) -> CodesBegun
  /// For whoever lost app and recovery codes.
  func endCodes(of reader: String, at seat: Seat) async throws(ErrorItem) -> CodesItem
  /// A link that signs this patron in once; the patron's older one is void.
  func signInLink(for patron: String, at seat: Seat) async throws(ErrorItem) -> SignInLinkItem
  /// Forgets a reader everywhere.
  func purge(_ reader: String, at seat: Seat) async throws(ErrorItem) -> PurgeItem

  /// The secret address of the reader's due dates, told this once; the one before it is void.
  func newCalendar(at seat: Seat) async throws(ErrorItem) -> CalendarKey
  /// Nil where there is none.
  func calendar(at seat: Seat) async throws(ErrorItem) -> CalendarItem?
  func revokeCalendar(at seat: Seat) async throws(ErrorItem) -> CalendarItem?
  /// The due dates as iCalendar.
  func exportCalendar(at seat: Seat) async throws(ErrorItem) -> String

  /// What has to be known to tell the reader things by a channel of that kind.
  func needs(ofChannel medium: String) throws(ErrorItem) -> SignInNeeds
  func addChannel(_ order: NotifyOrder, at seat: Seat) async throws(ErrorItem) -> ChannelKey
  /// Confirms the address of a channel by the code that was sent there.
  func confirmChannel(_ name: String, code: Secret, at seat: Seat)
    async throws(ErrorItem) -> ChannelItem
  /// Sends a new code to the address of a channel.
  func sendChannelCode(_ name: String, at seat: Seat) async throws(ErrorItem) -> ChannelKey
  func channels(at seat: Seat) async throws(ErrorItem) -> [ChannelItem]
  func removeChannel(_ name: String, at seat: Seat) async throws(ErrorItem) -> ChannelItem
  /// Sends a test by one channel, or by all.
  func testChannel(_ name: String?, at seat: Seat) async throws(ErrorItem) -> [ChannelTrialItem]
  /// What went out by the reader's channels, the newest first.
  func sendings(at seat: Seat) async throws(ErrorItem) -> [SendingItem]
  /// The key that browsers subscribe with.
  func pushPoint(at seat: Seat) async throws(ErrorItem) -> String
  func inbox(_ choice: InboxChoice, at seat: Seat) async throws(ErrorItem) -> [NoticeItem]

  /// A new key for secrets, with everything sealed anew.
  func rotateKeys(at seat: Seat) async throws(ErrorItem) -> VaultItem
  /// Another key to lock the vault with; a new passphrase where it is locked with one.
  func changeRoot(to passphrase: Secret?, at seat: Seat) async throws(ErrorItem) -> VaultItem

  // Copies of all there is, carried to another database, and taken along in open forms.

  /// Copies everything into one file, while a gateway goes on.
  func backUp(
    _ order: BackupCommandOrder, at seat: Seat, progress: @escaping @Sendable (String) -> Void
  ) async throws(ErrorItem) -> BackupItem
  /// Reads a backup to its end and proves it.
  func verifyBackup(_ path: String, passphrase: Secret?, at seat: Seat)
    async throws(ErrorItem) -> BackupItem
  func isSealedBackup(_ path: String) throws(ErrorItem) -> Bool
  /// Where a backup would be put back.
  func restorePlace(at seat: Seat) async throws(ErrorItem) -> RestorePlace
  func restore(
    _ path: String, passphrase: Secret?, at seat: Seat,
    progress: @escaping @Sendable (String) -> Void
  ) async throws(ErrorItem) -> BackupItem
  /// Where the tables would be carried to.
  func movePlace(_ order: MoveOrder, at seat: Seat) async throws(ErrorItem) -> RestorePlace
  /// Carries all tables into another database, and compares.
  func moveStore(
    _ order: MoveOrder, at seat: Seat, progress: @escaping @Sendable (String) -> Void
  ) async throws(ErrorItem) -> BackupItem
  /// What is kept of one reader or of all, in open forms and without secrets.
  func export(_ order: ExportOrder, at seat: Seat) async throws(ErrorItem) -> ExportItem
  /// Takes such a folder or archive in. What is here already stays.
  func takeIn(_ path: String, at seat: Seat) async throws(ErrorItem) -> ExportItem

  func decode(_ order: DecodeOrder, at seat: Seat) async throws(ErrorItem) -> DecodedItem
  /// One feed of a catalogue, fetched or given.
  func feed(_ order: FeedOrder, at seat: Seat) async throws(ErrorItem) -> FeedItem
  /// Whether the editions of each pair are one work, in the order of the pairs.
  func match(_ order: MatchOrder, at seat: Seat) async throws(ErrorItem) -> [MatchItem]

  /// Opens a book in the terminal, where the reader last was, and keeps where they get to.
  func read(_ order: ReadOrder, at seat: Seat) async throws(ErrorItem)
  /// Writes something in a book.
  func annotate(_ order: AnnotationOrder, at seat: Seat) async throws(ErrorItem) -> AnnotationItem
  func annotations(_ choice: AnnotationChoice, at seat: Seat)
    async throws(ErrorItem) -> [AnnotationItem]
  /// Takes away what has this name, or a name that begins so.
  func removeAnnotation(_ name: String, at seat: Seat) async throws(ErrorItem) -> AnnotationItem
  /// As md, html, json, w3c, enex, csv or bibtex.
  func exportAnnotations(_ choice: AnnotationChoice, as format: String, at seat: Seat)
    async throws(ErrorItem) -> String
  /// What another program wrote, into the book it names or into this one.
  func importAnnotations(
    _ bytes: [UInt8], into book: BookSource?, opening key: LockKey?, at seat: Seat
  ) async throws(ErrorItem) -> AnnotationIntakeItem
}

/// Who asks, and with which settings.
package struct Seat: Sendable {
  package let configuration: Configuration
  package let place: GatewayPlace
  /// The patron named with `--as`; nil for the only one.
  package let patron: String?
  /// Asks for the passphrase of the vault, where one may be asked for.
  package let passphrase: @Sendable () throws -> Secret?

  package init(
    configuration: Configuration, place: GatewayPlace, patron: String?,
    passphrase: @escaping @Sendable () throws -> Secret?
  ) {
    (self.configuration, self.place) = (configuration, place)
    (self.patron, self.passphrase) = (patron, passphrase)
  }
}

/// What an account needs to be linked.
package struct SignInNeeds: Sendable, Hashable {
  package struct Field: Sendable, Hashable {
    package let name: String
    package let label: String
    package let isSecret: Bool
    package let isRequired: Bool

    package init(name: String, label: String, isSecret: Bool, isRequired: Bool) {
      (self.name, self.label) = (name, label)
      (self.isSecret, self.isRequired) = (isSecret, isRequired)
    }
  }

  package let library: String
  package let libraryName: String
  /// Empty where one signs in at the provider's own page.
  package let fields: [Field]
  package let isPage: Bool

  package init(library: String, libraryName: String, fields: [Field], isPage: Bool) {
    (self.library, self.libraryName) = (library, libraryName)
    (self.fields, self.isPage) = (fields, isPage)
  }
}

/// What a reader gave to prove who they are.
package enum GivenCredentials: Sendable {
  case fields([String: Secret])
  /// Sign in at the provider's page: the address is handed out, and the redirect caught on loopback
  /// or its code typed in.
  case page(open: @Sendable (String) -> Void)
}

package struct LinkOrder: Sendable {
  package let provider: String
  package let library: String
  package let name: String?
  package let credentials: GivenCredentials

  package init(
    provider: String, library: String, name: String?, credentials: GivenCredentials
  ) {
    (self.provider, self.library) = (provider, library)
    (self.name, self.credentials) = (name, credentials)
  }
}

package struct SearchOrder: Sendable, Hashable {
  package var words: String
  package var onlyAvailable = false
  package var format: String?
  package var language: String?
  package var provider: String?
  /// Nil for the best match first.
  package var sort: LaneOrder?
  package var facets: [FacetChoice] = []
  /// Whether what each facet leaves is to be counted. It takes the whole shelf list, which a program
  /// that runs for one search has to read first.
  package var countsFacets = false
  package var limit = 20

  package init(words: String) { self.words = words }

  package var needsShelfList: Bool { countsFacets || sort != nil || !facets.isEmpty }
}

package struct SearchAnswer: Sendable, Hashable {
  package let page: BookPage
  /// Why libraries that had to be asked themselves did not answer.
  package let troubles: [ErrorItem]
  /// How many libraries were searched.
  package let libraries: Int

  package init(page: BookPage, troubles: [ErrorItem], libraries: Int) {
    (self.page, self.troubles, self.libraries) = (page, troubles, libraries)
  }
}
