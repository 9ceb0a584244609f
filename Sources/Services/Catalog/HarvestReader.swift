import Circulation
import Database

/// Reads the pages of a harvest, and makes ready what needs no database.
struct HarvestReader: Sendable {
  let provider: any CirculationProvider
  let call: @Sendable () -> Call

  /// What lies behind a cursor, if that is where the harvest goes on.
  struct Answer: Sendable {
    let cursor: HarvestCursor?
    let page: Result<HarvestPage, HarvestFailure>

    /// Where it says that more is.
    var next: HarvestCursor? {
      guard case .success(let page) = page, case .more(let cursor) = page.progress else {
        return nil
      }
      return cursor
    }
  }

  /// A page with what could be made ready of it.
  struct Leaf: Sendable {
    let answer: Answer
    var drafts: [ItemID: Draft] = [:]
  }

  func leaf(of answer: Answer, for row: LibraryRow) async -> Leaf {
    // Of a library that was read before nearly all is as it was, and needs no draft.
    guard row.completed == nil, case .success(let page) = answer.page else {
      return Leaf(answer: answer)
    }
    return await Leaf(
      answer: answer,
      drafts: Draft.drafts(of: page.editions, at: row.key, from: provider.describe().provider))
  }

  func answer(after cursor: HarvestCursor?) async -> Answer {
    do throws(HarvestFailure) {
      return Answer(
        cursor: cursor, page: .success(try await withCopies(try await page(after: cursor))))
    } catch {
      return Answer(cursor: cursor, page: .failure(error))
    }
  }

  private func page(
    after cursor: HarvestCursor?
  ) async throws(HarvestFailure) -> HarvestPage {
    do throws(CirculationError) {
      let page = try await provider.harvest(from: cursor, in: call())
      if case .more(let next) = page.progress, next == cursor {
        throw CirculationError(
          .malformedResponse(expected: "a cursor that moves on"),
          from: provider.describe().provider, during: .harvest)
      }
      return page
    } catch {
      throw .provider(error)
    }
  }

  /// A list of titles that says nothing of copies is completed by asking for them, so that a search
  /// can tell what can be had. Where that fails the titles are kept all the same.
  private func withCopies(
    _ page: HarvestPage
  ) async throws(HarvestFailure) -> HarvestPage {
    guard type(of: provider).capabilities.contains(.availability) else { return page }
    let told = Set(
      page.changes.compactMap { change in
        if case .availability(let item, _) = change { item } else { nil }
      })
    let items = page.changes.compactMap { change -> ItemID? in
      guard case .listed(let edition) = change, !told.contains(edition.item) else { return nil }
      return edition.item
    }
    guard !items.isEmpty else { return page }
    do throws(CirculationError) {
      var page = page
      let answers = try await provider.availability(of: items, in: call())
      page.changes += answers.sorted { $0.key < $1.key }.map { .availability($0.key, $0.value) }
      return page
    } catch {
      // Whoever stops a harvest wants it stopped here, too.
      if error.reason == .cancelled { throw .provider(error) }
      return page
    }
  }
}
