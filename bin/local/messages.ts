import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { createRestoration } from '../../lambdas/notify/deliver.ts';
import { announceNames } from '../../lambdas/notify/filter-names.ts';
import { createNotifier, type Notifier } from '../../lambdas/notify/notifier.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import { readsToEnd } from '../../lambdas/poll/report.ts';
import { type Instant, instantOf } from '../../lambdas/run/instant.ts';
import type { Log } from '../../lambdas/run/log.ts';
import { counted, printable } from '../../lambdas/run/text.ts';
import type { History } from '../../lambdas/store/history/history.ts';
import { readUpTo } from '../../lambdas/store/history/read-part.ts';
import { namedPlaceOf } from '../../lambdas/store/history/sqlite.ts';
import { createSqlitePages } from '../../lambdas/store/history/sqlite-pages.ts';
import type { ItemStore } from '../../lambdas/store/items.ts';
import { createSqliteDocuments } from '../../lambdas/store/items-sqlite.ts';
import type { StateFile } from '../../lambdas/store/sqlite-file.ts';
import type { Io } from '../command.ts';
import type { SettingsStage } from '../stage.ts';
import { createOwnAlarms, type OwnAlarms } from './alarm-conditions.ts';
import { openLocalChannels } from './channels.ts';

/** How long a message that is due may wait, in milliseconds. */
const SEND_EVERY = 5_000;

/** A row may be written while a poll goes on; in milliseconds. */
const LONGEST_POLL = 60_000;

/** The state directory has one process, which may take over what a killed one had begun. */
const RUN_ID = 'local';

interface LocalMessagesOptions {
  readonly settings: SettingsStage;
  /** The catalogue's name in the events. */
  readonly catalogue: string;
  /** The catalogue is a sandbox: each message says so. */
  readonly madeUp: boolean;
  readonly file: StateFile;
  readonly history: History;
  /** Whether the file was restored from a backup, or copied, since its last run. */
  readonly wasRestored: boolean;
  readonly io: Io;
  readonly log: Log;
}

/** Opens the messages of a run on this machine; what is still to be sent is in the file of the state. */
export async function openLocalMessages(options: LocalMessagesOptions) {
  const { settings, catalogue, madeUp, file, history, io, log } = options;
  const { clock, signal } = io;
  const { plan, senders, store } = openLocalChannels(settings, file, { clock, env: io.env, log });
  let readTo: Instant | null = null;
  const notifier = createNotifier({
    ...{ plan, store, senders, clock, log, madeUp, runId: RUN_ID },
    // A poll that finds no new row writes nothing: the history alone does not know that it read.
    history: {
      ...history,
      coverage: async () => readUpTo(await history.coverage(), { catalogue, until: readTo }),
    },
    names: history.names,
    statesOf: (name) => createSqlitePanelStates({ file, catalogue: name, now: clock.now }),
    documentsOf: (name) => createSqliteDocuments(file, name),
    // The outbox keeps the message itself.
    keepDeadLetter: async ({ deadLetter }) =>
      log.error(
        'A message failed for a day and was set aside; it is tried again twice a day until it is sent or dropped ("messages list")',
        { ...deadLetter },
      ),
  });
  if (options.wasRestored) await createRestoration(store, { place: null, now: clock.now }).note();
  const access = settings.stage.catalogues[catalogue]?.access;
  const alarms = createOwnAlarms({
    ...{ store, catalogue, clock },
    limits: settings.stage.alarms,
    credentialExpires: access && 'credentialExpires' in access ? access.credentialExpires : undefined,
    announce: (change) => notifier.receiveAlarm(change),
  });
  await notifier.retryAll();

  const checkNames = createNameChecks(file, { plan, senders, clock, store, log }, io);

  const subscriptions = plan.subscriptions.map(({ name }) => name);
  const takeIn = await followEvents({ file, store, subscriptions, notifier, signal });
  const send = async (): Promise<void> => {
    try {
      await takeIn();
      if (signal.aborted) return;
      await notifier.run({ signal });
      if (!signal.aborted) await alarms.after({ kind: 'unsent', backlog: await notifier.backlog() });
    } catch (error) {
      log.error('Messages could not be sent; the next attempt goes on', { error });
    }
  };

  return {
    /** Notices what goes wrong with the run itself, and what is over. */
    alarms: {
      async after(run: Parameters<OwnAlarms['after']>[0]) {
        if (run.kind === 'polled' && readsToEnd(run.report.outcome))
          readTo = instantOf(clock.now() - LONGEST_POLL);
        await alarms.after(run);
      },
    },
    /**
     * Says, at most once an hour, which names of the subscriptions' filters nothing has: on standard error, and once in the
     * channels of the subscription.
     * @throws {HistoryError | StateError} when names cannot be read
     */
    checkNames,
    /**
     * Hands the events that were published, by any command, to their subscriptions, and sends what is due: again and again while
     * `work` goes on, and once more after it.
     */
    async during<Value>(work: Promise<Value>) {
      const ended = new AbortController();
      const end = (): void => ended.abort();
      const sending = (async () => {
        while (!ended.signal.aborted) {
          await send();
          await clock.sleep(SEND_EVERY, ended.signal).catch(() => {});
        }
        await send();
      })();
      try {
        return await work.finally(end);
      } finally {
        await sending;
        sayWhatIsLeft(await notifier.backlog(), io);
      }
    },
  };
}

function sayWhatIsLeft({ setAside, failing, begun }: Awaited<ReturnType<Notifier['backlog']>>, io: Io): void {
  const left = setAside + failing + begun;
  if (left === 0) return;
  const tried = setAside + failing;
  const them = left === 1 ? 'it' : 'them';
  io.stderr.write(
    `${counted(left, 'message')} not sent yet${tried > 0 ? `, of which ${tried} failed before` : ''}: the next start sends ${them}. "messages list" shows ${them}.\n`,
  );
}

const CHECK_NAMES_EVERY = 3_600_000;

type Announcing = Omit<Parameters<typeof announceNames>[0], 'newId' | 'place'>;

/**
 * Looks up the names of the subscriptions' filters, at most once an hour. Names that nothing has are said once on standard
 * error, and once in the channels of the subscription.
 */
function createNameChecks(file: StateFile, announcing: Announcing, io: Io): () => Promise<void> {
  const { clock } = announcing;
  let checked = Number.NEGATIVE_INFINITY;
  const said = new Set<string>();
  return async () => {
    if (clock.now() - checked < CHECK_NAMES_EVERY) return;
    const place = namedPlaceOf(file);
    // Before anything was read, no name can be looked up.
    if ((await place.listings()).length + (await place.history.coverage()).length === 0) return;
    checked = clock.now();
    for (const { subscription, names } of await announceNames({ ...announcing, newId: randomUUID, place })) {
      for (const { sentence } of names) {
        const line = printable(`${subscription}: ${sentence}`);
        if (!said.has(line)) io.stderr.write(`${line}\n`);
        said.add(line);
      }
    }
  };
}

const PARTITION = 'notify#followed';

const followedSchema = z.object({
  /** The number of the last event of the history that the subscription was asked about. */
  to: z.number(),
});

const AT_ONCE = 500;

interface FollowedEventsOptions {
  readonly file: StateFile;
  readonly store: ItemStore;
  /** The names of the subscriptions. */
  readonly subscriptions: readonly string[];
  readonly notifier: Pick<Notifier, 'receive'>;
  /** Once it is aborted, what is left waits for the next start. */
  readonly signal: AbortSignal;
}

/**
 * Returns what hands the events of the history to their subscriptions, each once, whichever command published it. A subscription
 * follows the events that are published after it was first seen here: how far it has come is kept in the file of the events, so that
 * a state that is set back is followed from there.
 * @throws {StateError | HistoryError} here and later, when the file cannot be used
 */
async function followEvents({
  file,
  store,
  subscriptions,
  notifier,
  signal,
}: FollowedEventsOptions): Promise<() => Promise<void>> {
  const pages = createSqlitePages(file);
  const last = pages.lastAppended();
  const kept = new Map((await store.list(PARTITION, '')).map((item) => [item.id, item]));
  for (const name of kept.keys()) if (!subscriptions.includes(name)) await store.remove(PARTITION, name);
  const followed = new Map<string, number>();
  for (const name of subscriptions) {
    const item = kept.get(name);
    followed.set(name, item ? followedSchema.parse(item.value).to : last);
    if (!item) await store.create({ partition: PARTITION, id: name, value: { to: last } });
  }

  const note = async (to: number): Promise<void> => {
    for (const [name, before] of followed) {
      if (before >= to) continue;
      const item = await store.get(PARTITION, name);
      if (item) await store.replace({ ...item, value: { to } });
      followed.set(name, to);
    }
  };

  return async () => {
    const newest = pages.lastAppended();
    let from = Math.min(newest, ...followed.values());
    while (from < newest) {
      const to = Math.min(from + AT_ONCE, newest);
      const numbers = Array.from({ length: to - from }, (_, index) => from + index + 1);
      const events = pages.numbered(numbers).toSorted((one, other) => one.number - other.number);
      for (const placed of events) {
        const event = JSON.parse(pages.bodyAt(placed) ?? 'null') as PanelEvent | null;
        if (event) await notifier.receive(event, (name) => (followed.get(name) ?? 0) < placed.number);
      }
      await note(to);
      from = to;
      if (signal.aborted) return;
    }
  };
}
