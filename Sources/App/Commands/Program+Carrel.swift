import Arguments
import Setup

extension Program {
  /// The command line as one value.
  static let carrel = Program(
    name: "carrel",
    summary: "one shelf for every library card",
    discussion: """
      carrel links a reader's accounts at many libraries and services, merges their catalogs into \
      one with live availability, borrows, holds and returns, keeps reading lists in step, and \
      opens the books. It is used from the command line, from any OPDS app, and from web pages.

      Flags may stand anywhere; -- ends them. A single - in place of a file is the standard input \
      or output. Times are written as 90s, 15m, 3d or 2w.
      """,
    release: Release.number,
    examples: [
      .init("carrel demo", "See it all at once: mock libraries, a reader with cards, web pages."),
      .init("carrel serve", "Start the gateway for OPDS apps and browsers."),
    ],
    nouns: [
      Noun("provider", "The services Carrel knows."),
      Noun("account", "The cards that are linked."),
      Noun("lane", "Shelves of books to browse."),
      Noun("hold", "What you wait for."),
      Noun("queue", "What is being downloaded, or waits to be."),
      Noun("calendar", "Due dates for your own calendar."),
      Noun("session", "Browsers that are signed in."),
      Noun("notify", "What you are told, and how."),
      Noun("list", "Your own lists of books, for yourself or to share."),
      Noun("wish", "Books you wish for, watched until they can be had."),
      Noun("opds", "Feeds of catalogues, to look at."),
      Noun("bookmark", "Bookmarks in your books."),
      Noun("note", "Notes and highlights, on their way in and out."),
      Noun("epub", "Any EPUB file, without an account."),
      Noun("work", "Which editions are one work, where you know better."),
      Noun("gutenberg", "The catalogue of Project Gutenberg."),
      Noun("admin", "What the keeper of a gateway looks after."),
      Noun("vault", "The keys that seal cards and PINs."),
      Noun("config", "Show, check and change the settings."),
    ],
    commands: allCommands.map { $0.spec },
    globals: GlobalFlags.all,
    exits: ExitCode.allCases.map(\.note),
    environment: variables,
    files: [
      Note("~/.config/carrel/config.yaml", "The settings; see carrel.yaml(5)."),
      Note("~/.config/carrel/lanes.yaml", "The lanes to browse; see carrel lane list."),
      Note("~/.config/carrel/profiles/NAME.yaml", "The settings that --profile NAME reads."),
      Note("~/.local/share/carrel/", "Data that must not be lost."),
      Note("~/.local/state/carrel/", "Traces and logs."),
      Note("~/.cache/carrel/", "What can be fetched again; may be deleted at any time."),
      Note("/etc/carrel/config.yaml", "Settings of the whole machine; the user's own count more."),
    ],
    topics: HelpTopic.allCases.map { Note($0.rawValue, $0.meaning) })

  private static let variables: [Note] =
    [
      Note("CARREL_HOME", "As --home: one folder for everything."),
      Note("CARREL_CONFIG", "As --config: the settings file."),
      Note("CARREL_PROFILE", "As --profile: settings by name."),
      Note("CARREL_SECTION_KEY", "Any setting: server.port is CARREL_SERVER_PORT."),
      Note("XDG_CONFIG_HOME", "Where settings lie, instead of ~/.config."),
      Note("XDG_DATA_HOME", "Where data lies, instead of ~/.local/share."),
      Note("XDG_STATE_HOME", "Where traces and logs lie, instead of ~/.local/state."),
      Note("XDG_CACHE_HOME", "Where the cache lies, instead of ~/.cache."),
      Note("VISUAL", "The editor for carrel config edit."),
      Note("EDITOR", "The editor, if VISUAL is not set."),
      Note("NO_COLOR", "Print without color when it is not empty."),
      Note("CLICOLOR_FORCE", "Print with color even into a pipe."),
      Note("COLUMNS", "The width to wrap text at."),
      Note("TMPDIR", "Where temporary files go."),
      Note("HTTPS_PROXY", "A proxy for https, unless http.proxy is set."),
      Note("HTTP_PROXY", "A proxy for http, unless http.proxy is set."),
      Note("NO_PROXY", "Hosts that are reached without the proxy."),
    ]
}
