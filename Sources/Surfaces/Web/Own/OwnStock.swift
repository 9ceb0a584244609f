package import Adobe
package import Membership
package import Notices
package import Profiles
package import Reading

/// What stands behind the pages of a reader's own: cards, profile and settings. The house gives it.
package struct OwnStock: Sendable {
  package var enrollment: Enrollment
  /// Readers who are away at a service's sign-in page.
  package var visits: PageVisits
  package var notices: Notices
  package var profiles: Profiles
  package var tastes: Tastes
  package var annotations: Annotations
  /// Nil where no library of this gateway gives its readers a number at Adobe.
  package var adobe: AdobeDesk?
  /// Who made what this gateway shows and runs with.
  package var credits: [Credit]
  /// Sends a letter to whoever runs the gateway; false where there is no way.
  package var tellOperator: @Sendable (Feedback, String) async -> Bool
  /// Waits, for answers that must not tell anything by their time.
  package var pause: @Sendable (Duration) async -> Void

  package init(
    enrollment: Enrollment, visits: PageVisits, notices: Notices, profiles: Profiles,
    tastes: Tastes, annotations: Annotations, credits: [Credit],
    tellOperator: @escaping @Sendable (Feedback, String) async -> Bool,
    pause: @escaping @Sendable (Duration) async -> Void
  ) {
    (self.enrollment, self.visits, self.notices) = (enrollment, visits, notices)
    (self.profiles, self.tastes, self.annotations) = (profiles, tastes, annotations)
    (self.credits, self.tellOperator, self.pause) = (credits, tellOperator, pause)
  }

  /// A library or a work that is used here, and under which terms.
  package struct Credit: Sendable, Hashable {
    package let name: String
    package let version: String
    package let license: String

    package init(_ name: String, _ version: String, _ license: String) {
      (self.name, self.version, self.license) = (name, version, license)
    }
  }
}
