/// What sort of work a job is; the parts of the program that bring work name theirs.
package struct JobKind: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
  package init(stringLiteral value: String) { rawValue = value }
}

/// What shall be done again and again: of this kind, for this subject, this often.
package struct Plan: Sendable, Hashable {
  package let kind: JobKind
  /// A reader, a library, the whole house: whatever the kind makes of it.
  package let subject: String
  package let every: Duration
  /// Nil for at once.
  package let firstAt: Int64?

  package init(_ kind: JobKind, of subject: String, every: Duration, firstAt: Int64? = nil) {
    (self.kind, self.subject, self.every, self.firstAt) = (kind, subject, every, firstAt)
  }
}

/// A job in the hands of one worker, until its lease ends.
package struct Job: Sendable, Hashable {
  package let kind: JobKind
  package let subject: String
  let id: Int64
  /// Counts the leases: a worker that lost one cannot speak for the next.
  let turn: Int64
}

package enum JobOutcome: Sendable, Hashable {
  case done(note: String?)
  /// Tried again, later each time, but never later than it is due anyway.
  /// The note is for who looks after the schedule and may name an account; the reason is for the
  /// log and names none.
  case failed(note: String, reason: String? = nil)
  /// There is nothing left to do for this subject, ever; the job is forgotten.
  case over(note: String?)

  package var word: String {
    switch self {
    case .done: "done"
    case .failed: "failed"
    case .over: "over"
    }
  }

  package var note: String? {
    switch self {
    case .done(let note), .over(let note): note
    case .failed(let note, _): note
    }
  }
}

/// What is known of a job, for whoever looks after the house.
package struct JobRecord: Sendable, Hashable {
  package let kind: JobKind
  package let subject: String
  package let every: Duration
  package let dueAt: Int64
  /// Who holds it; nil where nobody does.
  package let owner: String?
  package let startedAt: Int64?
  package let endedAt: Int64?
  /// `done` or `failed`; nil before its first end.
  package let outcome: String?
  /// How often it failed since it last went well.
  package let failures: Int
  package let note: String?
}
