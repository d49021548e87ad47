import type { Instant } from '../../../lambdas/clock/instant.ts';
import { cleanLine, cutAtWord } from '../../../lambdas/messages/clean-text.ts';
import { ratingWord } from '../../../lambdas/messages/rating-words.ts';
import type { EntityStatus } from '../../../lambdas/subscriptions/entity-history.ts';
import { type Html, html } from './html.ts';
import type { LocalTimes } from './local-times.ts';
import type { PanelHistory, Track } from './panel-history.ts';

/** Rows of the picture; the table has every entity. */
export const MOST_TRACKS = 24;

const WIDTH = 960;
const LEFT = 134;
const RIGHT = 948;
const TOP = 74;
const ROW = 24;
/** A rating is a bar of its own height, so that it is known without its colour. */
const heights: Readonly<Record<EntityStatus, number>> = {
  green: 16,
  amber: 12,
  red: 8,
  none: 4,
  unknown: 4,
  absent: 0,
};

/** The milestones of a panel and the ratings of the entities that changed last, over time. */
export function timelinePicture(
  { first, last, milestones, versions, tracks }: PanelHistory,
  times: LocalTimes,
  now: Instant,
): Html {
  const end = now > last ? now : last + 1n;
  const span = Number(end - first) || 1;
  const x = (at: Instant): number => round(LEFT + (Number(at - first) / span) * (RIGHT - LEFT));
  const shown = tracks.slice(0, MOST_TRACKS);
  const bottom = TOP + shown.length * ROW;
  const height = bottom + 26;
  return html`<svg class="timeline" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="timeline-title timeline-text">
<title id="timeline-title">Versions and ratings over time</title>
<desc id="timeline-text">The table below says the same in words.</desc>
${ticksOf(first, end).map(
  (at) =>
    html`<line class="grid" x1="${x(at)}" x2="${x(at)}" y1="${TOP - 6}" y2="${bottom}"/><text class="axis" x="${x(at)}" y="${bottom + 17}" text-anchor="middle">${times.shortDay(times.day(Number(at / 1000n)))}</text>`,
)}
<text class="name" x="0" y="34">Versions</text>
<line class="rail" x1="${LEFT}" x2="${RIGHT}" y1="30" y2="30"/>
${versions.map(({ at, version }) => html`<line class="minor" x1="${x(at)}" x2="${x(at)}" y1="26" y2="34"><title>version ${version}</title></line>`)}
${flagsOf(milestones, x).map(
  ({ at, label, above, kind, text }) =>
    html`<g class="milestone"><line x1="${at}" x2="${at}" y1="${above ? 16 : 30}" y2="${above ? 30 : 44}"/><circle class="${kind === 'promoted' ? 'promoted' : 'other'}" cx="${at}" cy="30" r="5"><title>${text}</title></circle>${label === null ? '' : html`<text x="${at}" y="${above ? 12 : 56}" text-anchor="${at > RIGHT - 60 ? 'end' : at < LEFT + 30 ? 'start' : 'middle'}">${label}</text>`}</g>`,
)}
${shown.map((track, index) => trackView(track, TOP + index * ROW, { x, end, times }))}
</svg>`;
}

interface Scale {
  readonly x: (at: Instant) => number;
  readonly end: Instant;
  readonly times: LocalTimes;
}

function trackView({ entity, before, steps }: Track, top: number, { x, end, times }: Scale): Html {
  const middle = top + ROW / 2;
  const start =
    before === 'absent' || before === 'unknown' ? [] : [{ from: LEFT, status: before, since: null }];
  const parts = [...start, ...steps.map(({ at, status }) => ({ from: x(at), status, since: at }))];
  return html`<g><text class="name" x="0" y="${middle + 4}">${cutAtWord(cleanLine(entity.name), 15)}</text>${parts.map(
    ({ from, status, since }, index) => {
      const to = parts[index + 1]?.from ?? x(end);
      const width = round(Math.max(to - from, 3));
      const size = heights[status];
      const word =
        status === 'absent' ? 'not on the panel' : status === 'unknown' ? 'unknown' : ratingWord(status);
      if (size === 0)
        return html`<line class="gone" x1="${from}" x2="${round(from + width)}" y1="${middle}" y2="${middle}"><title>${word}</title></line>`;
      const when = since === null ? 'before' : `from ${times.shortDay(times.day(Number(since / 1000n)))}`;
      return html`<rect class="bar ${status}" x="${from}" y="${middle - size / 2}" width="${width}" height="${size}" rx="2"><title>${word} ${when}</title></rect>${width > 52 && size > 8 ? html`<text class="word ${status}" x="${from + 7}" y="${middle + 4}">${word}</text>` : ''}`;
    },
  )}</g>`;
}

interface Flag {
  readonly at: number;
  /** Null where there is no room. */
  readonly label: string | null;
  readonly above: boolean;
  readonly kind: string;
  readonly text: string;
}

/** Milestones on the rail: versions above it, everything else below, each labelled where its neighbour leaves room. */
function flagsOf(milestones: PanelHistory['milestones'], x: (at: Instant) => number): readonly Flag[] {
  const ends = { above: Number.POSITIVE_INFINITY, below: Number.POSITIVE_INFINITY };
  // From the newest: the label that has no room is the older one.
  return milestones
    .toReversed()
    .map(({ at, kind, version }): Flag => {
      const place = x(at);
      const above = kind === 'promoted';
      const label = above ? version : kind;
      const side = above ? 'above' : 'below';
      const room = label.length * 7.2 + 12;
      const fits = ends[side] - place > room;
      if (fits) ends[side] = place;
      return {
        at: place,
        label: fits ? label : null,
        above,
        kind,
        text: `${kind}${version ? `, version ${version}` : ''}`,
      };
    })
    .toReversed();
}

/** Five times over a span. */
function ticksOf(first: Instant, end: Instant): readonly Instant[] {
  const step = (end - first) / 5n;
  return [1n, 2n, 3n, 4n].map((index) => first + step * index);
}

const round = (value: number): number => Math.round(value * 10) / 10;
