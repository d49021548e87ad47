import { html as template } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** Markup whose values are escaped already. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Markup from a template: every text in it is escaped. */
export const html = template;

export const nothing: Html = template``;
