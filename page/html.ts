import { html as template } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Rating } from '../lambdas/events/changes.ts';
import type { EntityStatus } from '../lambdas/filters/entity-history.ts';
import { aheadOfUtc, type Instant, instantOf, millisecondsOf } from '../lambdas/run/instant.ts';
import { joiners, unprintableBut } from '../lambdas/run/text.ts';
import { statusWord } from '../lambdas/words/change-csv.ts';
import { ratingColours } from '../lambdas/words/html-page.ts';
import type { Block } from '../lambdas/words/notice.ts';
import { type Phrase, type PieceRenderers, ratingWord, renderPhrase } from '../lambdas/words/phrase.ts';

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

/** The beginning of every page, up to where its head ends or a script is named. */
export const headOf = (title: string): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Gene panel changes</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page.css">
`;

function visible(value: Value): Value {
  if (typeof value === 'string') return value.replace(unseen, '\ufffd');
  return Array.isArray(value) ? value.map(visible) : value;
}

const unseen = unprintableBut(`\t\n${joiners}`);

/** The R codes after a panel's name, from ` (R208)`. */
export const codesView = (codes: string): Html =>
  codes === '' ? html`` : html` <span class="codes">${codes.trim().slice(1, -1)}</span>`;

/** A time in ISO 8601, in milliseconds since the epoch, or as an instant. */
type Time = string | number | Instant;

/** Days and times in the time zone of the reader. */
export type LocalTimes = ReturnType<typeof localTimes>;

/** When a page is made, and how its times are written. */
export interface Moment {
  readonly times: LocalTimes;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** @throws {RangeError} when `zone` is not a time zone */
export function localTimes(zone: string) {
  const format = (options: Intl.DateTimeFormatOptions, of = zone) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: of, ...options });
  const parts = format({ year: 'numeric', month: '2-digit', day: '2-digit' });
  const hour = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const ahead = aheadOfUtc(zone);
  const long = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }, 'UTC');
  const short = format({ day: 'numeric', month: 'short', year: 'numeric' }, 'UTC');
  const dateOf = (time: Time): Date => new Date(typeof time === 'bigint' ? millisecondsOf(time) : time);
  const iso = (time: Time): string => parts.format(dateOf(time)).split('/').reverse().join('-');
  const shortDay = (of: string): string => short.format(new Date(`${of}T00:00:00Z`));
  const day = (time: Time): string => shortDay(iso(time));
  const clock = (time: Time): string => hour.format(dateOf(time));
  return {
    /** Such as `Europe/London`. */
    zone,
    /** `2026-11-21`, the day of a time. */
    iso,
    /** `09:14`. */
    clock,
    /** `Saturday 21 November 2026`. */
    longDay: (of: string) => long.format(new Date(`${of}T00:00:00Z`)).replace(',', ''),
    /** `21 Nov 2026`. */
    shortDay,
    /** `21 Nov 2026`, the day of a time. */
    day,
    /** `21 Nov 2026, 09:14`. */
    moment: (time: Time) => `${day(time)}, ${clock(time)}`,
    /** The instant at which the day begins that is `later` days after `day`. */
    startOf(of: string, later = 0) {
      const utc = Date.parse(`${of}T00:00:00Z`) + later * DAY_MS;
      // The offset at the guess may differ from that at the day's beginning, on the night when clocks change.
      const guess = utc - ahead(utc);
      return instantOf(utc - ahead(guess));
    },
  };
}

const DAY_MS = 86_400_000;

/** `40 s`, `5 min`, `3 h`, `2 days`, `3 years`. */
export function durationWords(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  const days = Math.round(seconds / 86_400);
  return days < 730 ? `${days} days` : `${Math.floor(days / 365.25)} years`;
}

const ratingNames: ReadonlySet<string> = new Set(['green', 'amber', 'red', 'none']);

const ratingOf = (status: EntityStatus | null): Rating | null =>
  status !== null && ratingNames.has(status) ? (status as Rating) : null;

/** A rating by its word, in its colour, with a symbol whose shape differs too. */
export function ratingView(rating: EntityStatus | null): Html {
  if (rating === 'absent') return html`<span class="rating absent">${statusWord(rating)}</span>`;
  const name = ratingOf(rating);
  return html`<span class="rating ${name ?? 'unknown'}">${ratingWord(name)}</span>`;
}

/** The words of a phrase, each rating as `ratingView` shows it. */
export const phraseView = (phrase: Phrase): Html => html`${renderPhrase(phrase, pieces)}`;

const pieces: PieceRenderers<string | Html> = {
  text: ({ text }) => withArrow(text),
  rating: ({ rating }) => ratingView(rating),
  name: ({ text }) => text,
  // An address of the page itself begins with a slash.
  link: ({ text, address }) =>
    address.startsWith('/')
      ? html`<a href="${address}">${text}</a>`
      : html`<a href="${address}" rel="noreferrer" target="_blank">${text}</a>`,
};

/** An arrow is read aloud as "to". */
function withArrow(text: string): string | Html {
  const [first = '', ...others] = text.split(' → ');
  if (others.length === 0) return text;
  return html`${first}${others.map((part) => html`${arrow}${part}`)}`;
}

const arrow = html` <span class="arrow" aria-hidden="true">→</span><span class="unseen"> to </span> `;

/** One block of a notice below its title; the words are those of every message about the event. */
export function blockView(block: Block): Html {
  switch (block.kind) {
    case 'change':
      return html``;
    case 'place':
      return html`${[block.text, block.below ?? []]
        .filter((line) => line.length > 0)
        .map((line) => html`<p class="place">${phraseView(line)}</p>`)}`;
    case 'byline':
      return html`<p class="byline">${phraseView(block.text)}</p>`;
    case 'text':
      return html`<p>${phraseView(block.text)}</p>`;
    case 'quote':
      return html`<blockquote>${linesView(block.text)}</blockquote>`;
    case 'facts':
      return html`<dl class="known">${block.facts.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${phraseView(value)}</dd></div>`)}</dl>`;
    case 'group':
      return html``;
  }
}

/** A text with its breaks. */
export const linesView = (text: string): Html =>
  html`${text.split('\n').map((line, index) => (index === 0 ? line : html`<br>${line}`))}`;

/** The colours of ratings as variables of CSS, in light and dark: `--green-text: #14532d; --green-ground: …`. */
export const ratingVariables = (): string =>
  `:root { ${of('light')} }\n@media (prefers-color-scheme: dark) { :root { ${of('dark')} } }\n`;

const of = (scheme: keyof typeof ratingColours): string =>
  Object.entries(ratingColours[scheme])
    .flatMap(([rating, colours]) =>
      Object.entries(colours).map(([part, colour]) => `--${rating}-${part}: ${colour};`),
    )
    .join(' ');
