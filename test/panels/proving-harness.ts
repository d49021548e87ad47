import { type VerifiedVersion, verifiedVersions } from '../../bin/commands/verify.ts';
import { checkCompleteness } from '../../bin/doctor/finding.ts';
import { createCatalogue } from '../../lambdas/catalogue/client.ts';
import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { Names } from '../../lambdas/filters/names.ts';
import { type Archive, createArchive } from '../../lambdas/panels/archive.ts';
import { askAgain } from '../../lambdas/panels/archive-record.ts';
import type { PanelStateStore } from '../../lambdas/panels/panel-state-store.ts';
import { loadProofs, type UnprovenVersion } from '../../lambdas/panels/proof-record.ts';
import { createRatingsBefore } from '../../lambdas/panels/ratings-before.ts';
import { type ArchivePace, defaultArchivePace } from '../../lambdas/panels/settings.ts';
import { createSqliteAnswers, createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import type { VersionState } from '../../lambdas/panels/version-state.ts';
import { poll } from '../../lambdas/poll/poll.ts';
import type { PollReport } from '../../lambdas/poll/report.ts';
import type { Message } from '../../lambdas/publishing/message.ts';
import type { RelaySource } from '../../lambdas/questions/relay/shown-panels.ts';
import type { ProofOptions, ProofReport } from '../../lambdas/reconcile/proof-options.ts';
import { provePanels } from '../../lambdas/reconcile/prove-panels.ts';
import { readSignOffs } from '../../lambdas/reconcile/read-sign-offs.ts';
import { sweep } from '../../lambdas/reconcile/sweep.ts';
import { createReadLog, type SweepReport } from '../../lambdas/reconcile/sweep-report.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import { type Instant, later, minutes } from '../../lambdas/run/instant.ts';
import { type Log, silentLog } from '../../lambdas/run/log.ts';
import type { HistoryRecord } from '../../lambdas/store/history/history.ts';
import { createSqliteRows } from '../../lambdas/store/history/kept-rows.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { createSqliteInsert } from '../../lambdas/store/history/sqlite-event-index.ts';
import { createSqliteDocuments } from '../../lambdas/store/items-sqlite.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';

interface HarnessOptions {
  readonly url: string;
  /** The address that events name, and of which their ids are made; `url` by default, whose port differs from run to run. */
  readonly source?: string;
  readonly clock: Clock;
  /** The first poll publishes rows from then on. */
  readonly from?: Instant;
  readonly log?: Log;
  /** The share of panels that may have the same kind of change without a row; 100 by default. */
  readonly sameChangePercent?: number;
  /** Whether rows and a daily reading of the list say which versions are signed off. */
  readonly readsSignOffs?: boolean;
  /** Called before each access to what is kept or published; it may throw. */
  readonly step?: (name: string) => void;
}

/** A poller, a sweep and proofs of one catalogue, with everything that they keep in one file in memory. */
export interface ProvingHarness {
  readonly states: PanelStateStore;
  readonly archive: Archive;
  /** An archive that is read at another pace. */
  archiveAt(pace: ArchivePace): Archive;
  /** Messages in the order in which they were accepted. */
  readonly accepted: Message[];
  /** The states that were kept, as they were read, by the panel's id. */
  readonly readings: ReadonlyMap<number, readonly VersionState[]>;
  /** The versions that are named as unproven. */
  unproven(): Promise<readonly UnprovenVersion[]>;
  /** What `doctor --completeness` says. */
  completeness(): Promise<string>;
  poll(): Promise<PollReport>;
  /** Moves the mark back, as a person does with `mark --set`; nothing happens where a chunk waits to be published. */
  moveMarkBack(by: Instant): Promise<void>;
  /** @param accept whether a person accepts what the listings show */
  sweep(accept?: boolean): Promise<SweepReport>;
  /** Reads the list of signed-off versions, where a day has passed. */
  readSignOffs(): Promise<void>;
  prove(given?: Partial<ProofOptions>): Promise<ProofReport>;
  /** What `verify` says of the versions of a panel. */
  verified(panelId: number): Promise<readonly VerifiedVersion[]>;
  /** Has states asked for at once. */
  askAgain(): Promise<void>;
  /** Events by the way in which they were found, in the order of their times. */
  events(): Promise<readonly PanelEvent[]>;
  /** The names that events and states give. */
  names(): Promise<Names>;
  /** What a relay of the catalogue answers from. */
  readonly relaySource: RelaySource;
  /** Every event as it was published. */
  findRecords(): AsyncIterable<HistoryRecord>;
  close(): Promise<void>;
}

const overlap = minutes(15);
const name = 'uk';

export function openProvingHarness({
  url,
  source,
  clock,
  from,
  log = silentLog,
  readsSignOffs = false,
  sameChangePercent = 100,
  step = () => {},
}: HarnessOptions): ProvingHarness {
  const file = openStateFile();
  const client = createCatalogue({ baseUrl: url, access: anonymous, clock, log });
  const catalogue = { ...client, url: source ?? client.url };
  const store = createSqliteStore(file, name, createSqliteInsert(file));
  const history = createSqliteHistory(file);
  const documents = createSqliteDocuments(file, name);
  const kept = createSqlitePanelStates({ file, catalogue: name, now: clock.now });
  const answers = createSqliteAnswers(file, name);
  const archiveAt = (pace: ArchivePace): Archive =>
    createArchive({ catalogue, answers, documents, clock, log, pace });
  const archive = archiveAt(defaultArchivePace);
  const accepted: Message[] = [];
  const readings = new Map<number, readonly VersionState[]>();
  const states: PanelStateStore = {
    ...kept,
    save: async (state) => {
      await kept.save(state);
      readings.set(state.panelId, [...(readings.get(state.panelId) ?? []), state]);
    },
  };
  const publisher = {
    async publish(messages: readonly Message[]) {
      step('publish');
      accepted.push(...messages);
      step('published');
      return [];
    },
  };
  const pollOnce = (request: Parameters<Parameters<typeof createReadLog>[0]['poll']>[0] = null) =>
    poll({
      name,
      catalogue,
      store,
      history,
      publisher,
      clock,
      log,
      overlap,
      ratingsBefore: createRatingsBefore({ states, archive, log }),
      ...(readsSignOffs && { states }),
      ...(from !== undefined && { from }),
      ...(request && { searchRequest: request }),
    });
  const readLog = createReadLog({ store, poll: pollOnce, log });
  return {
    states,
    archive,
    archiveAt,
    accepted,
    readings,
    relaySource: {
      catalogue: name,
      states,
      answers,
      documents,
      state: store,
      history,
      rows: createSqliteRows(file, name),
    },
    unproven: async () => (await loadProofs(documents)).unproven,
    async completeness() {
      const state = { place: 'the state', catalogues: [name], documents: () => documents };
      for await (const { text } of checkCompleteness(state, clock.now())) return text;
      return '';
    },
    poll: () => pollOnce(),
    async moveMarkBack(by) {
      const stored = await store.load(0n);
      if (!stored || stored.pending) return;
      const { mark, start } = stored.position;
      await store.moveMark(stored.position, later(start, mark - by));
    },
    sweep: (accept = false) =>
      sweep({
        name,
        catalogue,
        documents,
        history,
        state: store,
        states,
        publisher,
        clock,
        log,
        readLog,
        shrunkenPercent: 20,
        sameChangePercent,
        accept,
      }),
    async readSignOffs() {
      const reading = { name, catalogue, states, documents, history, state: store, publisher, clock, log };
      await readSignOffs({ ...reading, sameChangePercent: 20, readLog });
    },
    async prove(given = {}) {
      return provePanels({
        name,
        url: catalogue.url,
        archive,
        states: {
          ...states,
          save: async (state) => {
            step('save state');
            await states.save(state);
            step('saved state');
          },
          note: async (key, change) => {
            step('note proof');
            await states.note(key, change);
          },
        },
        documents: {
          load: documents.load,
          save: async (document, version, body) => {
            step(`save ${document}`);
            const saved = await documents.save(document, version, body);
            step(`saved ${document}`);
            return saved;
          },
        },
        history,
        state: store,
        publisher,
        clock,
        log,
        readLog: () => readLog(null),
        overlap,
        ...given,
      });
    },
    verified: (panelId) =>
      verifiedVersions(
        { catalogue: name, states, documents, history },
        { panels: [panelId], since: undefined },
      ),
    askAgain: () => askAgain(documents),
    names: history.names,
    findRecords: () => history.findRecords({ catalogue: name, order: 'oldest' }),
    async events() {
      const found: PanelEvent[] = [];
      for await (const event of history.find({ catalogue: name, order: 'oldest' })) found.push(event);
      return found;
    },
    async close() {
      await catalogue.close();
      file.close();
    },
  };
}

/** An archive that answers as another one does, but for what is given. */
export const archiveWith = (
  archive: Archive,
  given: Partial<Pick<Archive, 'read' | 'rows' | 'readSince'>>,
): Archive => ({
  get requests() {
    return archive.requests;
  },
  read: archive.read,
  rows: archive.rows,
  readSince: archive.readSince,
  ...given,
});
