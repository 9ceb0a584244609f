import BackOffice
import Circulation
import Database
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Registry
import Schedule

/// What falls due, what is being done, and what fails.
enum JobsOffice {
  /// Nobody reads more.
  private static let most = 200

  static func make(_ visit: OfficeVisit) async throws(Problem) -> Page {
    let office = visit.office
    let jobs = try await visit.read { () throws(DatabaseError) in
      try await office.schedule.records(of: office.kinds.map(\.kind))
    }
    let chosen = office.kinds.first { $0.kind.rawValue == visit.caller.query["kind"] }
    let names = try await names(visit)
    let failing = jobs.filter { $0.failures > 0 }
    return OfficeView.page(visit, "Jobs") {
      if let chosen {
        let part = jobs.filter { $0.kind == chosen.kind }
        tag("h2") { said(known: chosen.title) }
        list(said(known: chosen.title), part, visit, names)
        tag("p") {
          tag("a", .init("href", visit.caller.link(OfficePaths.jobs.print()))) { said("All kinds") }
        }
      } else {
        if !failing.isEmpty {
          tag("section") {
            tag("h2") { said("What fails") }
            list(said("Jobs that fail"), failing, visit, names)
          }
        }
        tag("section") {
          tag("h2") { said("Everything") }
          kinds(jobs, visit)
        }
      }
    }
  }

  static func change(
    _ visit: OfficeVisit, _ form: FormFields
  ) async throws(Problem) -> OfficeEnd {
    guard let kind = visit.office.kinds.first(where: { $0.kind.rawValue == form["kind"] })?.kind,
      let subject = form["subject"], form["do"] == "run", subject.utf8.count <= 500,
      !subject.utf8.contains(0)
    else {
      throw Problem(.badRequest, code: "bad_value", detail: said("This form is not complete."))
    }
    try await visit.note(.write, "job", "\(kind.rawValue) \(subject)")
    try await visit.read { () throws(DatabaseError) in
      try await visit.office.schedule.hasten(kind, of: subject)
    }
    var query: FormFields = ["done": "hastened"]
    if form["shown"] == kind.rawValue { query.add("kind", kind.rawValue) }
    return .again(OfficePaths.jobs.print(), query)
  }

  static func runNow(_ job: JobRecord, _ visit: OfficeVisit, unseen: String) -> Node {
    var fields: FormFields = ["do": "run", "kind": job.kind.rawValue, "subject": job.subject]
    if let shown = visit.caller.query["kind"] { fields.add("shown", shown) }
    return OfficeView.button(
      said("Run now"), OfficePaths.jobs.print(), fields, visit, unseen: unseen)
  }

  // MARK: - How it looks

  private static func kinds(_ jobs: [JobRecord], _ visit: OfficeVisit) -> Node {
    var table = OfficeTable(
      caption: said("Kinds of jobs"),
      columns: [
        said("Kind"), said("Jobs"), said("Due"), said("Running"), said("Failing"),
        said("Next", "time"), "",
      ])
    for kind in visit.office.kinds {
      let part = jobs.filter { $0.kind == kind.kind }
      let failing = part.count { $0.failures > 0 }
      let idle = part.filter { $0.owner == nil }
      table.add(
        [
          tag(
            "a",
            .init(
              "href", visit.caller.link(OfficePaths.jobs.print(), ["kind": kind.kind.rawValue]))
          ) { said(known: kind.title) }
        ],
        [.text("\(part.count)")], [.text("\(idle.count { $0.dueAt <= visit.now })")],
        [.text("\(part.count - idle.count)")],
        [tag("span", .init("class", failing > 0 ? "state soon" : "")) { "\(failing)" }],
        [OfficeView.time(idle.map(\.dueAt).min(), visit.now, never: "—")],
        kind.subject == .house
          ? idle.first.map { [runNow($0, visit, unseen: ": \(said(known: kind.title))")] } ?? []
          : [])
    }
    return table.node
  }

  @Children private static func list(
    _ caption: String, _ jobs: [JobRecord], _ visit: OfficeVisit, _ names: [String: String]
  ) -> [Node] {
    if jobs.isEmpty {
      OfficeView.empty(said("Nothing of this kind is on the schedule."))
    } else {
      table(caption, Array(jobs.prefix(most)), visit, names)
      if jobs.count > most {
        tag("p", .init("class", "small")) {
          said("The first \(most) of \(Numerals.grouped(jobs.count)).")
        }
      }
    }
  }

  private static func table(
    _ caption: String, _ jobs: [JobRecord], _ visit: OfficeVisit, _ names: [String: String]
  ) -> Node {
    var table = OfficeTable(
      caption: caption,
      columns: [said("For"), said("State"), said("Last", "time"), said("Next", "time"), ""])
    let titles = Dictionary(
      visit.office.kinds.map { ($0.kind, said(known: $0.title)) },
      uniquingKeysWith: { first, _ in first })
    for job in jobs {
      let name = names[job.subject] ?? job.subject
      let title = titles[job.kind] ?? job.kind.rawValue
      let whole = visit.office.kinds.contains { $0.kind == job.kind && $0.subject == .house }
      table.add(
        [.text(whole ? title : name), tag("span", .init("class", "small")) { whole ? "" : title }],
        state(job, visit), last(job, visit),
        [job.owner == nil ? OfficeView.time(job.dueAt, visit.now) : .text("—")],
        job.owner == nil ? [runNow(job, visit, unseen: ": \(title), \(name)")] : [])
    }
    return table.node
  }

  private static func state(_ job: JobRecord, _ visit: OfficeVisit) -> [Node] {
    let (words, tone): (String, String)
    if job.owner != nil {
      (words, tone) = (OfficeView.running(visit.now - (job.startedAt ?? visit.now)), "now")
    } else if job.failures > 0 {
      (words, tone) = (
        counted(
          job.failures, one: "Failed \(job.failures) time", many: "Failed \(job.failures) times"),
        "soon"
      )
    } else if job.dueAt <= visit.now {
      (words, tone) = (said("Due"), "mine")
    } else {
      (words, tone) = (said("Waits"), "later")
    }
    return [tag("span", .init("class", "state \(tone)")) { words }]
  }

  private static func last(_ job: JobRecord, _ visit: OfficeVisit) -> [Node] {
    guard let ended = job.endedAt else { return [.text(said("Never ran"))] }
    let note = job.note.map { ": \($0)" } ?? ""
    return [OfficeView.time(ended, visit.now), .text(note)]
  }

  /// Of readers and libraries.
  private static func names(_ visit: OfficeVisit) async throws(Problem) -> [String: String] {
    let patrons = try await visit.registered { () throws(RegistryError) in
      try await visit.office.registry.patrons()
    }
    return Dictionary(
      patrons.map { ($0.id.rawValue, $0.name) }
        + visit.office.libraries.map { ($0.id.rawValue, $0.name) },
      uniquingKeysWith: { first, _ in first })
  }
}
