extension SiteScript {
  /// Downloads show how far they are without being asked, as long as anything moves.
  static let queueScript = #"""
    const renew = (old, fresh) => {
      const [one, other] = [all("li[id]", old), all("li[id]", fresh)];
      if (one.map((row) => row.id).join() !== other.map((row) => row.id).join()) {
        return old.replaceWith(fresh), true;
      }
      // What has the focus stays as long as it means the same.
      one.forEach((row, place) => {
        const now = other[place];
        if (row.dataset.state !== now.dataset.state) return row.replaceWith(now);
        const [bar, words] = [$("progress", row), $(".state", row)];
        if (bar && $("progress", now)) bar.value = $("progress", now).value;
        if (words && $(".state", now)) words.textContent = $(".state", now).textContent;
      });
      if (!fresh.dataset.live) delete old.dataset.live;
      return false;
    };
    const follow = async () => {
      const queue = $("#queue[data-live]");
      if (!queue) return;
      if (!document.hidden) {
        try {
          const reply = await fetch(queue.dataset.live, { headers: { Accept: "text/html" } });
          if (reply.ok && !reply.redirected) {
            const page = new DOMParser().parseFromString(await reply.text(), "text/html");
            const [fresh, books, mine] = [$("#queue", page), $("#mine", page), $("#mine")];
            const isOther = fresh ? renew(queue, document.adoptNode(fresh)) : (queue.remove(), true);
            // What came is a book now that can be opened.
            if (isOther && books && mine && !mine.contains(document.activeElement)) {
              mine.replaceWith(document.adoptNode(books));
            }
          }
        } catch {}
      }
      setTimeout(follow, 2000);
    };
    setTimeout(follow, 1500);

    """#
}
