import { html as template } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { joiners, unprintableBut } from '../../lambdas/run/unprintable.ts';

/** Markup whose values are escaped already. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

type Value = string | number | boolean | null | undefined | Html | readonly Value[];

/**
 * Markup from a template. Every text in it is escaped, and what a reader cannot see in it (control characters, marks
 * that turn the direction of writing) becomes U+FFFD, wherever the text came from.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return template(strings, ...values.map(visible));
}

function visible(value: Value): Value {
  if (typeof value === 'string') return value.replace(unseen, '\ufffd');
  return Array.isArray(value) ? value.map(visible) : value;
}

const unseen = unprintableBut(`\t\n${joiners}`);

/** The R codes after a panel's name, from ` (R208)`. */
export const codesView = (codes: string): Html =>
  codes === '' ? html`` : html` <span class="codes">${codes.trim().slice(1, -1)}</span>`;
