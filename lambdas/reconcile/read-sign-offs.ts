import { hash } from 'node:crypto';
import type { Catalogue } from '../catalogue/client.ts';
import { ServiceError } from '../catalogue/http/service-error.ts';
import type { SignedOffPanel } from '../catalogue/schemas.ts';
import { toEvent } from '../events/envelope.ts';
import type { EventPanel, PanelEvent } from '../events/schemas.ts';
import type { PanelStateStore } from '../panels/panel-state-store.ts';
import { signOffFields, statesSignOff } from '../panels/row-sign-offs.ts';
import { compareSignOffs, type SignOffChange } from '../panels/signed-off-at.ts';
import {
  afterSecondReading,
  areMany,
  impossiblePanels,
  isRefused,
  loadSignOffRecord,
  missedByFirst,
  type SignOffRecord,
  saveSignOffRecord,
} from '../panels/trusted-list.ts';
import type { SignOff } from '../panels/version-state.ts';
import { type Message, publishOrQuarantine, toMessage } from '../publishing/message.ts';
import { HOUR_MS } from '../run/clock.ts';
import { formatInstant, type Instant, instantOf } from '../run/instant.ts';
import type { History } from '../store/history/history.ts';
import type { StateStore } from '../store/store.ts';
import type { FindingRun } from './publish-found.ts';

interface SignOffOptions extends Omit<FindingRun, 'alone' | 'onPublished'> {
  readonly catalogue: Pick<Catalogue, 'url' | 'signedOff'>;
  readonly states: Pick<PanelStateStore, 'signOffs' | 'saveSignOffs' | 'versions'>;
  readonly history: Pick<History, 'append' | 'find'>;
  /** Returns the listing of panels, and lets the poller know what is published without a row. */
  readonly state: Pick<StateStore, 'listing' | 'panels' | 'learn'>;
  /** A list in which more of the signed-off panels than this, in percent, changed without a row waits, or is refused. */
  readonly sameChangePercent: number;
  /** Whether a person accepts what the list shows. */
  readonly accept?: boolean;
  /** Reads the log to its end: a sign-off that has a row is published from the log. */
  readonly readLog: (request: null) => Promise<{ readonly complete: boolean }>;
}

/** What a reading of the signed-off versions did. */
export interface SignOffReport {
  /**
   * `not due`: the catalogue is to be asked later; `missing`: it does not serve the list; `failed`: the list could not be read now;
   * `baseline`: read for the first time, so that nothing was published; `read`: compared with what was kept; `refused`: so many
   * panels changed without a row that nothing was published.
   */
  readonly outcome: 'not due' | 'missing' | 'failed' | 'baseline' | 'read' | 'refused';
  /** How many events were published. */
  readonly events: number;
  /** How many panels wait for a second reading, or are not believed. */
  readonly waiting: number;
}

/** The schedule may start a little early. */
const EARLY = HOUR_MS / 2;
/** A list that the catalogue does not serve is asked for ever less often, and once a week in the end. */
const LONGEST_PAUSE = 7 * 24 * HOUR_MS;

/** The catalogue serves no such list, or not to this client. */
const missingConditions: ReadonlySet<string> = new Set(['NOT_FOUND', 'FORBIDDEN']);

/**
 * Reads the list of signed-off versions, publishes what changed and no event states yet, and keeps it. The first reading publishes
 * nothing. What goes back, and what changes on many panels at once, waits for a second reading an hour later; a list that takes
 * back more than a set share is refused. Events are recorded before they are published: a run that dies in between sends the same
 * bytes.
 *
 * @throws {StateError | HistoryError | PublishError} when it cannot go on; the next run does what is left
 */
export async function readSignOffs(run: SignOffOptions): Promise<SignOffReport> {
  const record = await publishPending(await loadSignOffRecord(run.documents), run);
  const { clock, catalogue, log } = run;
  const now = clock.now();
  if (now < record.notBefore) return { outcome: 'not due', events: 0, waiting: record.held.length };
  const listed = await catalogue.signedOff().catch((error: unknown) => failed(error, record, run));
  if ('outcome' in listed) return listed;
  if (!listed.complete) {
    log.warn('The list of signed-off versions was not read whole; the next sweep reads it again');
    return { outcome: 'failed', events: 0, waiting: record.held.length };
  }
  const list = await believedList(listed.items, instantOf(listed.serverTime ?? now), run);
  const { at, impossible } = list;
  const next = { ...record, readAt: now, notBefore: 0, missingSince: null };
  let compared = await compareWithKept(list, run);
  if (record.readAt === 0) {
    const pending = { messages: [], kept: [...compared.kept] };
    const first = { ...next, firstReadAt: now, held: [], pending };
    await publishPending(await saveSignOffRecord(run.documents, first), run);
    return { outcome: 'baseline', events: 0, waiting: impossible };
  }
  if (compared.kept.length > 0) {
    const { complete } = await run.readLog(null);
    if (!complete) return { outcome: 'failed', events: 0, waiting: compared.changes.length };
    compared = await compareWithKept(list, run);
  }
  const unstated = await unstatedChanges(compared.changes, run);
  const uncertainSince = run.accept ? null : record.firstReadAt;
  const missed = uncertainSince === null ? new Set<SignOffChange>() : missedByFirst(unstated, uncertainSince);
  const changes = unstated.filter((change) => !missed.has(change));
  const active = compared.stored.filter(({ removedAt }) => removedAt === null);
  const signedOff = new Set(active.map(({ panelId }) => panelId)).size;
  const examined = { changes, impossible, signedOff, percent: run.sameChangePercent };
  if (isRefused(examined) && !run.accept) {
    log.error(
      'The list of signed-off versions takes back the sign-offs of many panels without a row; nothing is published until it is as before, or a person accepts it (poll --only listings --accept)',
      { panels: changes.length + impossible, signedOff },
    );
    await saveSignOffRecord(run.documents, { ...next, readAt: record.readAt, held: [] });
    return { outcome: 'refused', events: 0, waiting: changes.length + impossible };
  }
  const { certain, held } = run.accept
    ? { certain: changes, held: [] }
    : afterSecondReading(examined, { held: record.held, at });
  const waiting = new Set(held.map(({ panelId }) => panelId));
  const kept = compared.kept.filter(({ panelId }) => !waiting.has(panelId));
  const events = await Promise.all(certain.map((change) => eventOf(change, at, run)));
  const isConfirmed = record.firstReadAt !== null && now - record.firstReadAt >= HOUR_MS;
  const recorded = await saveSignOffRecord(run.documents, {
    ...next,
    firstReadAt: missed.size > 0 ? now : isConfirmed ? null : record.firstReadAt,
    held: [...held],
    pending: {
      messages: events.map((event) => toMessage(event)),
      kept: [...kept, ...neverSo(active, missed, list)],
    },
  });
  await publishPending(recorded, run);
  const outcome = waiting.size > 0 && areMany(examined) ? 'refused' : missed.size > 0 ? 'baseline' : 'read';
  return { outcome, events: events.length, waiting: waiting.size + impossible };
}

/** The list without what is not believed. */
interface BelievedList {
  readonly items: readonly SignedOffPanel[];
  readonly at: Instant;
  /** How many panels have an entry that cannot be true. */
  readonly impossible: number;
  /** Whether the list shows what is so of a panel. */
  readonly isCompared: (panelId: number) => boolean;
}

/** Of a panel that is not public, the list shows nothing; of one with an impossible entry, nothing that is believed. */
async function believedList(
  listed: readonly SignedOffPanel[],
  at: Instant,
  run: SignOffOptions,
): Promise<BelievedList> {
  const listing = await run.state.listing();
  const impossible = await impossibleOf({ listed, listing, at }, run);
  if (impossible.size > 0)
    run.log.warn(
      'Entries of the list of signed-off versions have an impossible day or version; they are not used',
      {
        panels: [...impossible].slice(0, MOST_NAMED),
        of: impossible.size,
      },
    );
  const isCompared = (panelId: number): boolean =>
    !impossible.has(panelId) && (!listing || listing.panels.has(panelId));
  return { items: listed.filter(({ id }) => isCompared(id)), at, impossible: impossible.size, isCompared };
}

async function compareWithKept({ items, at, isCompared }: BelievedList, { states }: SignOffOptions) {
  const stored = await states.signOffs();
  const own = stored.filter(({ panelId }) => isCompared(panelId));
  return { stored, ...compareSignOffs(own, items, at) };
}

/** What the first reading alone showed of the panels that it mostly lacked was never so. */
function neverSo(
  active: readonly SignOff[],
  missed: ReadonlySet<SignOffChange>,
  { items, at }: BelievedList,
): readonly SignOff[] {
  const mended = new Set([...missed].map(({ panelId }) => panelId));
  const isListed = ({ panelId, version, date }: SignOff): boolean =>
    items.some((item) => item.id === panelId && item.version === version && item.signed_off === date);
  return active
    .filter((one) => mended.has(one.panelId) && !isListed(one))
    .map((one) => ({ ...one, removedAt: at }));
}

/**
 * The panels with an entry that cannot be true, also by the versions that rows stated since the panels were listed, and by those that a
 * panel had before its numbers went back.
 */
async function impossibleOf(
  list: Parameters<typeof impossiblePanels>[0],
  { state, states }: SignOffOptions,
): Promise<ReadonlySet<number>> {
  const suspicious = impossiblePanels(list);
  if (suspicious.size === 0) return suspicious;
  const rows = await state.panels([...suspicious]);
  const reached = new Map<number, readonly (string | null)[]>();
  for (const id of suspicious) {
    const kept = (await states.versions(id)).map(({ version }) => version);
    reached.set(id, [rows.get(id)?.version ?? null, ...kept]);
  }
  return impossiblePanels({ ...list, reached });
}

/** Panels that a line of the log names. */
const MOST_NAMED = 20;

async function publishPending(record: SignOffRecord, run: SignOffOptions): Promise<SignOffRecord> {
  const { pending } = record;
  if (!pending) return record;
  const at = instantOf(record.readAt);
  // A row of the same sign-off may show up later: it adds nothing then.
  await run.state.learn({ ...nothingLearnt, at, silent: eventsByPanel(pending.messages) });
  const published = await publishOrQuarantine(pending.messages, run);
  if (published.length > 0)
    await run.history.append(published, { catalogue: run.name, since: at, until: at });
  await run.states.saveSignOffs(pending.kept);
  return saveSignOffRecord(run.documents, { ...record, pending: null });
}

/** What the poller learns beside the events: nothing. */
const nothingLearnt = { origin: 'snapshot', asOf: 0, ratings: new Map(), versions: new Map() } as const;

function eventsByPanel(messages: readonly Message[]): ReadonlyMap<number, readonly PanelEvent[]> {
  const events = messages.map(({ body }) => JSON.parse(body) as PanelEvent);
  return Map.groupBy(events, ({ data }) => data.panel?.id ?? 0);
}

async function failed(
  error: unknown,
  record: SignOffRecord,
  { clock, documents, log }: SignOffOptions,
): Promise<SignOffReport> {
  if (!(error instanceof ServiceError)) throw error;
  const isMissing = missingConditions.has(error.condition);
  const now = clock.now();
  const missingSince = isMissing ? (record.missingSince ?? now) : record.missingSince;
  const pause = isMissing ? Math.min(LONGEST_PAUSE, Math.max(EARLY, now - (missingSince ?? now))) : 0;
  const notBefore = Math.max(error.notBefore ?? 0, now + pause);
  const until = new Date(notBefore).toISOString();
  if (isMissing && record.missingSince === null) {
    log.info('The catalogue does not serve its list of signed-off versions', { error, until });
  }
  if (!isMissing)
    log.warn('The list of signed-off versions could not be read; the next sweep reads it', { error });
  await saveSignOffRecord(documents, { ...record, notBefore, missingSince });
  return { outcome: isMissing ? 'missing' : 'failed', events: 0, waiting: record.held.length };
}

/** The changes that no event of the panel states with its version yet: the row may have come first. */
async function unstatedChanges(
  changes: readonly SignOffChange[],
  run: SignOffOptions,
): Promise<readonly SignOffChange[]> {
  const unstated: SignOffChange[] = [];
  for (const change of changes) if (!(await isStated(change, run))) unstated.push(change);
  return unstated;
}

/** Whether an event states what the list shows, and none after it states what the list showed before. */
async function isStated(
  { panelId, now, before }: SignOffChange,
  { name, history }: SignOffOptions,
): Promise<boolean> {
  const filter = { panels: [panelId], types: ['panel.signed-off'] } as const;
  let stated = false;
  for await (const { type, data } of history.find({ catalogue: name, filter, order: 'oldest' })) {
    if (type !== 'gene-panel.panel.signed-off.v1') continue;
    const { change } = data;
    if (now ? statesSignOff(change, now) : !change.signedOff) stated = true;
    else if (before ? statesSignOff(change, before) : !change.signedOff) stated = false;
  }
  return stated;
}

async function eventOf(change: SignOffChange, at: Instant, run: SignOffOptions): Promise<PanelEvent> {
  const { panelId, panelName, now, before } = change;
  const listing = await run.state.listing();
  const listed = listing?.panels.get(panelId);
  const facts = listed && listing ? { ...listed.facts, factsReadAt: formatInstant(listing.readAt) } : {};
  const panel: EventPanel = {
    id: panelId,
    // The list of signed-off versions has the name that the panel had at the version.
    name: listed?.name ?? panelName,
    version: listed?.versions[0]?.version ?? null,
    ...facts,
    ...(now && { signedOffVersion: now.version, signedOffDate: now.date }),
  };
  const identity = [
    'sign-off.v1',
    run.catalogue.url,
    panelId,
    String(at),
    now?.version,
    now?.date,
    before?.version,
  ];
  return toEvent({
    kind: 'panel.signed-off',
    change: { signedOff: now !== null, ...signOffFields(change), via: 'snapshot' },
    catalogue: { name: run.name, url: run.catalogue.url },
    key: hash('sha256', JSON.stringify(identity), 'hex').slice(0, 32),
    at,
    panel,
    entity: null,
    actor: null,
    late: false,
    rows: [],
  });
}
