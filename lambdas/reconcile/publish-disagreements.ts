import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isDisagreement } from '../events/kinds.ts';
import { isBeforeVersion } from '../events/order.ts';
import type { EventPanel, PanelEvent } from '../events/schemas.ts';
import {
  type CataloguePlace,
  pairsOfCatalogues,
  type ReadPair,
  readPair,
  type SignOffs,
  shownPanels,
  signOffsOf,
} from '../panels/compare-catalogues.ts';
import {
  type DisagreementRecord,
  loadDisagreements,
  loadPair,
  type StoodEntity,
  saveDisagreements,
  savePair,
} from '../panels/disagreement-record.ts';
import { type PanelPair, pairsInFile } from '../panels/panel-pairs.ts';
import type { PanelStateStore } from '../panels/panel-state-store.ts';
import { signedOffAt } from '../panels/signed-off-at.ts';
import type { SignOff, VersionSummary } from '../panels/version-state.ts';
import { aloneAnyway } from '../poll/poll-alone.ts';
import { toMessage } from '../publishing/message.ts';
import { dayOf, formatInstant, type Instant, instantOf, minutes } from '../run/instant.ts';
import type { Log } from '../run/log.ts';
import type { History } from '../store/history/history.ts';
import type { Listing } from '../store/listing.ts';
import { disagreementEvent, foundOf } from './disagreements-of.ts';
import { type FindingRun, publishFound } from './publish-found.ts';

/** One of two catalogues, as a comparison reads it. */
interface ComparedCatalogue {
  readonly name: string;
  readonly states: PanelStateStore;
  /** The panels as they were listed last; null where they never were. */
  listing(): Promise<Listing | null>;
}

/** What publishing the disagreements of a catalogue with another one needs. */
interface DisagreementOptions extends Omit<FindingRun, 'name'> {
  /** The catalogue whose panels the events are about, and its `/api/v1/` URL. */
  readonly here: ComparedCatalogue & { readonly url: string };
  readonly there: ComparedCatalogue;
  /** The content of a file of pairs; null where pairs are found by names, disorders and green genes. */
  readonly pairs: string | null;
  readonly history: Pick<History, 'append' | 'bodiesOf' | 'findWithoutRows' | 'names'>;
  /** Milliseconds since the epoch after which no pair is compared. */
  readonly deadline?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface DisagreementReport {
  /** Events that were published. */
  readonly events: number;
  /** Pairs of panels that belong together, and those of them that this run compared. */
  readonly pairs: number;
  readonly compared: number;
  /** Pairs that are left for the next run: the time was over, or a version of a panel is about to be read. */
  readonly left: number;
  /** What is not compared, and why, in sentences; nothing is concluded about it. */
  readonly notCompared: readonly string[];
}

/** Events of so long before are part of what was compared: what came earlier is in the states, which are read after it. */
const RECENT: Instant = minutes(24 * 60);
/** Every pair is compared again after a day, and pairs are found anew. */
const WHOLE_MS = 24 * 60 * 60 * 1000;

/**
 * Compares the panels of two catalogues that belong together, by what was read of them, and publishes what became green in one alone,
 * or green in both with other modes of inheritance, and what both agree about again. The first comparison of two panels publishes
 * nothing: their disagreements are older than it. Of what was not read, nothing is concluded.
 *
 * @throws {StateError | HistoryError | PublishError} when it cannot go on; the next run finds the same
 * @throws {PairsFileError} when the file of pairs is none
 */
export async function publishDisagreements(run: DisagreementOptions): Promise<DisagreementReport> {
  const { documents, there, clock, deadline = Number.POSITIVE_INFINITY } = run;
  const now = clock.now();
  const stored = await finishPending(await loadDisagreements(documents, there.name), run);
  const listings = [await run.here.listing(), await run.there.listing()] as const;
  const places = placesOf(run, listings, now);
  const summaries = await Promise.all(places.map(shownPanels));
  let { record, events } = {
    ...stored,
    record: {
      ...(await withPairs(stored.record, { summaries, places, now }, run)),
      ...unreadIn(summaries, places, listings),
    },
  };
  const signOffs = await signOffsOf(places);
  const stampOf = stamps({ summaries, signOffs, recent: await recentEvents(now, run) });
  let [compared, left] = [0, 0];
  for (const [index, pair] of record.pairs.entries()) {
    const stamp = stampOf(pair);
    if (pair.stamp === stamp) continue;
    await setImmediate();
    if (clock.now() >= deadline || run.signal?.aborted) {
      left += 1;
      continue;
    }
    const read = await readPair(pair, places, signOffs);
    const unread = 'why' in read ? [] : unreadVersions(read, listings);
    if (unread.length > 0) {
      // The version is read in a while; what the one before it holds may be over.
      left += 1;
      const old = unread.flatMap(({ at, sentence }) => (at < instantOf(now) - RECENT ? sentence : []));
      const why = old.length > 0 ? old.join(' ') : null;
      record = { ...record, pairs: record.pairs.with(index, { ...pair, why }) };
      continue;
    }
    const why = 'why' in read ? read.why : null;
    record = { ...record, pairs: record.pairs.with(index, { ...pair, stamp, why }) };
    if ('why' in read) continue;
    compared += 1;
    const published = await publishPair({ record, pair, read, signOffs, now }, run);
    record = published.record;
    events += published.events;
  }
  // A quiet run writes nothing.
  if (!isDeepStrictEqual(record, stored.record)) await saveDisagreements(documents, there.name, record);
  return { events, pairs: record.pairs.length, compared, left, notCompared: sentencesOf(record) };
}

/** What no pair can be found of: panels that a catalogue lists and that have not been read yet; and a catalogue that is not read any more. */
function unreadIn(
  summaries: Shown['summaries'],
  places: Two<CataloguePlace>,
  listings: Two<Listing | null>,
): Pick<DisagreementRecord, 'unread' | 'notRead'> {
  const found = places.map(({ catalogue, now }, side) => {
    const [read, listing] = [summaries[side] ?? [], listings[side]];
    if (read.length === 0)
      return { unread: [], notRead: [`What the panels of ${catalogue} hold has not been read yet.`] };
    const known = new Set(read.map(({ panelId }) => panelId));
    const unread = [...(listing?.panels ?? [])]
      .filter(([id]) => !known.has(id))
      .map(([id, { name, facts }]) => ({
        ...{ catalogue, id, name, types: [...facts.types] },
        relevantDisorders: [...facts.relevantDisorders],
      }));
    const isOld = listing && listing.readAt < now - RECENT;
    const notRead = isOld
      ? [`What changed in ${catalogue} since ${dayOf(listing.readAt)} was not read.`]
      : [];
    return { unread, notRead };
  });
  return {
    unread: found.flatMap(({ unread }) => unread),
    notRead: found.flatMap(({ notRead }) => notRead),
  };
}

/** What is not compared, in sentences that stay the same while more panels are read. */
const sentencesOf = ({ pairs, unread, notRead }: DisagreementRecord): readonly string[] => [
  ...[...new Set(unread.map(({ catalogue }) => catalogue))].map(
    (catalogue) => `Some panels of ${catalogue} have not been read yet.`,
  ),
  ...notRead,
  ...pairs.flatMap(({ why }) => why ?? []),
];

/** The versions that panels of a pair have by the lists, and that neither a state nor an event leads to. */
function unreadVersions({ panels }: ReadPair, listings: Two<Listing | null>) {
  return panels.flatMap(({ catalogue, summary: { panelId, panelName, version } }, side) => {
    const [listed] = listings[side]?.panels.get(panelId)?.versions ?? [];
    if (!listed || !isBeforeVersion(version, listed.version)) return [];
    const sentence = `${panelName} (${panelId}) of ${catalogue}: version ${listed.version} has not been read yet.`;
    return [{ at: listed.at, sentence }];
  });
}

type Two<Value> = readonly [Value, Value];

function placesOf(
  { here, there, history }: DisagreementOptions,
  listings: Two<Listing | null>,
  now: number,
): Two<CataloguePlace> {
  const placeOf = ({ name, states }: ComparedCatalogue, listed: Listing | null): CataloguePlace => ({
    ...{ catalogue: name, states, history, now: instantOf(now) },
    formerNames: () => [],
    listed: listed && new Set(listed.panels.keys()),
  });
  return [placeOf(here, listings[0]), placeOf(there, listings[1])];
}

interface Shown {
  readonly summaries: readonly (readonly VersionSummary[])[];
  readonly places: Two<CataloguePlace>;
  readonly now: number;
}

/**
 * The record with the pairs of panels as they are now. To find them takes every state, so that they are kept for a day where no panel is
 * new or has another name. After a day, every pair is to be compared again.
 */
async function withPairs(
  record: DisagreementRecord,
  { summaries, places, now }: Shown,
  { here, there, pairs: file, history, log }: DisagreementOptions,
): Promise<DisagreementRecord> {
  const named = summaries.map((panels) =>
    panels.map(({ panelId, panelName, relevantDisorders }) => [panelId, panelName, relevantDisorders]),
  );
  const signature = hash('sha256', JSON.stringify([file, named]), 'hex');
  const isWhole = now - record.wholeAt >= WHOLE_MS;
  if (!isWhole && signature === record.signature) return record;
  const [left = [], right = []] = summaries.map((panels) =>
    panels.map(({ panelId: id, panelName: name }) => ({ id, name })),
  );
  const withFormerNames = async (place: CataloguePlace): Promise<CataloguePlace> => {
    const names = await history.names('panels', place.catalogue);
    return { ...place, formerNames: (id) => names.panel(place.catalogue, id)?.formerly ?? [] };
  };
  const [one, other] = [await withFormerNames(places[0]), await withFormerNames(places[1])];
  const found =
    file === null
      ? (await pairsOfCatalogues(one, other)).pairs.filter(({ sure }) => sure !== 'perhaps')
      : statedPairs(pairsInFile(file, [here.name, there.name], [left, right]), log);
  const before = new Map(record.pairs.map((pair) => [keyOf(pair.panels), pair]));
  const pairs = found.map(({ panels: [one, other], reasons, sure }) => ({
    panels: [one, other] as [typeof one, typeof other],
    reasons: [...reasons],
    sure,
    stamp: isWhole ? '' : (before.get(keyOf([one, other]))?.stamp ?? ''),
    why: before.get(keyOf([one, other]))?.why ?? null,
  }));
  return { ...record, pairs, signature, wholeAt: isWhole ? now : record.wholeAt };
}

function statedPairs({ pairs, unread }: ReturnType<typeof pairsInFile>, log: Log): readonly PanelPair[] {
  if (unread.length > 0)
    log.warn('Panels of the file of pairs were not read; they are not compared', { unread });
  return pairs;
}

const keyOf = ([one, other]: PanelPair['panels']): string => `${one.id} ${other.id}`;

interface Seen extends Pick<Shown, 'summaries'> {
  readonly signOffs: Two<SignOffs>;
  /** The ids of the events of late, by panel. */
  readonly recent: readonly ReadonlyMap<number, readonly string[]>[];
}

/** What the comparison of a pair depends on: the states that were read, what is signed off, and the events of late. */
function stamps({ summaries, signOffs, recent }: Seen): (pair: PanelPair) => string {
  const bySide = summaries.map((panels) => new Map(panels.map((panel) => [panel.panelId, panel])));
  return ({ panels }) => {
    const seen = panels.map(({ id }, side) => {
      const panel = bySide[side]?.get(id);
      if (!panel) return null;
      const { version, sha256, whole } = panel;
      return [version, sha256, whole, signOffs[side]?.get(id)?.length ?? 0, recent[side]?.get(id) ?? []];
    });
    return hash('sha256', JSON.stringify(seen), 'hex').slice(0, 32);
  };
}

/** The events of late, by panel: a row is known before its version is read. */
async function recentEvents(
  now: number,
  { here, there, history }: DisagreementOptions,
): Promise<readonly ReadonlyMap<number, readonly string[]>[]> {
  const of = async ({ name }: ComparedCatalogue): Promise<ReadonlyMap<number, readonly string[]>> => {
    const found = new Map<number, string[]>();
    for await (const event of history.findWithoutRows({ catalogue: name, since: instantOf(now) - RECENT })) {
      const { panel } = event.data;
      if (isDisagreement(event) || typeof panel?.id !== 'number') continue;
      found.set(panel.id, [...(found.get(panel.id) ?? []), event.id]);
    }
    return found;
  };
  return [await of(here), await of(there)];
}

interface ComparedPanels {
  readonly record: DisagreementRecord;
  readonly pair: PanelPair;
  readonly read: ReadPair;
  readonly signOffs: Two<SignOffs>;
  readonly now: number;
}

async function publishPair(
  { record, pair, read, signOffs, now }: ComparedPanels,
  run: DisagreementOptions,
): Promise<{ readonly record: DisagreementRecord; readonly events: number }> {
  const { documents, there, alone = aloneAnyway } = run;
  const ids: [number, number] = [pair.panels[0].id, pair.panels[1].id];
  const before = await loadPair(documents, there.name, ids);
  const { found, changes } = foundOf(before, read);
  if (changes.length === 0) {
    await savePair(documents, there.name, { pair: ids, found });
    return { record, events: 0 };
  }
  const say = await read.describe(
    changes.map(({ difference }) => difference),
    // Since when it is rated so, or is of that mode of inheritance.
    (seen) => ({ ...seen, before: seen.modes ? seen.after : seen.after === 'absent' ? 'amber' : 'absent' }),
  );
  const panel = await panelOf(read.panels[0].summary, signOffs[0].get(ids[0]) ?? [], run);
  const published = changes.map((change): readonly [StoodEntity, PanelEvent] => {
    const event = disagreementEvent({
      ...{ change, sides: say(change.difference), panel, there: read.panels[1].summary },
      ...{ catalogues: run, at: instantOf(now) },
    });
    return [change.entity, event];
  });
  const idOf = new Map(published.map(([entity, { id }]) => [entity, id]));
  const entities = found.entities.map((each) => ({ ...each, event: idOf.get(each) ?? each.event }));
  const messages = published.map(([, event]) => toMessage(event));
  return alone(async () => {
    const pending = { pair: ids, found: { ...found, entities }, messages: [...messages] };
    const saved = await saveDisagreements(documents, there.name, { ...record, pending });
    return finishPending(saved, run);
  });
}

/** Publishes what is recorded, and keeps what was found of its pair. */
async function finishPending(
  record: DisagreementRecord,
  run: DisagreementOptions,
): Promise<{ readonly record: DisagreementRecord; readonly events: number }> {
  const { pending } = record;
  if (!pending) return { record, events: 0 };
  const { documents, history, here, there, clock } = run;
  // After a state was restored, the same change is found again: under its id the history has the body that was published.
  const known = await history.bodiesOf(pending.messages);
  const messages = pending.messages.map((each) => ({ ...each, body: known.get(each.id) ?? each.body }));
  const published = await publishFound(messages, () => instantOf(clock.now()), { ...run, name: here.name });
  await savePair(documents, there.name, pending);
  const saved = await saveDisagreements(documents, there.name, { ...record, pending: null });
  return { record: saved, events: published.length };
}

/** The panel of an event, with the facts that the catalogue lists. */
async function panelOf(
  { panelId: id, panelName: name, version }: VersionSummary,
  signOffs: readonly SignOff[],
  { here, clock }: DisagreementOptions,
): Promise<EventPanel> {
  const listing = await here.listing();
  const listed = listing?.panels.get(id);
  const signOff = signedOffAt(signOffs, instantOf(clock.now()));
  return {
    ...{ id, name: listed?.name ?? name, version },
    ...(listing && listed && { ...listed.facts, factsReadAt: formatInstant(listing.readAt) }),
    ...(signOff && { signedOffVersion: signOff.version, signedOffDate: signOff.date }),
  };
}
