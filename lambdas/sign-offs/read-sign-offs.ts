import { hash } from 'node:crypto';
import type { Catalogue } from '../catalogue/client.ts';
import type { Clock } from '../clock/clock.ts';
import { formatInstant, type Instant, instantOf } from '../clock/instant.ts';
import { toEvent } from '../events/envelope.ts';
import type { EventPanel, PanelEvent } from '../events/schemas.ts';
import type { History } from '../history/history.ts';
import { ServiceError } from '../http/service-error.ts';
import type { Log } from '../log/log.ts';
import type { PanelStateStore } from '../panel-states/panel-state-store.ts';
import type { Message } from '../publishing/message.ts';
import { publishOrQuarantine } from '../publishing/publish-or-quarantine.ts';
import type { Publisher } from '../publishing/publisher.ts';
import { toMessage } from '../publishing/to-message.ts';
import type { Documents } from '../state/documents.ts';
import type { StateStore } from '../state/store.ts';
import { compareSignOffs, LONGEST_TRANSACTION, type SignOffChange } from './compare-sign-offs.ts';
import { signOffFields, statesSignOff } from './sign-off-fields.ts';
import { loadSignOffRecord, type SignOffRecord, saveSignOffRecord } from './sign-off-record.ts';

interface SignOffOptions {
  /** The catalogue's configured name. */
  readonly name: string;
  readonly catalogue: Pick<Catalogue, 'url' | 'signedOff'>;
  readonly states: Pick<PanelStateStore, 'signOffs' | 'saveSignOffs'>;
  readonly documents: Documents;
  readonly history: Pick<History, 'append' | 'find'>;
  /** Returns the listing of panels, and lets the poller know what is published without a row. */
  readonly state: Pick<StateStore, 'listing' | 'learn'>;
  /** Reads the log to its end: a sign-off that has a row is published from the log. */
  readonly readLog: (request: null) => Promise<{ readonly complete: boolean }>;
  readonly publisher: Publisher;
  readonly clock: Clock;
  readonly log: Log;
}

/** What a reading of the signed-off versions did. */
interface SignOffReport {
  /**
   * `not due`: read within the day; `missing`: the catalogue does not serve the list; `failed`: it could not be read now;
   * `baseline`: read for the first time, so that nothing was published; `read`: compared with what was kept.
   */
  readonly outcome: 'not due' | 'missing' | 'failed' | 'baseline' | 'read';
  /** How many events were published. */
  readonly events: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A list that the catalogue does not serve is asked for again after a week. */
const MISSING_PAUSE = 7 * DAY;
/** The schedule may start a little early. */
const EARLY = HOUR / 2;

/** The catalogue serves no such list, or not to this client. */
const missingConditions: ReadonlySet<string> = new Set(['NOT_FOUND', 'FORBIDDEN', 'HTML', 'LIST_WRONG']);

/**
 * Reads the list of signed-off versions once a day, publishes what changed and no event states yet, and keeps it. The first
 * reading publishes nothing. Events are recorded before they are published: a run that dies in between sends the same bytes.
 *
 * @throws {StateError | HistoryError | PublishError} when it cannot go on; the next run does what is left
 */
export async function readSignOffs(run: SignOffOptions): Promise<SignOffReport> {
  const record = await publishPending(await loadSignOffRecord(run.documents), run);
  const { clock, catalogue, documents, states } = run;
  const now = clock.now();
  if (now < record.notBefore || now - record.readAt < DAY - EARLY) return { outcome: 'not due', events: 0 };
  const listed = await catalogue.signedOff().catch((error: unknown) => failed(error, record, run));
  if ('outcome' in listed) return listed;
  if (!listed.complete) {
    run.log.warn('The list of signed-off versions changed while it was read; the next run reads it again');
    return { outcome: 'failed', events: 0 };
  }
  const at = instantOf(listed.serverTime ?? now);
  const compare = async () => compareSignOffs(await states.signOffs(), listed.items, at);
  const isFirst = record.readAt === 0;
  const before = await compare();
  if (!isFirst && before.kept.length > 0) {
    const { complete } = await run.readLog(null);
    if (!complete) return { outcome: 'failed', events: 0 };
  }
  const { changes, kept } = isFirst ? before : await compare();
  const unstated = isFirst ? [] : await unstatedChanges(changes, run);
  const events = await Promise.all(unstated.map((change) => eventOf(change, at, run)));
  const messages = events.map((event) => toMessage(event));
  const next = { ...record, readAt: now, notBefore: 0, missing: null };
  const recorded = await saveSignOffRecord(documents, { ...next, pending: { messages, kept: [...kept] } });
  await publishPending(recorded, run);
  return { outcome: isFirst ? 'baseline' : 'read', events: messages.length };
}

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
  const pause = isMissing ? MISSING_PAUSE : HOUR;
  const notBefore = Math.max(error.notBefore ?? 0, clock.now() + pause);
  const until = new Date(notBefore).toISOString();
  if (isMissing && record.missing === null) {
    log.info('The catalogue does not serve its list of signed-off versions', { error, until });
  }
  if (!isMissing) {
    log.warn('The list of signed-off versions could not be read; events are published without versions', {
      error,
      until,
    });
  }
  const missing = isMissing ? error.message : record.missing;
  await saveSignOffRecord(documents, { ...record, notBefore, missing });
  return { outcome: isMissing ? 'missing' : 'failed', events: 0 };
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

async function isStated(
  { panelId, now, before }: SignOffChange,
  { name, history }: SignOffOptions,
): Promise<boolean> {
  const filter = { panels: [panelId], types: ['panel.signed-off'] } as const;
  const query = { catalogue: name, filter, since: before ? before.listedAt - LONGEST_TRANSACTION : 0n };
  for await (const { type, data } of history.find(query)) {
    if (type !== 'gene-panel.panel.signed-off.v1') continue;
    const { change } = data;
    if (now ? statesSignOff(change, now) : !change.signedOff) return true;
  }
  return false;
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
