import Glibc

/// Unpacking jumps about in four megabytes without any order: with ordinary pages half of its time goes
/// into finding out where they are.
enum LargeMemory {
  private static let page = 2 << 20

  static func take(_ count: Int) -> UnsafeMutableRawPointer? {
    guard count >= page / 2 else { return unsafe malloc(count) }
    let size = (count + page - 1) / page * page
    guard let memory = unsafe aligned_alloc(page, size) else { return nil }
    // Where the system has no such pages ordinary ones do.
    unsafe madvise(memory, size, MADV_HUGEPAGE)
    return unsafe memory
  }
}
