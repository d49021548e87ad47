import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { channelType } from '../../lambdas/channels/channels.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { nearest } from '../../lambdas/filters/nearest.ts';
import { type DryRunMessage, dryRun } from '../../lambdas/notify/dry-run.ts';
import type { ReaderHelp, Subscription } from '../../lambdas/notify/subscription.ts';
import type { PanelStateStore } from '../../lambdas/panels/panel-state-store.ts';
import { readPastTime } from '../../lambdas/questions/options.ts';
import { DAY_SECONDS } from '../../lambdas/run/clock.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { counted, printable } from '../../lambdas/run/text.ts';
import type { History } from '../../lambdas/store/history/history.ts';
import { readPartsOf, readWords } from '../../lambdas/store/history/read-part.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { type NamedPlace, unknownNames } from '../../lambdas/store/history/unknown-names.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { phraseText } from '../../lambdas/words/phrase.ts';
import { timeWords } from '../../lambdas/words/value-words.ts';
import { helpOf } from '../../lib/notify-plan.ts';
import { hasChannels, subscriptionOf } from '../../lib/subscription-settings.ts';
import { InputError, readInput } from '../arguments.ts';
import { type Io, UsageError, unwritable } from '../command.ts';
import { declareWithOperands, type OptionValues, type Run, text, value } from '../declare-command.ts';
import { limitedExitUsage, openHistory, placeOptions } from '../history-options.ts';
import { readStage } from '../stage.ts';

const options = {
  since: value(
    'TIME',
    'changes since this time: 2026-01-31, or 90d for the last 90 days',
    readPastTime,
    '90d',
  ),
  config: text('FILE', 'the settings', 'notifier.config.ts'),
  stage: text(
    'NAME',
    'a stage of the settings: its subscription and the history of the deployed notifier; needs AWS credentials in the environment (default: the first stage, and the history of --state)',
  ),
  state: placeOptions.state,
  events: text(
    'FILE',
    'instead of a history, a file of events as poll and classify print them; "-": standard input',
  ),
  preview: text('DIR', 'write each message to a file in this folder, as each channel would get it'),
};

const run: Run<typeof options> = async (values, operands, io) => {
  const [verb, name, ...others] = operands;
  if (verb !== 'test' || name === undefined || others.length > 0) {
    throw new UsageError(`saw ${JSON.stringify(operands.join(' '))}; expected: subscriptions test NAME`);
  }
  const now = io.clock.now();
  const since = Number(values.since) / 1000;
  const { subscription, help } = await readSubscription(name, values, io);
  const place = await openEvents(values, io);
  const { history, close } = place;
  try {
    const events: PanelEvent[] = [];
    for await (const event of history.find({ since: instantOf(since), order: 'oldest' })) events.push(event);
    const result = await dryRun(subscription, events, {
      since,
      until: now,
      history,
      names: () => history.names(),
      statesOf: place.statesOf,
      help,
    });
    const read = await readTime(
      { history, now, since, isFile: values.events !== undefined },
      subscription,
      events,
    );
    if (read.seconds === 0 && events.length === 0) {
      const day = timeWords(subscription.zone).day(new Date(since).toISOString());
      io.stderr.write(
        `gene-panel-notifier subscriptions: what ${name} would have sent since ${day} is unknown: nothing of that time was read. Run poll --from DAY, or give --events FILE.\n`,
      );
      return 3;
    }
    print(subscription, result, { io, since, read });
    const asked = { since: instantOf(since), found: result.messages.length };
    const unknown = await unknownNames(place, subscription.filter, asked);
    for (const { sentence } of unknown) io.stderr.write(`${printable(sentence)}\n`);
    if (values.preview !== undefined) await writePreviews(values.preview, result.messages, io);
    return unknown.length > 0 ? 3 : 0;
  } finally {
    close();
  }
};

async function readSubscription(
  name: string,
  { config, stage: wanted }: { readonly config: string; readonly stage?: string | undefined },
  io: Io,
): Promise<{ readonly subscription: Subscription; readonly help: ReaderHelp }> {
  const { name: stageName, stage } = await readStage(config, wanted, io);
  const known = Object.entries(stage.subscriptions).filter(([, each]) => hasChannels(each));
  const found = known.find(([each]) => each === name)?.[1];
  if (found && hasChannels(found)) {
    const made = subscriptionOf(name, found);
    // Without an address yet, a mail shows what the messages would be.
    const mail = {
      kind: 'email',
      to: 'nobody@example.org',
      privacy: { names: 'kept', comments: 'kept' },
    } as const;
    const subscription = made.channels.length > 0 ? made : { ...made, channels: [mail] };
    return { subscription, help: helpOf(stage.messages) };
  }
  const near = nearest(
    name,
    known.map(([each]) => each),
  );
  throw new UsageError(
    `${config} has no subscription "${name}" with channels in the stage ${stageName}.${near ? ` Did you mean ${near}?` : ''} It has: ${known.map(([each]) => each).join(', ') || 'none'}`,
  );
}

function print(
  { name, zone }: Subscription,
  { messages, unsent, events }: Awaited<ReturnType<typeof dryRun>>,
  { io, since, read }: { readonly io: Io; readonly since: number; readonly read: ReadTime },
): void {
  const times = timeWords(zone);
  const write = (line: string): void => void io.stdout.write(`${printable(line)}\n`);
  const rows = new Map<
    string,
    { readonly at: number; readonly headline: string; readonly channels: string[] }
  >();
  for (const { sentAt, notice, channel } of messages) {
    const headline = phraseText(notice.headline);
    const key = `${sentAt} ${headline} ${notice.footer.at(-1)}`;
    const row = rows.get(key) ?? { at: sentAt, headline, channels: [] };
    row.channels.push(channel.kind);
    rows.set(key, row);
  }
  write(
    `${name} would have sent ${counted(rows.size, 'message')} since ${times.day(new Date(since).toISOString())}, from ${counted(events, 'event')}.`,
  );
  write(perWeek(rows.size, read));
  for (const { at, headline, channels } of rows.values()) {
    io.stdout.write(`  ${times.moment(new Date(at).toISOString())}  `);
    write(`${headline} [${channels.join(', ')}]`);
  }
  if (unsent.size === 0) return;
  write('Events without a message:');
  for (const [reason, count] of [...unsent].sort(([, one], [, other]) => other - one)) {
    io.stdout.write(`${String(count).padStart(9)}  `);
    write(reason);
  }
}

async function writePreviews(folder: string, messages: readonly DryRunMessage[], io: Io): Promise<void> {
  const unwritableFolder = (cause: unknown): never => {
    throw unwritable(folder, cause);
  };
  const write = (file: string, content: string): Promise<void> =>
    writeFile(join(folder, file), content).catch(unwritableFolder);
  await mkdir(folder, { recursive: true }).catch(unwritableFolder);
  let files = 0;
  for (const [place, message] of messages.entries()) {
    const { kind } = message.channel;
    for (const { ending, content } of await channelType(kind).preview(message)) {
      await write(`${String(place + 1).padStart(3, '0')}-${kind}${ending}`, content);
      files += 1;
    }
  }
  io.stderr.write(`${files} files in ${printable(folder)}\n`);
}

export const command = declareWithOperands({
  name: 'subscriptions',
  synopsis: ['test NAME [options]'],
  about: [
    'Shows which messages a subscription of the settings would have sent, and when. It also shows for how many events it would have sent none, and why. It sends nothing.',
  ],
  options,
  exitCodes: `0 done, 1 failed, 2 wrong arguments, ${limitedExitUsage}`,
  examples: [
    '$0 subscriptions test green-genes --since 90d --preview previews',
    '$0 subscriptions test green-genes --stage production',
  ],
  run,
});

/** For how long events were read, over which a rate can be said. */
interface ReadTime {
  readonly seconds: number;
  /** `in the 12 of 90 days that were read`. */
  readonly words: string;
}

interface AskedTime {
  readonly history: OpenEvents['history'];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly since: number;
  /** A file says nothing of what was read: its own first and last event bound it. */
  readonly isFile: boolean;
}

async function readTime(
  { history, now, since, isFile }: AskedTime,
  { filter: { catalogues } }: Subscription,
  events: readonly PanelEvent[],
): Promise<ReadTime> {
  if (isFile) {
    const times = events
      .flatMap(({ time }) => (time === undefined ? [] : [Date.parse(time)]))
      .sort((one, other) => one - other);
    const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
    return { seconds, words: 'between the first and the last event of the file' };
  }
  const asked = { since: instantOf(since), until: instantOf(now), now: instantOf(now) };
  const parts = readPartsOf(await history.coverage(), asked).filter(
    ({ catalogue }) => catalogues?.includes(catalogue) ?? true,
  );
  return { seconds: Math.max(0, ...parts.map(({ readSeconds }) => readSeconds)), words: readWords(parts) };
}

/** `About 3.2 messages a week, in the 12 of 90 days that were read`; `About one message in 14 days` where they are rarer. */
function perWeek(messages: number, { seconds, words }: ReadTime): string {
  if (seconds < DAY_SECONDS) {
    return `The number of messages a week cannot be estimated: less than a day was read (${words}).`;
  }
  if (messages === 0) return `No message ${words}.`;
  const rate = (messages * 7 * DAY_SECONDS) / seconds;
  if (rate < 0.95) return `About one message in ${Math.round(7 / rate)} days, ${words}.`;
  const shown = rate >= 10 ? String(Math.round(rate)) : rate.toFixed(1);
  return `About ${shown === '1.0' ? 'one message' : `${shown} messages`} a week, ${words}.`;
}

interface OpenEvents extends NamedPlace {
  readonly history: NamedPlace['history'] & Pick<History, 'find'>;
  /** What panels hold, by catalogue, where the history is on this machine. */
  readonly statesOf?: ((catalogue: string) => PanelStateStore) | undefined;
  close(): void;
}

/**
 * The events of a file, else of a local history, else of the deployed stage.
 *
 * @throws {UsageError | InputError} when the place is ambiguous, or the file holds something else
 */
async function openEvents(
  { events, state, stage, config }: OptionValues<typeof options>,
  io: Io,
): Promise<OpenEvents> {
  if (events === undefined) {
    return openHistory(stage === undefined || state !== undefined ? { state } : { stage, config }, io);
  }
  if (state !== undefined)
    throw new UsageError('--events and --state name different places; give one of them');
  const file = openStateFile();
  const history = createSqliteHistory(file);
  const { name, text } = await readInput(events, io);
  const records = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((body, place) => {
      const event = parsed(body);
      if (event === null)
        throw new InputError(
          `Reading ${name}: line ${place + 1} is not an event. Expected the output of poll or classify.`,
        );
      return { id: event.id, topic: 'classifications' as const, body };
    });
  const period = { since: instantOf(Date.UTC(2000, 0, 1)), until: instantOf(io.clock.now()) };
  await history.append(records, { catalogue: 'file', ...period });
  return { history, isLocal: true, listings: async () => [], close: () => file.close() };
}

function parsed(body: string): PanelEvent | null {
  try {
    const event: unknown = JSON.parse(body);
    return typeof event === 'object' && event !== null && 'specversion' in event && 'id' in event
      ? (event as PanelEvent)
      : null;
  } catch {
    return null;
  }
}
