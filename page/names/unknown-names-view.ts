import { type Html, html } from '../frame/html.ts';
import type { UnknownName } from './unknown-names.ts';

/**
 * A notice about names that nothing has, with those that they may misspell.
 * @param addressWith the address of the same view with one value in place of the unknown one
 */
export function unknownNamesView<Part extends string>(
  unknown: readonly (Omit<UnknownName, 'filter'> & { readonly filter: Part })[],
  addressWith: (of: { readonly filter: Part; readonly value: string }, value: string) => string,
): Html {
  return html`${unknown.map(
    (name) => html`<div class="notice unknown" role="alert"><h2>${name.sentence}</h2>
${
  name.offers.length === 0
    ? html`<p>So this view says nothing about it. Check the spelling, or type a part of the name.</p>`
    : html`<p>Did you mean:</p><ul>${name.offers.map(
        ({ value, label, note }) =>
          html`<li><a href="${addressWith(name, value)}">${label}</a>${note === '' ? '' : html` <span class="fine">${note}</span>`}</li>`,
      )}</ul>`
}</div>`,
  )}`;
}
