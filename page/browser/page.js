/* The script of the page. It shows how many changes are new, and opens an event without losing the place in the stream. Every link and form works without it. */

const main = document.getElementById('main');
const stream = document.getElementById('stream');

for (const button of document.querySelectorAll('button.print')) {
  button.hidden = false;
  button.addEventListener('click', () => window.print());
}

/** The same page at another address, without running or loading anything of it. */
async function pageAt(address) {
  const response = await fetch(address, { headers: { accept: 'text/html' } });
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

/** The view that the page shows, which going back changes. */
let shown = location.search;

const copied = (node) => document.importNode(node, true);

/* The header: how long ago the log was read. */

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
  link.textContent = at === null ? text : `${text}, log read `;
  if (at === null) return;
  const age = document.createElement('span');
  age.dataset.since = String(at);
  link.append(age, ' ago');
  showAge();
}

setInterval(showAge, 5000);

/* The stream: what is new since it was read. */

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
  const open = new URLSearchParams(location.search);
  const target = new URL(address);
  for (const name of ['open', 'show']) if (open.has(name)) target.searchParams.set(name, open.get(name));
  const known = new Set([...stream.querySelectorAll('a.open')].map(({ id }) => id));
  const page = await pageAt(target);
  stream.replaceChildren(...[...page.getElementById('stream').childNodes].map(copied));
  for (const row of stream.querySelectorAll('li.event')) {
    row.classList.toggle(
      'is-new',
      [...row.querySelectorAll('a.open')].some(({ id }) => !known.has(id)),
    );
  }
  history.replaceState(null, '', target);
  shown = location.search;
  waiting = 0;
  window.scrollTo({ top: 0 });
  stream.querySelector('a.open')?.focus({ preventScroll: true });
}

if (main?.dataset.live) {
  const source = new EventSource(main.dataset.live);
  source.addEventListener('changes', ({ data }) => {
    waiting += JSON.parse(data).count;
    showWaiting();
  });
  source.addEventListener('status', ({ data }) => showStatus(JSON.parse(data)));
  window.addEventListener('pagehide', () => source.close());
}

/* One event beside the stream. */

const isWide = () => matchMedia('(min-width: 1100px)').matches;

async function showEvent(address, focus) {
  const page = await pageAt(address);
  const [aside, next] = [document.getElementById('event'), page.getElementById('event')];
  aside.replaceChildren(...[...next.childNodes].map(copied));
  document.body.className = page.body.className;
  const open = new URL(address, location.href).searchParams.get('open');
  for (const link of stream.querySelectorAll('a.open[aria-current]')) link.removeAttribute('aria-current');
  document.getElementById(`e-${open}`)?.setAttribute('aria-current', 'true');
  for (const row of stream.querySelectorAll('li.event')) {
    row.classList.toggle('is-open', row.querySelector('[aria-current]') !== null);
  }
  if (focus === 'event') document.getElementById('event-title')?.focus({ preventScroll: true });
  if (focus === 'tab') aside.querySelector('.tabs [aria-current]')?.focus({ preventScroll: true });
  if (focus === 'row') document.getElementById(`e-${focused}`)?.focus();
}

let focused = '';

document.addEventListener('click', (press) => {
  if (press.ctrlKey || press.metaKey || press.shiftKey || press.button !== 0 || !stream) return;
  const link = press.target.closest?.('a.open, .tabs a, .close a');
  if (!link || (!isWide() && !link.closest('.tabs'))) return;
  press.preventDefault();
  const kind = link.matches('a.open') ? 'event' : link.closest('.tabs') ? 'tab' : 'row';
  focused = new URLSearchParams(location.search).get('open') ?? '';
  history.pushState(null, '', link.href);
  shown = location.search;
  showEvent(link.href, kind).catch(() => location.assign(link.href));
});

// A link within the page, such as the one that skips to the content, comes here too.
window.addEventListener('popstate', () => {
  if (location.search !== shown) location.reload();
});

/* Keys: up and down go from change to change, Escape closes the open event. */

document.addEventListener('keydown', (key) => {
  if (key.ctrlKey || key.metaKey || key.altKey) return;
  if (key.key === 'Escape') document.querySelector('.close a')?.click();
  if (key.key !== 'ArrowDown' && key.key !== 'ArrowUp') return;
  const rows = [...document.querySelectorAll('a.open')];
  const at = rows.indexOf(document.activeElement);
  if (at < 0) return;
  key.preventDefault();
  rows[at + (key.key === 'ArrowDown' ? 1 : -1)]?.focus();
});

/* The filters: a choice counts at once. */

document.getElementById('filters')?.addEventListener('change', ({ target }) => {
  if (target.matches('select, input[type="checkbox"]')) target.form.requestSubmit();
});
