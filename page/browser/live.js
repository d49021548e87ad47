/* How long ago the log was read, and how many changes are new since the page was made. */

import { copiesOf, noteShown, pageAt } from './fetched.js';

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
