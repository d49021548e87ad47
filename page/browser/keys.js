/* Keys: up and down go from change to change, and with a change open they open the next one. Escape closes it. */

import { showEvent } from './open-event.js';

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
