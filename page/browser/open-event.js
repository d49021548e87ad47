/* One change beside the stream. */

import { copiesOf, noteShown, pageAt } from './fetched.js';

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
export async function showEvent(link, focus) {
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
