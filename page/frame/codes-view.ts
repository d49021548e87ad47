import { type Html, html } from './html.ts';

/** The R codes after a panel's name, from ` (R208)`. */
export const codesView = (codes: string): Html =>
  codes === '' ? html`` : html` <span class="codes">${codes.trim().slice(1, -1)}</span>`;
