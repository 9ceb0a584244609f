// Turns the sections of a book like pages. The page works without it; here the same frame is measured
// and moved from outside, since nothing inside it may run.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("reading").textContent);
  const words = data.words; // In the tongue of the page.
  const filled = (text, ...parts) => text.replace(/\{(\d)\}/g, (_, n) => parts[n]);
  const stage = document.getElementById("main");
  const where = document.getElementById("where");
  const bar = document.getElementById("bar");
  const root = document.documentElement;
  const line = data.items.map((_, n) => n).filter((n) => data.items[n][2]);
  const kept = new Map(); // Sections that are laid out, the one that is seen among them.
  let offer = document.querySelector(".offer"), offered = 0;
  let taste = data.taste, now = null, parts = data.parts, cfi = null, saving = 0, opening = 0;

  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children);
    return element;
  };
  const on = document.querySelector(".turn .next");
  const back = document.querySelector(".turn .prev") || make("a", { rel: "prev", class: "plain prev" },
    make("span", { "aria-hidden": "true" }, data.backward ? "›" : "‹"), make("span", { class: "word" }, words.previous));
  on.before(back);
  const voice = make("p", { class: "unseen", "aria-live": "polite" });
  const dim = make("div", { class: "dim" });
  const fault = make("p", { class: "notice fault", hidden: true });
  const sides = [-1, 1].map((step) =>
    make("button", {
      class: "side " + ((step < 0) !== data.backward ? "left" : "right"), type: "button",
      "aria-label": step < 0 ? words.previousPage : words.nextPage, onclick: (event) => { turn(step); onward(event); },
    }, (step < 0) !== data.backward ? "‹" : "›"));
  stage.append(fault, ...sides, dim);
  document.body.append(voice);
  root.classList.toggle("backward", data.backward);
  const say = (text) => { voice.textContent = text; };

  // MARK: Asking the gateway

  const post = (fields, more = {}) =>
    fetch(data.book, {
      method: "POST", headers: { Accept: "application/json" },
      body: new URLSearchParams({ seal: data.seal, ...fields }), ...more,
    }).then((answer) => {
      if (!answer.ok) throw new Error(answer.status);
      return answer.json();
    });

  const facts = (section, query = "") =>
    fetch(`${data.book}/${section}/marks${query}`).then((answer) => {
      if (answer.status === 401 || answer.redirected) location.reload();
      if (!answer.ok) throw new Error(answer.status);
      return answer.json();
    });

  // MARK: Sections

  const wide = () => stage.clientWidth > stage.clientHeight;

  /// The fixed pages that are seen together with one.
  function pair(section) {
    if (!data.items[section][3] || !wide() || taste.columns === "1" || data.spread === "none") {
      return [section];
    }
    const first = data.backward ? "right" : "left";
    const second = data.backward ? "left" : "right";
    let open = null;
    for (const n of line) {
      const [, , , isFixed, side] = data.items[n];
      let group = [n];
      if (isFixed && open !== null && side !== first && side !== "center") group = [open, n];
      open = group.length === 1 && isFixed && side !== "center" && side !== second &&
        (side === first || n !== line[0]) ? n : null;
      if (group.includes(section) && group.length === 2) return group;
      if (n > section) break;
    }
    return [section];
  }

  /// Loads a section into a hidden leaf.
  function load(section) {
    if (kept.has(section)) return kept.get(section).ready;
    const leaf = { section, box: make("div", { class: "leaf" }), frames: [], anchor: 0, page: 0, pages: 1 };
    const wrap = make("div", { class: "pair" });
    leaf.box.append(wrap);
    leaf.group = pair(section);
    const frames = leaf.group.map((n) => {
      const frame = make("iframe", {
        class: "sheet", title: data.title, src: `${parts}s/${n}`,
        // No scripts: whatever is in there, nothing of it runs.
        sandbox: "allow-same-origin allow-top-navigation-by-user-activation",
      });
      const loaded = new Promise((done) => frame.addEventListener("load", done, { once: true }));
      wrap.append(frame);
      leaf.frames.push(frame);
      return loaded;
    });
    stage.prepend(leaf.box);
    kept.set(section, leaf);
    leaf.ready = Promise.all([facts(section), ...leaf.group.slice(1).map((n) => facts(n)), ...frames])
      .then(([first, ...rest]) => {
        leaf.facts = first;
        leaf.boxes = [first, ...rest.slice(0, leaf.group.length - 1)].map((one) => one && one.box);
        parts = first.parts;
        leaf.frame = leaf.frames[0];
        leaf.doc = leaf.frame.contentDocument;
        read(leaf);
        leaf.frames.forEach((frame) => listen(frame, leaf));
        lay(leaf);
        mark(leaf);
        leaf.doc.fonts.ready.then(() => { if (kept.get(section) === leaf) relay(leaf); });
        return leaf;
      })
      .catch((error) => { drop(section); console.error(error); throw error; });
    return leaf.ready;
  }

  function drop(section) {
    const leaf = kept.get(section);
    if (!leaf) return;
    kept.delete(section);
    leaf.box.remove();
  }

  /// Opens a section at a place: a number of characters, -1 for its end, or the name of a part.
  async function open(section, place = 0, how = "replace") {
    const turn = ++opening;
    let leaf;
    try {
      leaf = await load(section);
    } catch {
      if (turn === opening) say(words.unshown);
      return;
    }
    if (turn !== opening) return;
    const hadFocus = !document.activeElement || document.activeElement === document.body ||
      document.activeElement.tagName === "IFRAME" || document.activeElement === stage;
    if (how === "push") history.pushState(null, "", `${data.book}/${section}`);
    now = leaf;
    for (const other of kept.values()) other.box.classList.toggle("now", other === leaf);
    if (leaf.stale) { leaf.stale = false; lay(leaf); }
    if (typeof place === "string") {
      const element = leaf.doc.getElementById(place) || leaf.doc.getElementsByName(place)[0];
      show(element ? pageOf(leaf, element.getBoundingClientRect()) : 0, element);
    } else if (place < 0) {
      show(leaf.pages - 1);
      if (taste.scrolled) scroller(leaf).scrollTop = 1e9;
    } else {
      reach(place);
    }
    fault.hidden = !leaf.facts.fault;
    fault.textContent = leaf.facts.fault ? words.damaged : "";
    if (hadFocus && document.querySelector("dialog[open]") === null) leaf.frame.contentWindow.focus();
    offerSound();
    const [before, after] = [next(section, -1), next(last(leaf), 1)];
    for (const n of [...kept.keys()]) if (![section, before, after].includes(n)) drop(n);
    const idle = window.requestIdleCallback || ((body) => setTimeout(body, 60));
    idle(() => {
      if (now !== leaf) return;
      for (const n of [after, before]) if (n !== undefined) load(n).catch(() => {});
    });
  }

  const last = (leaf) => leaf.group[leaf.group.length - 1];
  const next = (section, step) =>
    step > 0 ? line.find((n) => n > section) : line.filter((n) => n < section).pop();

  // MARK: Layout

  /// The texts of the page in order, each with how much stands before it.
  function read(leaf) {
    const walker = leaf.doc.createTreeWalker(leaf.doc.body || leaf.doc.documentElement, NodeFilter.SHOW_TEXT);
    leaf.nodes = [];
    leaf.starts = [];
    let length = 0;
    while (walker.nextNode()) {
      leaf.nodes.push(walker.currentNode);
      leaf.starts.push(length);
      length += walker.currentNode.length;
    }
    leaf.length = length;
    leaf.solid = leaf.nodes.map((_, n) => n).filter((n) => /\S/.test(leaf.nodes[n].data));
  }

  const scroller = (leaf) => leaf.doc.scrollingElement || leaf.doc.documentElement;

  function lay(leaf) {
    const [width, height] = [stage.clientWidth, stage.clientHeight];
    leaf.size = [width, height];
    const html = leaf.doc.documentElement;
    const body = leaf.doc.body || html;
    leaf.isFixed = Boolean(leaf.boxes[0]);
    if (leaf.isFixed) return layFixed(leaf, width, height);
    const style = leaf.doc.defaultView.getComputedStyle(body);
    leaf.vertical = style.writingMode.startsWith("vertical");
    leaf.rtl = style.direction === "rtl";
    html.style.direction = style.direction;
    html.style.writingMode = style.writingMode;
    html.classList.toggle("carrel-vertical", leaf.vertical);
    html.classList.toggle("carrel-pages", !taste.scrolled);
    if (leaf.spacer) leaf.spacer.remove();
    leaf.spacer = null;
    if (taste.scrolled) { leaf.pages = 1; return; }
    const ems = parseFloat(leaf.doc.defaultView.getComputedStyle(html).fontSize);
    const edge = parseFloat(style.getPropertyValue("--edge")) * 16 || 20;
    const two = !leaf.vertical && (taste.columns === "2" ? width >= 560 : taste.columns === "auto" && width >= 60 * ems);
    leaf.step = leaf.vertical ? height : width;
    const count = two ? 2 : 1;
    const period = leaf.step / count;
    const column = Math.max(60, Math.min(period - 2 * edge, leaf.vertical ? period : 38 * ems));
    html.style.setProperty("--column", `${column}px`);
    html.style.setProperty("--gap", `${period - column}px`);
    const box = scroller(leaf);
    const whole = leaf.vertical ? box.scrollHeight : box.scrollWidth;
    const columns = Math.max(1, Math.round(whole / period));
    leaf.pages = Math.ceil(columns / count);
    if (columns % count) {
      // The last page is as wide as the others, or it could not be turned to.
      leaf.spacer = leaf.doc.createElementNS("http://www.w3.org/1999/xhtml", "div");
      const place = `${leaf.pages * leaf.step - 1}px`;
      leaf.spacer.style.cssText =
        `position:absolute;top:0;${leaf.rtl ? "right" : "left"}:${place};width:1px;height:1px;margin:0`;
      html.append(leaf.spacer);
    }
  }

  /// Pages that their author laid out: as large as they fit, one or two.
  function layFixed(leaf, width, height) {
    leaf.pages = 1;
    leaf.rtl = leaf.vertical = false;
    const boxes = leaf.boxes.map((box) => box || leaf.boxes[0]);
    const total = boxes.reduce((sum, box) => sum + box[0], 0);
    const scale = Math.min(width / total, height / Math.max(...boxes.map((box) => box[1])));
    // Turned round by style: a frame that is moved is loaded anew.
    leaf.box.firstChild.style.flexDirection = data.backward ? "row-reverse" : "row";
    leaf.frames.forEach((frame, n) => {
      const [w, h] = boxes[n];
      frame.contentDocument.documentElement.classList.add("carrel-pages");
      frame.style.cssText = `flex:none;width:${w}px;height:${h}px;zoom:${scale}`;
    });
  }

  function relay(leaf) {
    if (leaf !== now) { leaf.stale = true; return; }
    const anchor = leaf.anchor;
    lay(leaf);
    reach(anchor, true);
  }

  /// Which page a box begins on.
  function pageOf(leaf, box) {
    const [width] = leaf.size;
    const view = scroller(leaf);
    if (leaf.isFixed || taste.scrolled) return 0;
    const at = leaf.vertical ? box.top + view.scrollTop
      : leaf.rtl ? width - box.right - view.scrollLeft : box.left + view.scrollLeft;
    return Math.max(0, Math.min(leaf.pages - 1, Math.floor((at + 1) / leaf.step)));
  }

  // MARK: Places

  function spot(leaf, place) {
    let low = 0, high = leaf.nodes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (leaf.starts[middle] <= place) low = middle + 1; else high = middle;
    }
    const n = Math.max(0, low - 1);
    return leaf.nodes.length ? [leaf.nodes[n], Math.min(place - leaf.starts[n], leaf.nodes[n].length)] : null;
  }

  function range(leaf, start, end) {
    const [from, to] = [spot(leaf, start), spot(leaf, end)];
    if (!from || !to) return null;
    const made = leaf.doc.createRange();
    made.setStart(...from);
    made.setEnd(...to);
    return made;
  }

  /// The box of a character, or of the first one behind it that has any.
  function boxOf(leaf, place) {
    for (let n = 0; n < 40 && place + n < leaf.length; n++) {
      const box = range(leaf, place + n, place + n + 1)?.getClientRects()[0];
      if (box && (box.width || box.height)) return box;
    }
    return spot(leaf, place)?.[0].parentElement?.getBoundingClientRect() || null;
  }

  /// The first character that is not before what `isBefore` says.
  function first(leaf, isBefore) {
    const edgeOf = (n) => {
      const all = range(leaf, leaf.starts[n], leaf.starts[n] + leaf.nodes[n].length).getClientRects();
      return all[all.length - 1];
    };
    let low = 0, high = leaf.solid.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const box = edgeOf(leaf.solid[middle]);
      if (!box || isBefore(box)) low = middle + 1; else high = middle;
    }
    if (low === leaf.solid.length) return leaf.length;
    const n = leaf.solid[low];
    let [from, to] = [0, leaf.nodes[n].length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const box = range(leaf, leaf.starts[n] + middle, leaf.starts[n] + middle + 1).getClientRects()[0];
      if (!box || isBefore(box)) from = middle + 1; else to = middle;
    }
    return leaf.starts[n] + from;
  }

  /// What is on the screen, from character to character.
  function seen(leaf) {
    if (leaf.isFixed) return [0, leaf.length];
    if (taste.scrolled) {
      const height = leaf.size[1];
      return leaf.vertical
        ? [first(leaf, (box) => box.left >= leaf.size[0]), first(leaf, (box) => box.right > 0)]
        : [first(leaf, (box) => box.bottom <= 0), first(leaf, (box) => box.top < height)];
    }
    return [
      first(leaf, (box) => pageOf(leaf, box) < leaf.page),
      leaf.page + 1 >= leaf.pages ? leaf.length : first(leaf, (box) => pageOf(leaf, box) <= leaf.page),
    ];
  }

  /// The page with a character at it.
  function reach(place, isStill = false) {
    const box = place > 0 ? boxOf(now, place) : null;
    if (taste.scrolled && !now.isFixed) {
      if (box) scroller(now).scrollTop += box.top - 24; else scroller(now).scrollTop = 0;
      told(isStill ? place : undefined);
    } else {
      show(box ? pageOf(now, box) : 0, null, isStill ? place : undefined);
    }
  }

  function show(page, element = null, anchor = undefined) {
    now.page = Math.max(0, Math.min(page, now.pages - 1));
    if (!now.isFixed) {
      const view = scroller(now);
      if (taste.scrolled) { if (element) element.scrollIntoView(); }
      else if (now.vertical) view.scrollTo({ top: now.page * now.step, left: 0, behavior: "instant" });
      else view.scrollTo({ left: (now.rtl ? -1 : 1) * now.page * now.step, top: 0, behavior: "instant" });
    }
    told(anchor);
  }

  const total = (section, progression) => {
    const [start, count] = data.items[section];
    return Math.min(1, (start - 1 + progression * count) / Math.max(1, data.count));
  };

  /// Tells where one is: below the page, to those who hear it, and to the gateway.
  function told(anchor) {
    const leaf = now;
    const [start, end] = seen(leaf);
    leaf.anchor = anchor === undefined ? start : anchor;
    leaf.seen = [start, end];
    const section = leaf.section;
    const part = leaf.length ? start / leaf.length : 0;
    const [item, count] = data.items[section];
    const number = Math.max(1, item + Math.min(Math.floor(part * count), Math.max(0, count - 1)));
    leaf.over = leaf.page + 1 >= leaf.pages && (!taste.scrolled || end >= leaf.length) &&
      next(last(leaf), 1) === undefined;
    const percent = leaf.over ? 100
      : Math.min(99, Math.round(100 * total(last(leaf), leaf.length ? end / leaf.length : 1)));
    const chapter = (leaf.facts.chapters.filter(([at]) => at <= start).pop() || leaf.facts.chapters[0] || [])[1];
    where.replaceChildren(
      ...(chapter ? [make("span", { class: "chapter" }, chapter)] : []),
      make("span", { class: "position" }, `${filled(words.of, number, data.count)} · ${percent} %`));
    bar.max = Math.max(1, data.count);
    bar.value = number;
    document.title = [chapter, data.title, "Carrel"].filter(Boolean).join(" · ");
    leaf.frame.title = chapter || data.title;
    say((chapter ? chapter + ": " : "") + filled(words.here, leaf.page + 1, leaf.pages, number, data.count));
    const isMarked = leaf.facts.marks.some((one) =>
      one.kind === "bookmark" && one.start >= start && (one.start < end || start === end));
    const star = document.getElementById("bookmark");
    star.setAttribute("aria-pressed", isMarked);
    star.classList.toggle("on", isMarked);
    const [before, after] = [next(section, -1), next(last(leaf), 1)];
    back.hidden = before === undefined;
    back.href = `${data.book}/${before ?? section}`;
    on.href = `${data.book}/${after ?? "end"}`;
    on.lastElementChild.textContent = after === undefined ? words.end : words.next;
    clearTimeout(saving);
    // As long as another place is offered, nothing is kept; who turns on has chosen.
    if (offer && offered++) { offer.remove(); offer = null; }
    if (!offer) saving = setTimeout(save, 800);
    history.replaceState({ section, place: start }, "");
  }

  function save(isLeaving = false) {
    clearTimeout(saving);
    saving = 0;
    if (!now || !now.seen) return;
    const leaf = now;
    const fields = {
      do: "place", section: leaf.section, start: leaf.seen[0], end: leaf.seen[1], over: leaf.over ? 1 : 0,
    };
    post(fields, { keepalive: isLeaving }).then((answer) => {
      if (now !== leaf || leaf.seen[0] !== fields.start) return;
      cfi = answer.cfi;
      // Without a network nobody counts in steps.
      const at = cfi ? `at=${encodeURIComponent(cfi)}` : `shown=${fields.start}`;
      history.replaceState({ section: leaf.section, place: fields.start }, "",
        `${data.book}/${leaf.section}?${at}`);
    }).catch(() => {});
  }

  // MARK: Turning

  function turn(step) {
    if (!now) return;
    if (now.page + step >= 0 && now.page + step < now.pages && !taste.scrolled) {
      return show(now.page + step);
    }
    const section = next(step > 0 ? last(now) : now.section, step);
    if (section !== undefined) return void open(section, step > 0 ? 0 : -1);
    if (step > 0) { save(true); location.href = `${data.book}/end`; }
  }

  /// Who turned with a finger or a mouse goes on with the keys of the page, not with those of a button.
  const onward = (event) => { if (event.detail) now?.frame.contentWindow.focus(); };

  /// In a section that is scrolled, at its end: on to the next one.
  function roll(step) {
    const view = scroller(now);
    const room = now.size[1] - 40;
    const isAtEdge = step > 0
      ? view.scrollTop + view.clientHeight >= view.scrollHeight - 2 : view.scrollTop <= 0;
    if (isAtEdge) turn(step); else view.scrollBy({ top: step * room, behavior: "instant" });
  }

  const move = (step) => (taste.scrolled && !now.isFixed ? roll(step) : turn(step));

  function key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.target.closest?.("input, textarea, select, summary")) return;
    const isButton = event.target.closest?.("button, a");
    const steps = {
      ArrowRight: data.backward ? -1 : 1, ArrowLeft: data.backward ? 1 : -1, PageDown: 1, PageUp: -1,
    };
    if (event.key in steps) move(steps[event.key]);
    else if (event.key === " " && !isButton) move(event.shiftKey ? -1 : 1);
    else if (event.key === "Home") reach(0);
    else if (event.key === "End") { if (taste.scrolled) scroller(now).scrollTop = 1e9; else show(now.pages - 1); }
    else if (event.key === "t") document.querySelector("[data-panel=contents]").click();
    else if (event.key === "/") document.querySelector("[data-panel=search]").click();
    else if (event.key === "b") bookmark();
    else if (event.key === "Escape" && !picker.hidden) hidePicker();
    else return;
    event.preventDefault();
  }

  function listen(frame, leaf) {
    const doc = frame.contentDocument;
    let start = null;
    doc.addEventListener("keydown", key);
    doc.addEventListener("click", (event) => click(event, leaf, frame));
    doc.addEventListener("touchstart", (event) => {
      const touch = event.touches[0];
      start = event.touches.length === 1 ? [touch.screenX, touch.screenY] : null;
    }, { passive: true });
    doc.addEventListener("touchend", (event) => {
      if (!start || taste.scrolled || !doc.getSelection().isCollapsed) return;
      const touch = event.changedTouches[0];
      const [across, down] = [touch.screenX - start[0], touch.screenY - start[1]];
      start = null;
      if (Math.abs(across) > 40 && Math.abs(across) > 1.5 * Math.abs(down)) {
        turn((across < 0) !== data.backward ? 1 : -1);
        if (event.cancelable) event.preventDefault();
      }
    });
    doc.addEventListener("selectionchange", () => { if (leaf === now) selected(leaf); });
    doc.addEventListener("wheel", (event) => {
      if (taste.scrolled && !leaf.isFixed) {
        const view = scroller(leaf);
        if (event.deltaY > 0 && view.scrollTop + view.clientHeight >= view.scrollHeight - 2) pulled(1, event);
        else if (event.deltaY < 0 && view.scrollTop <= 0) pulled(-1, event);
      }
    }, { passive: true });
    doc.addEventListener("scroll", () => {
      if (leaf !== now) return;
      if (taste.scrolled) { clearTimeout(leaf.rest); leaf.rest = setTimeout(() => { if (leaf === now) told(); }, 120); return; }
      // The focus went to a link on another page: on to that.
      const view = scroller(leaf);
      const at = Math.abs(leaf.vertical ? view.scrollTop : view.scrollLeft);
      if (Math.abs(at - leaf.page * leaf.step) > 2) show(Math.round(at / leaf.step));
    });
  }

  let pull = 0, pulledAt = 0;
  /// Wheels go on turning for a while; only who goes on on purpose is taken on.
  function pulled(step, event) {
    if (event.timeStamp - pulledAt > 400) pull = 0;
    pulledAt = event.timeStamp;
    pull += Math.abs(event.deltaY);
    if (pull > 300) { pull = -1e4; turn(step); setTimeout(() => { pull = 0; }, 600); }
  }

  function click(event, leaf, frame) {
    const link = event.target.closest?.("a[href], a[*|href]");
    if (link) {
      const address = new URL(link.getAttribute("href") || link.getAttributeNS("http://www.w3.org/1999/xlink", "href"), link.baseURI);
      if (go(address, leaf)) event.preventDefault();
      return;
    }
    if (!leaf.doc.getSelection().isCollapsed) return;
    const picture = event.target.closest?.("img, image");
    if (picture) return zoom(picture.currentSrc || picture.src || picture.href?.baseVal, picture.getAttribute("alt"));
    if (event.target.closest?.("audio, video, summary")) return;
    const at = leaf.doc.caretPositionFromPoint?.(event.clientX, event.clientY);
    const place = at && at.offsetNode.nodeType === 3 ? placeOf(leaf, at.offsetNode, at.offset) : -1;
    const hit = leaf.facts.marks.find((one) => one.kind !== "bookmark" && one.start <= place && place < one.end);
    if (hit) return showMark(hit);
    if (!picker.hidden) return hidePicker();
    if (taste.scrolled) return;
    const x = event.clientX + (frame === leaf.frames[0] ? 0 : frame.offsetLeft);
    const share = x / stage.clientWidth;
    if (share < 0.28) turn(data.backward ? 1 : -1);
    else if (share > 0.72) turn(data.backward ? -1 : 1);
  }

  /// Follows an address of this book without leaving the page; false for all others.
  function go(address, leaf = now) {
    if (address.origin !== location.origin) return false;
    if (leaf && address.pathname === new URL(leaf.frame.src).pathname && address.hash) {
      open(leaf.section, decodeURIComponent(address.hash.slice(1)), "push");
      return true;
    }
    const rest = address.pathname.startsWith(data.book + "/") && address.pathname.slice(data.book.length + 1);
    if (!rest || !/^\d+$/.test(rest)) return false;
    const section = Number(rest);
    const [at, to] = [address.searchParams.get("at"), address.searchParams.get("to")];
    if (at && at !== "end") {
      facts(section, `?at=${encodeURIComponent(at)}`).then((found) => open(found.section, found.at || 0, "push"));
    } else {
      open(section, at === "end" ? -1 : to || 0, "push");
    }
    return true;
  }

  // MARK: Marks

  function placeOf(leaf, node, offset) {
    if (node.nodeType !== 3) {
      const walker = leaf.doc.createTreeWalker(leaf.doc.body, NodeFilter.SHOW_TEXT);
      const child = node.childNodes[offset];
      const all = leaf.nodes.findIndex((text) => child
        ? text === child || child.contains(text) || child.compareDocumentPosition(text) & 4
        : node.compareDocumentPosition(text) & 4 && !node.contains(text));
      void walker;
      return all < 0 ? leaf.length : leaf.starts[all];
    }
    const n = leaf.nodes.indexOf(node);
    return n < 0 ? 0 : leaf.starts[n] + offset;
  }

  function mark(leaf) {
    const view = leaf.doc.defaultView;
    if (!view.CSS?.highlights) return;
    view.CSS.highlights.clear();
    const colors = {};
    for (const one of leaf.facts.marks) {
      if (one.kind === "bookmark") continue;
      const made = range(leaf, one.start, one.end);
      if (made) (colors[one.color || "yellow"] ||= []).push(made);
    }
    for (const [color, ranges] of Object.entries(colors)) {
      view.CSS.highlights.set(`carrel-${color}`, new view.Highlight(...ranges));
    }
  }

  const refresh = async (leaf) => {
    leaf.facts = await facts(leaf.section);
    mark(leaf);
    if (leaf === now) told(leaf.anchor);
  };

  async function bookmark() {
    if (!now) return;
    const leaf = now;
    try {
      const answer = await post({ do: "bookmark", section: leaf.section, start: leaf.seen[0], end: leaf.seen[1] });
      await refresh(leaf);
      say(answer.removed ? words.unmarked : words.marked);
    } catch { say(words.unkept); }
  }
  document.getElementById("bookmark").closest("form").addEventListener("submit", (event) => {
    event.preventDefault();
    bookmark();
  });

  // What can be done with words that are selected, or that are marked.
  const note = make("textarea", { rows: 3, "aria-label": words.note, placeholder: words.note });
  const colors = ["yellow", "green", "blue", "pink", "orange", "purple"].map((color) =>
    make("button", { type: "button", class: `swatch ${color}`, "aria-label": words.colors[color],
      onclick: () => highlight(color) }));
  const word = (text, act) => make("button", { type: "button", class: "plain", onclick: act }, text);
  const removing = word(words.remove, () => removeMark());
  const shown = make("p", { class: "small" });
  const form = make("form", { hidden: true, onsubmit: (event) => { event.preventDefault(); highlight("yellow", note.value); } },
    note, make("button", { class: "button", type: "submit" }, words.keep));
  const picker = make("div", { class: "picker", hidden: true, role: "group", "aria-label": words.selected },
    shown, ...colors,
    word(words.note, () => {
      // Only the beginning of the note is here: it is edited where all of it is.
      if (chosen?.cut) { location.href = `${data.book}/notes`; return; }
      form.hidden = false;
      note.focus();
    }), word(words.copy, () => copy()),
    word(words.share, () => share()), removing, word(words.close, () => hidePicker()), form);
  stage.append(picker);
  let chosen = null;

  function selected(leaf) {
    const selection = leaf.doc.getSelection();
    if (selection.isCollapsed || !selection.toString().trim()) {
      if (chosen && !chosen.id && !picker.contains(document.activeElement)) hidePicker();
      return;
    }
    const one = selection.getRangeAt(0);
    chosen = {
      section: leaf.section, text: selection.toString(),
      start: placeOf(leaf, one.startContainer, one.startOffset),
      end: placeOf(leaf, one.endContainer, one.endOffset),
    };
    shown.textContent = "";
    [form.hidden, removing.hidden, picker.hidden] = [true, true, false];
  }

  function showMark(one) {
    chosen = { ...one, section: now.section, text: range(now, one.start, one.end)?.toString() || "" };
    note.value = one.note || "";
    shown.textContent = one.note || "";
    [form.hidden, removing.hidden, picker.hidden] = [true, false, false];
  }

  function hidePicker() {
    picker.hidden = true;
    chosen = null;
    note.value = "";
    now?.doc.getSelection().removeAllRanges();
  }

  async function highlight(color, text = note.value) {
    if (!chosen) return;
    const leaf = now;
    const fields = chosen.id
      ? { do: "edit", id: chosen.id, color, ...(chosen.cut ? {} : { note: text }) }
      : { do: "highlight", section: chosen.section, start: chosen.start, end: chosen.end, color, note: text };
    hidePicker();
    try { await post(fields); await refresh(leaf); say(words.kept); } catch { say(words.unkept); }
  }

  async function removeMark() {
    const [one, leaf] = [chosen, now];
    hidePicker();
    if (!one?.id) return;
    try { await post({ do: "remove", id: one.id }); await refresh(leaf); say(words.removed); } catch { say(words.unremoved); }
  }

  const quote = () => `“${(chosen?.text || "").trim().slice(0, 2000)}”\n${[data.title, ...data.authors].join(", ")}`;
  async function copy() {
    try { await navigator.clipboard.writeText(quote()); say(words.copied); } catch {
      try { now.doc.execCommand("copy"); say(words.copied); } catch { say(words.uncopied); }
    }
    hidePicker();
  }
  async function share() {
    const text = quote();
    hidePicker();
    if (navigator.share) { try { await navigator.share({ title: data.title, text, url: data.record }); } catch { /* Changed their mind. */ } }
    else location.href = `mailto:?subject=${encodeURIComponent(data.title)}&body=${encodeURIComponent(text + "\n" + data.record)}`;
  }

  // MARK: Panels

  const dialog = make("dialog", { class: "panel" });
  document.body.append(dialog);

  async function panel(name, address = null) {
    const link = document.querySelector(`[data-panel=${name}]`);
    const target = new URL(address || link.href, location.href);
    if (now) {
      target.searchParams.set("from", now.section);
      if (cfi) target.searchParams.set("at", cfi);
    }
    await fill(await fetch(target));
    if (!dialog.open) dialog.showModal();
    (dialog.querySelector("[autofocus], [aria-current]") || dialog.querySelector(".close")).focus();
    dialog.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
  }

  async function fill(answer) {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const main = page.querySelector("main");
    main.querySelectorAll("form.display button[type=submit]").forEach((button) => { button.hidden = true; });
    dialog.setAttribute("aria-label", main.querySelector("h1")?.textContent || "");
    dialog.replaceChildren(
      make("button", { class: "plain close", type: "button", "aria-label": words.close, onclick: () => dialog.close() }, "✕"),
      ...main.childNodes);
  }

  for (const link of document.querySelectorAll("[data-panel]")) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      panel(link.dataset.panel).catch(() => { location.href = link.href; });
    });
  }
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && event.clientX < dialog.getBoundingClientRect().left) dialog.close();
    const link = event.target.closest("a[href]");
    if (link && go(new URL(link.href))) { event.preventDefault(); dialog.close(); }
  });
  dialog.addEventListener("change", (event) => {
    const chosenForm = event.target.closest("form.display");
    if (!chosenForm) return;
    post(Object.fromEntries(new FormData(chosenForm))).then(apply).catch(() => say(words.unkept));
  });
  dialog.addEventListener("submit", async (event) => {
    event.preventDefault();
    const from = event.target;
    const fields = new URLSearchParams(new FormData(from, event.submitter));
    if (from.method === "get") {
      const target = new URL(from.action);
      target.search = fields;
      await fill(await fetch(target));
      dialog.querySelector("[type=search]")?.focus();
    } else {
      await fill(await fetch(from.action, { method: "POST", body: fields }));
      dialog.querySelector(".close").focus();
    }
    if (now) refresh(now);
  });

  /// How pages are liked now: their sheets are fetched anew, and what was read stays where it is.
  async function apply(liked) {
    taste = liked;
    dress();
    const leaf = now;
    for (const n of [...kept.keys()]) if (n !== leaf.section) drop(n);
    await Promise.all(leaf.frames.map((frame) => {
      const link = frame.contentDocument.querySelector('link[href*="/taste.css"]');
      if (!link) return null;
      const loaded = new Promise((done) => { link.addEventListener("load", done, { once: true }); setTimeout(done, 2000); });
      link.href = `${parts}taste.css?${Date.now()}`;
      return loaded;
    }));
    relay(leaf);
  }

  function dress() {
    root.classList.remove("device", "day", "sepia", "night");
    root.classList.add(taste.theme);
    root.classList.toggle("scrolled", taste.scrolled);
    dim.style.opacity = 1 - taste.brightness / 100;
  }

  // MARK: Pictures

  const zoomed = make("dialog", { class: "zoom" });
  document.body.append(zoomed);
  function zoom(address, text) {
    if (!address) return;
    const picture = make("img", { src: address, alt: text || "", class: "fit" });
    picture.addEventListener("click", () => picture.classList.toggle("fit"));
    zoomed.replaceChildren(
      make("button", { class: "button close", type: "button", onclick: () => zoomed.close() }, words.close), picture);
    zoomed.showModal();
  }

  // MARK: What is read aloud

  const audio = new Audio();
  let clip = -1, rate = 1;
  const play = make("button", { type: "button", "aria-label": words.aloud, onclick: () => (audio.paused ? speak(Math.max(0, clip)) : audio.pause()) }, "▶");
  const faster = make("button", { type: "button", "aria-label": words.fast, onclick: () => {
    rate = { 1: 1.25, 1.25: 1.5, 1.5: 2, 2: 0.75, 0.75: 1 }[rate];
    audio.playbackRate = rate;
    faster.textContent = `${rate}×`;
  } }, "1×");
  const player = make("div", { class: "player", hidden: true }, play, faster);
  document.querySelector("body > footer").append(player);

  function offerSound() {
    player.hidden = !now.facts.clips.length;
    if (player.hidden) audio.pause();
  }
  function light(id) {
    const active = data.active || "-epub-media-overlay-active";
    now.doc.querySelectorAll(`.${CSS.escape(active)}`).forEach((one) => one.classList.remove(active, "carrel-spoken"));
    const element = id ? now.doc.getElementById(id) : null;
    if (!element) return;
    element.classList.add(active, "carrel-spoken");
    const box = element.getBoundingClientRect();
    if (taste.scrolled) { if (box.top < 0 || box.bottom > now.size[1]) element.scrollIntoView({ block: "center" }); }
    else if (!now.isFixed && pageOf(now, box) !== now.page) show(pageOf(now, box));
  }
  function speak(n) {
    const one = now.facts.clips[n];
    if (!one) {
      const section = next(last(now), 1);
      audio.pause();
      light(null);
      clip = -1;
      if (section !== undefined) open(section).then(() => { if (now.facts.clips.length) speak(0); });
      return;
    }
    const [id, source, from] = one;
    const isOn = audio.src && new URL(source, location.href).href === audio.src && n === clip + 1 &&
      Math.abs(audio.currentTime - from) < 0.3;
    clip = n;
    light(id);
    if (!isOn) {
      if (audio.src !== new URL(source, location.href).href) audio.src = source;
      audio.currentTime = from;
    }
    audio.playbackRate = rate;
    audio.play().catch(() => say(words.unplayed));
  }
  audio.addEventListener("play", () => { play.textContent = "❚❚"; play.setAttribute("aria-label", words.pause); tick(); });
  audio.addEventListener("pause", () => { play.textContent = "▶"; play.setAttribute("aria-label", words.aloud); });
  audio.addEventListener("ended", () => speak(clip + 1));
  function tick() {
    const end = now?.facts.clips[clip]?.[3];
    if (!audio.paused && end && audio.currentTime >= end) speak(clip + 1);
    if (!audio.paused) setTimeout(tick, 40);
  }

  // MARK: Beginning

  offer?.addEventListener("click", (event) => {
    if (event.target.href && go(new URL(event.target.href))) event.preventDefault();
  });
  for (const link of document.querySelectorAll(".turn a")) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      turn(link.rel === "prev" ? -1 : 1);
      onward(event);
    });
  }
  document.addEventListener("keydown", key);
  addEventListener("popstate", (event) => {
    if (event.state) open(event.state.section, event.state.place); else location.reload();
  });
  addEventListener("pagehide", () => { if (saving) save(true); });
  document.addEventListener("visibilitychange", () => { if (document.hidden && saving) save(true); });
  let resizing = 0;
  new ResizeObserver(() => {
    cancelAnimationFrame(resizing);
    resizing = requestAnimationFrame(() => {
      if (!now || (now.size[0] === stage.clientWidth && now.size[1] === stage.clientHeight)) return;
      const isOther = pair(now.section).length !== now.group.length;
      for (const leaf of kept.values()) if (leaf !== now) leaf.stale = true;
      if (isOther) { const { section, anchor } = now; drop(section); open(section, anchor); } else relay(now);
    });
  }).observe(stage);
  dress();
  root.classList.add("scripted");
  // A page that a device kept was made before anybody knew where in it one would stop.
  open(data.section, data.at ?? Number(new URLSearchParams(location.search).get("shown")));
})();
