import { type EventKindName, eventKinds, kindOf } from '../lambdas/events/kinds.ts';
import { createOrdering } from '../lambdas/events/order.ts';
import type { Entity, EventPanel, PanelEvent } from '../lambdas/events/schemas.ts';
import { type EntityStatus, statusesOf } from '../lambdas/filters/entity-history.ts';
import { earlier, type Instant, later, parseInstant } from '../lambdas/run/instant.ts';
import type { History } from '../lambdas/store/history/history.ts';
import { cleanLine } from '../lambdas/words/clean-text.ts';
import { ratingWord } from '../lambdas/words/phrase.ts';
import { type Html, html, type LocalTimes } from './html.ts';

interface Step {
  readonly at: Instant;
  readonly status: EntityStatus;
  readonly version: string | null;
  readonly actor: string | null;
}

/** The statuses of one entity on the panel, oldest first. */
export interface Track {
  entity: Entity;
  /** Its state before the first step. */
  readonly before: EntityStatus;
  readonly steps: Step[];
}

/** The timeline of one panel. */
export type PanelHistory = NonNullable<Awaited<ReturnType<typeof readPanelHistory>>>;

/**
 * Reads the timeline of a panel; null where the history has no event of it.
 * @throws {HistoryError} when the history cannot be read
 */
export async function readPanelHistory(
  history: Pick<History, 'findWithoutRows'>,
  catalogue: string,
  id: number,
) {
  const tracks = new Map<string, Track>();
  const milestones: Milestone[] = [];
  const versions: { at: Instant; version: string }[] = [];
  let panel: EventPanel | null = null;
  let [first, last, events]: [Instant | null, Instant, number] = [null, 0n, 0];
  const ordering = createOrdering((event) => {
    const at = parseInstant(event.time);
    if (at === null || event.data.panel === null) return;
    events++;
    first = earlier(first ?? at, at);
    last = later(last, at);
    panel = event.data.panel;
    const version = cleanLine(panel.version ?? '');
    if (version !== '' && versions.at(-1)?.version !== version) versions.push({ at, version });
    const milestone = milestoneOf(event, at, version);
    if (milestone) milestones.push(milestone);
    follow(tracks, event, at);
  });
  const query = { catalogue, filter: { panels: [id] }, order: 'oldest' } as const;
  for await (const event of history.findWithoutRows(query)) ordering.add(event);
  ordering.finish();
  if (panel === null || first === null) return null;
  const rated = [...tracks.values()].filter(({ steps }) => steps.length > 0);
  return {
    /** As the newest event states it. */
    panel: panel as EventPanel,
    first: first as Instant,
    ...{ last, events, milestones },
    /** The versions and when each was first seen, oldest first. */
    versions,
    /** The entity that changed last comes first. */
    tracks: rated.sort((one, other) => Number((other.steps.at(-1)?.at ?? 0n) - (one.steps.at(-1)?.at ?? 0n))),
  };
}

function follow(tracks: Map<string, Track>, event: PanelEvent, at: Instant): void {
  const { entity, panel, actor } = event.data;
  if (entity === null) return;
  if (event.type === 'gene-panel.entity.renamed.v1') {
    const { from, to } = event.data.change;
    const known = tracks.get(`${entity.type} ${from}`);
    if (!known) return;
    tracks.delete(`${entity.type} ${from}`);
    known.entity = { ...entity, name: to };
    tracks.set(`${entity.type} ${to}`, known);
    return;
  }
  const key = `${entity.type} ${entity.name}`;
  const known = tracks.get(key);
  const now = known?.steps.at(-1)?.status ?? known?.before;
  const shown = statusesOf(event, now);
  const status = shown.at(-1);
  if (status === undefined) return;
  const track = known ?? { entity, before: shown[0] ?? status, steps: [] };
  tracks.set(key, track);
  const last = track.steps.at(-1);
  if (status === last?.status) return;
  // An added entity gives two events of one time, of which one may not state the rating.
  if (status === 'unknown' && (last ? last.at === at : track.before === 'unknown')) return;
  if (last?.at === at) track.steps.pop();
  track.steps.push({ at, status, version: panel?.version ?? null, actor });
}

/** What can happen to a panel itself, and whether people can see the panel afterwards; null where that stays as it was. */
const milestoneKinds = {
  promoted: null,
  'signed off': null,
  'sign-off withdrawn': null,
  created: true,
  public: true,
  'no longer public': false,
  deleted: false,
} as const;

/** Something that happened to the panel itself. */
export interface Milestone {
  readonly at: Instant;
  readonly kind: keyof typeof milestoneKinds;
  /** The version that was promoted, signed off or created; empty where unknown. */
  readonly version: string;
  readonly id: string;
}

/** The milestone that an event is, where it happened at `at` and left its panel at `version`; null where it is none. */
function milestoneOf(event: PanelEvent, at: Instant, version: string): Milestone | null {
  if (!isAboutPanel(event)) return null;
  const of = (kind: Milestone['kind'], about = version): Milestone => ({
    at,
    kind,
    version: about,
    id: event.id,
  });
  switch (event.type) {
    case 'gene-panel.panel.promoted.v1':
      return of('promoted', cleanLine(event.data.change.version));
    case 'gene-panel.panel.signed-off.v1': {
      // The version after saving is hardly ever the one that was signed off.
      const { signedOff, signedOffVersion, previousSignedOffVersion } = event.data.change;
      return signedOff
        ? of('signed off', cleanLine(signedOffVersion ?? ''))
        : of('sign-off withdrawn', cleanLine(previousSignedOffVersion ?? ''));
    }
    case 'gene-panel.panel.created.v1':
      return of('created');
    case 'gene-panel.panel.published.v1':
      return of('public');
    case 'gene-panel.panel.withdrawn.v1':
      return of('no longer public');
    case 'gene-panel.panel.deleted.v1':
      return of('deleted');
    case 'gene-panel.panel.changed.v1':
      return null;
    default:
      return event satisfies never;
  }
}

/** The milestone since which people cannot see the panel; null where they can, as far as the milestones say. */
export function goneSince(milestones: readonly Milestone[]): Milestone | null {
  const last = milestones.findLast(({ kind }) => milestoneKinds[kind] !== null);
  return last !== undefined && milestoneKinds[last.kind] === false ? last : null;
}

type KindAboutPanel = {
  [K in EventKindName]: (typeof eventKinds)[K]['about'] extends 'panel' ? K : never;
}[EventKindName];

function isAboutPanel(event: PanelEvent): event is PanelEvent<KindAboutPanel> {
  const kind = kindOf(event.type);
  return kind !== undefined && eventKinds[kind].about === 'panel';
}

/** Rows of the picture; the table has every entity. */
export const MOST_TRACKS = 24;

/** Pixels that the time has beside the names, at least, on a desk and on a phone; labels are placed for both. */
const WIDE = 560;
const NARROW = 200;

const ROW = 24;
/** A rating is a bar of its own height, so that it is known without its colour. */
const heights: Readonly<Record<EntityStatus, number>> = {
  green: 18,
  amber: 14,
  red: 7,
  none: 3,
  unknown: 3,
  absent: 0,
};

/**
 * The milestones of a panel and the ratings of the entities that changed last, over time. Every place is a part of the
 * width, so that the picture fits a phone and a wide screen.
 */
export function timelinePicture(
  { first, last, milestones, versions, tracks }: PanelHistory,
  times: LocalTimes,
  now: Instant,
): Html {
  const end = now > last ? now : last + 1n;
  const scale: Scale = {
    x: (at) => Math.round((Number(at - first) / Number(end - first)) * 10_000) / 100,
    times,
    grid: html`${ticks.map((at) => html`<line class="grid" x1="${at}%" x2="${at}%" y1="0" y2="100%"/>`)}`,
  };
  const dayAt = (part: number): string => {
    const at = first + ((end - first) * BigInt(part)) / 100n;
    return times.day(at);
  };
  const axis = html`${ticks.map(
    (at, index) =>
      html`<text class="axis${index % 2 === 0 ? ' wide' : ''}" x="${at}%" y="15" text-anchor="middle">${dayAt(at)}</text>`,
  )}`;
  return html`<div class="timeline" role="img" aria-label="Versions and ratings over time; the tables below say the same in words.">
${lineView(
  'Versions',
  62,
  html`${scale.grid}<line class="rail" x1="0" x2="100%" y1="30" y2="30"/>
${versions.map(({ at, version }) => html`<line class="minor" x1="${scale.x(at)}%" x2="${scale.x(at)}%" y1="26" y2="34"><title>version ${version}</title></line>`)}
${flagsView(milestones, scale.x)}`,
)}
${shownTracks(tracks).map((track) => trackView(track, scale))}
${lineView('', 20, axis)}
</div>`;
}

/** Entities that are or were green first, then the others; within each, the last change first. */
function shownTracks(tracks: readonly Track[]): readonly Track[] {
  const isGreen = ({ before, steps }: Track): boolean =>
    before === 'green' || steps.some(({ status }) => status === 'green');
  return [...tracks.filter(isGreen), ...tracks.filter((track) => !isGreen(track))].slice(0, MOST_TRACKS);
}

interface Scale {
  /** Where a time lies, in percent of the width. */
  readonly x: (at: Instant) => number;
  readonly times: LocalTimes;
  readonly grid: Html;
}

/** Where the days are written, in percent of the width. */
const ticks = [20, 40, 60, 80] as const;

function lineView(name: string, height: number, drawing: Html): Html {
  return html`<div class="line"><span class="name">${name}</span><svg height="${height}" focusable="false">${drawing}</svg></div>`;
}

function trackView({ entity, before, steps }: Track, { x, times, grid }: Scale): Html {
  const start = before === 'absent' || before === 'unknown' ? [] : [{ from: 0, status: before, since: null }];
  const parts = [...start, ...steps.map(({ at, status }) => ({ from: x(at), status, since: at }))];
  const bars = parts.map(({ from, status, since }, index) => {
    const width = Math.max(Math.round(((parts[index + 1]?.from ?? 100) - from) * 100) / 100, 0.4);
    const size = heights[status];
    const word =
      status === 'absent' ? 'not on the panel' : status === 'unknown' ? 'unknown' : ratingWord(status);
    if (size === 0) {
      return html`<line class="gone" x1="${from}%" x2="${from + width}%" y1="${ROW / 2}" y2="${ROW / 2}"><title>${word}</title></line>`;
    }
    const when = since === null ? 'before' : `from ${times.day(since)}`;
    const room = size > 10 && (width / 100) * NARROW > 46 ? '' : ' wide';
    const label =
      size > 10 && (width / 100) * WIDE > 46
        ? html`<text class="word ${status}${room}" x="${from}%" dx="6" y="${ROW / 2 + 4}">${word}</text>`
        : '';
    return html`<rect class="bar ${status}" x="${from}%" y="${(ROW - size) / 2}" width="${width}%" height="${size}" rx="2"><title>${word} ${when}</title></rect>${label}`;
  });
  return lineView(cleanLine(entity.name, 40), ROW, html`${grid}${bars}`);
}

/** Where the letters of a label lie, in pixels of a picture that is so wide. */
function extentOf(at: number, label: string, width: number): readonly [left: number, right: number] {
  const [centre, size] = [(at / 100) * width, label.length * 7.5];
  const left = { start: centre, middle: centre - size / 2, end: centre - size }[anchorOf(at)];
  return [left, left + size];
}

const anchorOf = (at: number) => (at > 85 ? 'end' : at < 15 ? 'start' : 'middle');

const LABEL_GAP = 8;

/** Milestones on the rail: versions above it, everything else below, each labelled where its neighbours leave room. */
function flagsView(milestones: PanelHistory['milestones'], x: (at: Instant) => number): readonly Html[] {
  // The left end of the last label that was placed, by side and width.
  const taken = new Map<string, number>();
  /** Takes the room for a label, where there is some. */
  const fits = (side: string, at: number, label: string, width: number): boolean => {
    const [left, right] = extentOf(at, label, width);
    const key = `${side} ${width}`;
    if (right + LABEL_GAP > (taken.get(key) ?? Number.POSITIVE_INFINITY)) return false;
    taken.set(key, left);
    return true;
  };
  const flagOf = ({ at: time, kind, version }: Milestone): Html => {
    const at = x(time);
    const above = kind === 'promoted';
    const label = above ? cleanLine(version, 12) : kind;
    const side = above ? 'above' : 'below';
    const fitsWide = fits(side, at, label, WIDE);
    // A phone may have no room for the label.
    const fitsNarrow = fitsWide && fits(side, at, label, NARROW);
    const words = fitsWide
      ? html`<text class="${fitsNarrow ? '' : 'wide'}" x="${at}%" y="${above ? 12 : 56}" text-anchor="${anchorOf(at)}">${label}</text>`
      : '';
    return html`<g class="milestone"><line x1="${at}%" x2="${at}%" y1="${above ? 16 : 30}" y2="${above ? 30 : 44}"/><circle class="${above ? 'promoted' : 'other'}" cx="${at}%" cy="30" r="5"><title>${kind}${version ? `, version ${version}` : ''}</title></circle>${words}</g>`;
  };
  // From the newest: the label that has no room is the older one.
  return milestones.toReversed().map(flagOf).toReversed();
}
