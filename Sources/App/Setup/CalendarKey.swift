package import Items
package import Secrets

/// A calendar feed with its address, shown this once: whoever has it may read the feed.
package struct CalendarKey: Sendable {
  package let item: CalendarItem
  package let address: Secret

  package init(item: CalendarItem, address: Secret) {
    (self.item, self.address) = (item, address)
  }
}
