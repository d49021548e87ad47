/* The script of all views. Every link and form works without it. */

import './changes.js';
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
