extension SiteScript {
  /// What somebody may be about to type, offered by the field's own list.
  static let searchScript = #"""
    const field = $("#q");
    if (field?.dataset.suggest) {
      const list = make("datalist", { id: "hints" });
      field.after(list);
      field.setAttribute("list", "hints");
      const known = new Map();
      let timer, asked = "";
      const show = (words) => list.replaceChildren(
        ...words.map((value) => make("option", { value })));
      field.addEventListener("input", () => {
        clearTimeout(timer);
        const words = field.value.trim().toLowerCase();
        if (words.length < 2 || words.length > 100) return show([]);
        asked = words;
        if (known.has(words)) return show(known.get(words));
        timer = setTimeout(async () => {
          try {
            const reply = await fetch(
              field.dataset.suggest + "?q=" + encodeURIComponent(words));
            if (!reply.ok) return;
            const { items } = await reply.json();
            known.set(words, items);
            if (asked === words) show(items);
          } catch {}
        }, 120);
      });
    }

    """#
}
