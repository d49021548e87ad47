import { entityKey } from '../classifier/correlation/subject.ts';
import { type Compared, comparePanel } from '../differences/compare.ts';
import { type Difference, isFoundBy } from '../differences/difference.ts';
import { eventsOf, isAbout } from '../differences/events-of.ts';
import { stateOneFact } from '../differences/followed-panel.ts';
import type { Rating } from '../events/changes.ts';
import { inOrder, isBeforeVersion, timeOf } from '../events/order.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { createStateFacts } from '../panels/state-facts.ts';
import { type Message, toMessage } from '../publishing/message.ts';
import { instantOf } from '../run/instant.ts';
import type { Learnt } from '../store/known-states.ts';
import { eventsIn } from '../store/store.ts';
import { countIfDue } from './completeness.ts';
import {
  beforeHidden,
  byPanel,
  type ComparedListings,
  eventsSince,
  followedTo,
  type ListedTwice,
} from './differences-of.ts';
import { factsOfSnapshot } from './facts-of-snapshot.ts';
import type { KnownPanel, Snapshot } from './listed.ts';
import { waitForLaterSweep } from './listing-guard.ts';
import { publishFound } from './publish-found.ts';
import type { SweepReport, SweepRun } from './sweep-report.ts';
import { type StoredSweep, type SweepChunk, saveSweep } from './sweep-state.ts';

/** Panels whose events are recorded and published together. */
const CHUNK_PANELS = 20;

/** Publishes the differences that the log does not explain, chunk by chunk, and stores the new listing. */
export async function publishUnexplained(
  all: readonly ListedTwice[],
  { stored: before, listings }: ComparedListings,
  run: SweepRun & { readonly keep: () => Promise<void> },
): Promise<SweepReport> {
  const { name, catalogue, documents, clock, deadline, report } = run;
  const { listedAt } = listings;
  const { found, unexplained, publishedTo } = await explain(all, { stored: before, listings }, run);
  const toPublish = [...unexplained].map(([id, { differences }]) => ({ id, differences }));
  const wait = await waitForLaterSweep(toPublish, { stored: before, listings }, run);
  if (wait) return wait;
  const listed = all.map(({ known }) => known);
  const facts = factsOfSnapshot({ ...withPanels(before.snapshot, listed), listedAt });
  await run.state.saveListing(facts);
  const known = run.states && createStateFacts(run.states);
  let stored: StoredSweep = { ...before, held: undefined };
  let accepted = 0;
  let left = all.length - found.length;
  for (let at = 0; at < found.length; at += CHUNK_PANELS) {
    if (deadline !== undefined && clock.now() >= deadline) return report.end('out-of-time');
    const chunk = found.slice(at, at + CHUNK_PANELS);
    const messages: Message[] = [];
    const panels: KnownPanel[] = [];
    const stateFacts = await known?.of(chunk.map(({ id }) => id));
    for (const { id, known: listed, visibility } of chunk) {
      const explained = unexplained.get(id);
      if (!explained) continue;
      const { differences, expected, followed, followedAll, published } = explained;
      const events = eventsOf(listed.panel, differences, {
        catalogue: { name, url: catalogue.url },
        foundAgainst: before.version,
        at: instantOf(listedAt),
        published,
        facts: facts.panels.get(id)?.facts,
        known: stateFacts,
      });
      messages.push(...events.map((event) => toMessage(event)));
      panels.push({
        ...listed,
        expected,
        readTo: followedAll ? publishedTo : listings.publishedTo,
        events: visibility === 'vanished' ? beforeHidden(followed) : undefined,
      });
    }
    if (messages.length === 0) {
      stored = { ...stored, snapshot: withPanels(stored.snapshot, panels) };
      continue;
    }
    const asOf = listings.publishedTo;
    const pending = { messages, panels, listedAt, asOf, comparedTo: publishedTo };
    await run.keep();
    stored = await saveSweep(documents, { ...stored, pending });
    const sent = await publishRecordedChunk(stored, run, false);
    stored = sent.stored;
    accepted += sent.accepted;
    left += sent.left;
  }
  // The events of a panel that waits are read again.
  const followed = left === 0 ? followedTo({ stored, listings }) : stored;
  const snapshot = { ...followed.snapshot, listedAt };
  const completeness = await countIfDue(before.completeness, snapshot, run);
  report.note({ awaitedPanels: left });
  await saveSweep(documents, { ...followed, snapshot, completeness });
  return report.end(accepted > 0 ? 'published' : 'explained');
}

interface ExplainedPanel extends Unexplained {
  /** The events of the panel since it was listed before. */
  readonly published: readonly PanelEvent[];
}

interface Explained {
  /** The panels whose differences are certain. */
  readonly found: readonly ListedTwice[];
  readonly unexplained: ReadonlyMap<number, ExplainedPanel>;
  /** The version of the poller's position up to which the log explains them. */
  readonly publishedTo: number;
}

/** What the log does not explain. The differences of a panel wait while its rows are searched, or being written. */
async function explain(
  all: readonly ListedTwice[],
  { stored: { snapshot, awaited }, listings }: ComparedListings,
  run: SweepRun,
): Promise<Explained> {
  const later = await run.state.published(listings.publishedTo);
  const meanwhile = byPanel(later);
  const silent = await run.state.silent(all.map(({ id }) => id));
  const unexplained = new Map<number, ExplainedPanel>();
  const busy: string[] = [];
  for (const panel of all) {
    const { id, known } = panel;
    if (awaited?.includes(id)) continue;
    const events = {
      before: eventsSince(snapshot.panels.get(id), listings.events.get(id)),
      meanwhile: (meanwhile.get(id) ?? []).map(({ event }) => event),
      ofStates: (silent.get(id) ?? []).filter(({ data }) => isFoundBy('snapshot', data.change)),
      ofListings: (silent.get(id) ?? []).filter(({ data }) => isFoundBy('listing', data.change)),
    };
    const differences = listings.overtaken.has(id) ? null : unexplainedDifferences(panel, events);
    const published = [...events.before, ...events.meanwhile, ...events.ofStates];
    if (differences) unexplained.set(id, { ...differences, published });
    else busy.push(`${known.panel.name} (${id})`);
  }
  if (busy.length > 0) {
    run.log.info(
      'Rows of panels showed up while they were listed, or new versions; their differences wait for the next sweep',
      {
        panels: busy,
      },
    );
  }
  return {
    found: all.filter(({ id }) => unexplained.has(id)),
    unexplained,
    publishedTo: later.version,
  };
}

interface EventsOfPanel {
  /** Events that were published before the listing was read: it shows where they lead. */
  readonly before: readonly PanelEvent[];
  /** Events of rows that showed up while the listing was read, or after it: it may show where they lead. */
  readonly meanwhile: readonly PanelEvent[];
  /** Events that states of the panel's versions gave. */
  readonly ofStates: readonly PanelEvent[];
  /** Events that listings gave, which the one that was read before contains. */
  readonly ofListings: readonly PanelEvent[];
}

/** What is certain of one panel's differences. */
interface Unexplained extends Compared {
  /** The events that were followed. */
  readonly followed: readonly PanelEvent[];
  /** Whether these are all events of the panel. */
  readonly followedAll: boolean;
}

/**
 * The differences of one panel that the activity log does not explain; null where the log may still explain them, so
 * that they wait for the next sweep.
 */
function unexplainedDifferences(
  { before: shown, after, visibility }: ListedTwice,
  { before, meanwhile, ofStates, ofListings }: EventsOfPanel,
): Unexplained | null {
  // The rows of a panel that appears show up with it, and those of one that vanishes are gone with it.
  const certain =
    visibility === 'vanished'
      ? meanwhile
      : meanwhile.filter(({ data }) => visibility !== 'listed' && data.late);
  const rows = [...before, ...certain];
  // The order of events ends where these lead, although the catalogue went on.
  const overtaking = ofListings.filter(
    (listed) => rows.every(({ id }) => id !== listed.id) && rows.some((row) => isOvertaken(row, listed)),
  );
  const followed = inOrder([...rows, ...overtaking]);
  const byRows = comparePanel({ before: shown, events: followed, after, via: 'listing' });
  const since = ofStates.filter(
    ({ data }) => !isBeforeVersion(data.panel?.version ?? null, shown.facts.version ?? null),
  );
  const byStates = comparePanel({
    before: shown,
    events: inOrder([...followed, ...since]),
    after,
    via: 'listing',
  });
  // An event of a state may be contained in the stored listing already: it explains a difference, and makes none.
  const found = new Set(byRows.differences.map(placeOf));
  const differences = byStates.differences.filter((one) => found.has(placeOf(one)));
  const compared = { ...byRows, differences };
  const followedAll = certain.length === meanwhile.length;
  return followedAll || compared.differences.length === 0 ? { ...compared, followed, followedAll } : null;
}

/** Whether a row that showed up late states a fact of which a listing showed more after it was written. */
const isOvertaken = (row: PanelEvent, listed: PanelEvent): boolean =>
  timeOf(row) < timeOf(listed) && isAbout(row.data.entity, listed) && stateOneFact(row, listed);

const placeOf = ({ kind, entity }: Difference): string =>
  `${kind} ${entity?.type ?? ''} ${entity?.name ?? ''}`;

interface SentChunk {
  readonly stored: StoredSweep;
  /** Events that were published. */
  readonly accepted: number;
  /** Panels of the chunk that have to be compared again. */
  readonly left: number;
}

/** Publishes the recorded chunk, keeps its events, and puts its panels into the stored listing. */
export async function publishRecordedChunk(
  recorded: StoredSweep,
  run: SweepRun,
  isRecovered: boolean,
): Promise<SentChunk> {
  const { documents, state, report } = run;
  if (!recorded.pending) return { stored: recorded, accepted: 0, left: 0 };
  const pending = await withoutOvertaken(recorded.pending, run, isRecovered);
  const left = recorded.pending.panels.length - pending.panels.length;
  // What is published once is what a later run publishes again.
  const stored = left > 0 ? await saveSweep(documents, { ...recorded, pending }) : recorded;
  // A poll that begins now knows what is published.
  await state.learn(knownAfter(pending));
  const published = await publishFound(pending.messages, instantOf(stored.snapshot.listedAt), run);
  report.published(published);
  const snapshot = withPanels(stored.snapshot, pending.panels);
  const saved = await saveSweep(documents, { ...stored, snapshot, pending: null });
  return { stored: saved, accepted: published.length, left };
}

/**
 * A recorded chunk without the panels of which another run published something, or may have done so, before it knew of the chunk: its
 * events start from what was so before, and nothing of the chunk was published yet. These panels are compared again.
 */
async function withoutOvertaken(
  chunk: SweepChunk,
  { state, log }: SweepRun,
  isRecovered: boolean,
): Promise<SweepChunk> {
  const { messages, panels, comparedTo } = chunk;
  const later = byPanel(await state.published(comparedTo));
  const known = await state.silent(panels.map(({ panel }) => panel.id));
  // A proof may have published the same while the chunk lay there.
  const isProven = (id: number): boolean =>
    isRecovered && (known.get(id) ?? []).some(({ data }) => isFoundBy('snapshot', data.change));
  const newer = panels.filter(({ panel: { id } }) => later.has(id) || isProven(id));
  if (newer.length === 0) return chunk;
  const ids = new Set(messages.map(({ id }) => id));
  const isKnown = ({ panel }: KnownPanel): boolean =>
    known.get(panel.id)?.some(({ id }) => ids.has(id)) ?? false;
  const overtaken = new Set(newer.filter((one) => !isKnown(one)).map(({ panel }) => panel.id));
  if (overtaken.size === 0) return chunk;
  log.info(
    'Events of panels may have been published before their recorded differences; these panels are compared again',
    {
      panels: [...overtaken],
    },
  );
  const isLeft = (message: Message): boolean =>
    eventsIn([message]).every(({ data }) => !overtaken.has(data.panel?.id ?? 0));
  return {
    ...chunk,
    messages: messages.filter(isLeft),
    panels: panels.filter(({ panel }) => !overtaken.has(panel.id)),
  };
}

/** A listing with these panels in place of those that it had. */
function withPanels(snapshot: Snapshot, panels: readonly KnownPanel[]): Snapshot {
  const all = new Map(snapshot.panels);
  for (const known of panels) all.set(known.panel.id, known);
  return { ...snapshot, panels: all };
}

interface Found {
  readonly panels: readonly KnownPanel[];
  readonly messages: readonly Message[];
  /** When the listing was read, in milliseconds since the epoch. */
  readonly listedAt: number;
  /** What the poller published after this version of its position is newer than the listing. */
  readonly asOf: number;
}

/** What a listing of some panels shows the poller: the ratings of their regions, their versions, and the silent changes. */
export function knownAfter({ panels, messages, listedAt, asOf }: Found): Learnt {
  const events = eventsIn(messages);
  const removed = events.flatMap((event): [string, null][] => {
    const { panel, entity } = event.data;
    const isRemoval = event.type === 'gene-panel.entity.removed.v1';
    return isRemoval && entity && typeof panel?.id === 'number' ? [[entityKey(panel.id, entity), null]] : [];
  });
  const listed = panels.filter(({ lastListedAt }) => lastListedAt === undefined);
  const rated = listed.flatMap(({ panel, regions, regionsUnread }) =>
    regionsUnread
      ? []
      : regions.map(({ name, rating }): [string, Rating] => [
          entityKey(panel.id, { type: 'region', name }),
          rating,
        ]),
  );
  return {
    origin: 'listing',
    at: instantOf(listedAt),
    asOf,
    ratings: new Map<string, Rating | null>([...removed, ...rated]),
    versions: new Map(listed.map(({ panel }) => [panel.id, panel.version])),
    silent: Map.groupBy(
      events.filter(({ data }) => typeof data.panel?.id === 'number'),
      ({ data }) => data.panel?.id ?? 0,
    ),
  };
}
