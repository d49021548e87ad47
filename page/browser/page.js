/* The script of all views. Every link and form works without it. */

import './choose-names.js';

for (const button of document.querySelectorAll('button.print')) {
  button.hidden = false;
  button.addEventListener('click', () => window.print());
}

for (const button of document.querySelectorAll('button.copy')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(location.href);
    document.getElementById('copied').textContent = 'Address copied';
  });
}

/* On a phone the navigation is wider than the screen. */

// Not by scrollIntoView: the next Tab would go on from there.
const current = document.querySelector('.top nav [aria-current]');
if (current) {
  const nav = current.closest('nav');
  nav.scrollLeft = current.offsetLeft - nav.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2;
}

/* The filters: a choice counts at once. */

document.getElementById('filters')?.addEventListener('change', ({ target }) => {
  if (target.matches('select, input[type="checkbox"]')) target.form.requestSubmit();
});

/* Views of the page that are fetched, to show a part of them without losing the place in this one. */

/** The same page at another address, without running or loading anything of it. */
async function pageAt(address) {
  const response = await fetch(address, { headers: { accept: 'text/html' } });
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

/** The children of an element of a fetched page, for this one. */
const copiesOf = (node) => [...node.childNodes].map((child) => document.importNode(child, true));

/** The view that the page shows, which going back changes. */
const shown = { search: location.search };

/** Notes that the address was changed to what the page shows now. */
const noteShown = () => {
  shown.search = location.search;
};

// A link within the page, such as the one that skips to the content, comes here too.
window.addEventListener('popstate', () => {
  if (location.search !== shown.search) location.reload();
});

/* One change beside the stream. */

const isWide = () => matchMedia('(min-width: 1100px)').matches;
const openIn = (address) => new URL(address, location.href).searchParams.get('open') ?? '';

/** The focus after another change is shown: on its title, its tab, its row, or the row of the one that was closed. */
const focusAfter = {
  event: () => document.getElementById('event-title'),
  tab: () => document.querySelector('#event .tabs [aria-current]'),
  row: () => document.querySelector('a.open[aria-current]'),
  closed: (before) => document.getElementById(`e-${before}`),
};

/** Only the last change that was asked for is shown. */
let asked = 0;

/** Shows what a link leads to: a change, another form of it, or none. */
async function showEvent(link, focus) {
  if (!isWide() && focus !== 'tab') return location.assign(link.href);
  const before = openIn(location.href);
  const turn = ++asked;
  history.pushState(null, '', link.href);
  noteShown();
  try {
    const page = await pageAt(link.href);
    if (turn !== asked) return;
    document.getElementById('event').replaceChildren(...copiesOf(page.getElementById('event')));
    document.body.className = page.body.className;
    markOpen(openIn(link.href));
    focusAfter[focus](before)?.focus({ preventScroll: focus !== 'row' });
    document.querySelector('a.open[aria-current]')?.scrollIntoView({ block: 'nearest' });
  } catch {
    location.assign(link.href);
  }
}

function markOpen(id) {
  for (const link of document.querySelectorAll('a.open[aria-current]')) link.removeAttribute('aria-current');
  document.getElementById(`e-${id}`)?.setAttribute('aria-current', 'true');
  for (const row of document.querySelectorAll('li.event')) {
    row.classList.toggle('is-open', row.querySelector('[aria-current]') !== null);
  }
}

document.addEventListener('click', (press) => {
  if (press.ctrlKey || press.metaKey || press.shiftKey || press.button !== 0) return;
  if (!document.getElementById('stream')) return;
  const link = press.target.closest?.('a.open, .tabs a, .close a');
  if (!link || (!isWide() && !link.closest('.tabs'))) return;
  press.preventDefault();
  void showEvent(link, link.matches('a.open') ? 'event' : link.closest('.tabs') ? 'tab' : 'closed');
});

/* Keys: up and down go from change to change, and with a change open they open the next one. Escape closes it. */

/** Where arrow keys have a meaning of their own. */
const ownKeys = 'input, select, textarea, pre, iframe, summary, [role="listbox"]';

const rows = () => [...document.querySelectorAll('a.open')];
const step = (list, from, key) => list[list.indexOf(from) + (key === 'ArrowDown' ? 1 : -1)];

/** The link of the open change; null where none is open. */
const openLink = () => document.querySelector('a.open[aria-current]');

document.addEventListener('keydown', (key) => {
  if (key.ctrlKey || key.metaKey || key.altKey || key.defaultPrevented) return;
  if (key.key === 'Escape') document.querySelector('.close a')?.click();
  if (key.key !== 'ArrowDown' && key.key !== 'ArrowUp') return;
  const active = document.activeElement;
  if (active?.matches(ownKeys)) return;
  const isRow = active?.matches('a.open') ?? false;
  const open = openLink();
  // Without an open change and without a chosen row, the keys scroll the page.
  if (!isRow && (!open || (active !== document.body && !active?.closest('main')))) return;
  const next = step(rows(), isRow ? active : open, key.key);
  key.preventDefault();
  if (!next) return;
  if (open) void showEvent(next, isRow ? 'row' : 'event');
  else next.focus();
});

/* How long ago the log was read, and how many changes are new since the page was made. */

let readAt = Number(document.querySelector('[data-since]')?.dataset.since ?? 0);

function durationWords(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86400)} days`;
}

function showAge() {
  const age = document.querySelector('[data-since]');
  if (age && readAt > 0) age.textContent = durationWords(Date.now() - readAt);
}

function showStatus({ state, text, readAt: at }) {
  const link = document.querySelector('#status a');
  if (!link) return;
  readAt = at ?? 0;
  link.className = state;
  link.textContent = at === null ? text : `${text}, read `;
  if (at === null) return;
  const age = document.createElement('span');
  age.dataset.since = String(at);
  link.append(age, ' ago');
  showAge();
}

setInterval(showAge, 5000);

let waiting = 0;

function showWaiting() {
  const bar = document.getElementById('new-changes');
  if (!bar || waiting === 0) return;
  const link = document.createElement('a');
  link.href = bar.dataset.first;
  link.textContent = waiting + (waiting === 1 ? ' new change: show' : ' new changes: show');
  link.addEventListener('click', (press) => {
    if (press.ctrlKey || press.metaKey || press.shiftKey) return;
    press.preventDefault();
    showNewest(link.href).catch(() => location.assign(link.href));
  });
  bar.replaceChildren(link);
}

async function showNewest(address) {
  const stream = document.getElementById('stream');
  const open = new URLSearchParams(location.search);
  const target = new URL(address);
  for (const name of ['open', 'show']) if (open.has(name)) target.searchParams.set(name, open.get(name));
  const known = new Set([...stream.querySelectorAll('a.open')].map(({ id }) => id));
  const page = await pageAt(target);
  stream.replaceChildren(...copiesOf(page.getElementById('stream')));
  for (const row of stream.querySelectorAll('li.event')) {
    row.classList.toggle(
      'is-new',
      [...row.querySelectorAll('a.open')].some(({ id }) => !known.has(id)),
    );
  }
  history.replaceState(null, '', target);
  noteShown();
  waiting = 0;
  window.scrollTo({ top: 0 });
  stream.querySelector('a.open')?.focus({ preventScroll: true });
}

const { live } = document.getElementById('main').dataset;
if (live) {
  const source = new EventSource(live);
  source.addEventListener('changes', ({ data }) => {
    waiting += JSON.parse(data).count;
    showWaiting();
  });
  source.addEventListener('status', ({ data }) => showStatus(JSON.parse(data)));
  window.addEventListener('pagehide', () => source.close());
}
