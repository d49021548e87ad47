/* The script of all views. Every link and form works without it. */

import './live.js';
import './open-event.js';
import './keys.js';
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

/* The filters: a choice counts at once. */

document.getElementById('filters')?.addEventListener('change', ({ target }) => {
  if (target.matches('select, input[type="checkbox"]')) target.form.requestSubmit();
});
