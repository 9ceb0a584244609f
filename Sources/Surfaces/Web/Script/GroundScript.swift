extension SiteScript {
  /// What the other parts share: making elements, asking, saying what happened.
  static let groundScript = #"""
    const $ = (query, from = document) => from.querySelector(query);
    const all = (query, from = document) => [...from.querySelectorAll(query)];
    const make = (name, traits, ...inside) => {
      const element = Object.assign(document.createElement(name), traits);
      element.append(...inside);
      return element;
    };
    const seal = () => $("input[name=seal]")?.value ?? "";
    const post = (address, fields) => fetch(address, {
      method: "POST", redirect: "manual", body: new URLSearchParams({ seal: seal(), ...fields }),
    }).then((reply) => reply.type === "opaqueredirect" || reply.ok, () => false);

    let told;
    const tell = (words, ...more) => {
      told?.remove();
      const box = make("div", { className: "toast" });
      box.setAttribute("role", "status");
      document.body.append(box);
      // A live region speaks of what is put in while it is there.
      setTimeout(() => box.append(make("span", {}, words), ...more), 50);
      told = box;
      setTimeout(() => { if (!box.matches(":hover, :focus-within")) box.remove(); }, 12000);
    };

    // Opens a dialog that the page brought along; true for yes. The browser keeps the focus in it.
    const confirmed = (dialog) => new Promise((resolve) => {
      const before = document.activeElement;
      dialog.returnValue = "";
      dialog.addEventListener("close", () => {
        before?.focus?.();
        resolve(dialog.returnValue === "yes");
      }, { once: true });
      dialog.showModal();
    });

    all(".back a").forEach((link) => link.addEventListener("click", (event) => {
      let here = false;
      try { here = new URL(document.referrer).origin === location.origin; } catch {}
      if (!here || history.length < 2) return;
      event.preventDefault();
      history.back();
    }));

    all("[data-share]").forEach((box) => {
      const [title, url] = [box.dataset.share, $("input", box).value];
      if (navigator.share) {
        box.append(make("button", {
          type: "button", className: "button second",
          onclick: () => navigator.share({ title, url }).catch(() => {}),
        }, box.dataset.wordShare));
      }
      if (navigator.clipboard) {
        box.append(make("button", {
          type: "button", className: "button second",
          onclick: () => navigator.clipboard.writeText(url)
            .then(() => tell(box.dataset.wordCopied), () => $("input", box).select()),
        }, box.dataset.wordCopy));
      }
    });

    """#
}
