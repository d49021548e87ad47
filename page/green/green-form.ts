import { type Html, html } from '../frame/html.ts';
import { nameField } from '../names/name-field.ts';
import type { PageNames } from '../names/page-names.ts';
import { type GreenQuery, greenParameters } from './green-query.ts';

/** The form of the list of greens, with a link to remove each panel and code that is set. */
export function greenForm(query: GreenQuery, names: PageNames): Html {
  const { from, to, values, signedOff } = query;
  const chips = (['panel', 'r-code'] as const).flatMap((name) =>
    values[name].map((value) => {
      const rest = values[name].filter((each) => each !== value);
      const address = `/green?${greenParameters({ ...query, values: { ...values, [name]: rest } })}`;
      return html`<li><a href="${address}">${name === 'panel' ? 'Panel' : 'R code'}: <b>${names.labelOf(name, value)}</b><span class="unseen">; remove it</span> <span aria-hidden="true">×</span></a></li>`;
    }),
  );
  return html`<form action="/green" method="get" class="inline">
<div class="field"><label for="g-from">From</label><input id="g-from" name="from" type="date" value="${from}"></div>
<div class="field"><label for="g-to">To, this day included</label><input id="g-to" name="to" type="date" value="${to}"></div>
${nameField({ name: 'r-code', label: 'R codes', given: values['r-code'], prefix: 'g' })}
${nameField({ name: 'panel', label: 'Panel', given: values.panel, prefix: 'g' })}
<label class="choice"><input type="checkbox" name="panel-type" value="gms-signed-off"${signedOff ? html` checked` : ''}> <span>only panels with a signed-off version</span></label>
<p class="buttons"><button>Show</button> <a href="/green.csv?${greenParameters(query)}">CSV</a> <button type="button" class="copy" hidden>Copy address</button> <button type="button" class="print" hidden>Print</button> <span id="copied" role="status"></span></p>
</form>
${chips.length === 0 ? '' : html`<ul class="chips" aria-label="Filters that are set">${chips}</ul>`}`;
}
