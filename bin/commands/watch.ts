import { isLoopback } from '../../lambdas/catalogue/http/loopback.ts';
import { DAY_MS } from '../../lambdas/run/clock.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { printable } from '../../lambdas/run/text.ts';
import type { Served } from '../../page/listen.ts';
import { openAccess, openToAll } from '../access.ts';
import { catalogueAddress, duration, orUsage, readInput, wholeNumber } from '../arguments.ts';
import { caseFormOptions, pageCases } from '../cases.ts';
import { type Io, UsageError } from '../command.ts';
import { declareCommand, flag, type OptionValues, text, value } from '../declare-command.ts';
import { readFilter } from '../history-options.ts';
import { type LocalNotifier, type LocalNotifierOptions, startLocalNotifier } from '../local/notifier.ts';
import { eventOutput, openOutput } from '../output.ts';
import { openPage, pageAccessOptions, port, portOption } from '../page-access.ts';
import { pollUntilStopped, recorded } from '../poll-until-stopped.ts';
import {
  createPrintPublisher,
  filterNote,
  pollOptions,
  readPace,
  readPollOptions,
  sayUnknownNames,
} from '../polling.ts';
import { readStage, type SettingsStage, settingsCatalogue } from '../stage.ts';
import { logLines } from '../terminal.ts';

const keptFor = duration({ unit: 'd', min: 30, max: 3650 });

const watchOptions = {
  config: text('FILE', 'the settings, such as notifier.config.ts'),
  stage: text('NAME', 'the stage of the settings (default: the first)'),
  sandbox: flag('a made-up catalogue in which curators act; its state is kept in memory'),
  every: value(
    'SECONDS',
    'how long to wait between two polls, 1 or more: 90, or 15m (default: 60; with --sandbox: 1)',
    duration({ unit: 's', min: 0, max: 86_400 }),
  ),
  json: flag('the same as --format ndjson'),
  polls: value('N', 'stop after this number of polls', wholeNumber({ min: 1, max: 1e9 })),
  'sweep-every': value(
    'MINUTES',
    'how often to compare the lists: 30, or 2h; 0: never (default: 60; with --sandbox: every 20 seconds)',
    duration({ unit: 'm', min: 0, max: 10_080 }),
  ),
  'keep-days': value(
    'N',
    'delete events this many days after they were stored, 30 or more (default: retention.historyDays of the settings, else never)',
    (text, moment) => Math.ceil(keptFor(text, moment) / DAY_MS),
  ),
  port: portOption,
  as: pageAccessOptions.as,
  cases: text('FILE', "count on the page's worklist the cases of this file that each entry concerns"),
  ...caseFormOptions,
  'no-page': flag('serve no page'),
  'relay-port': value(
    'N',
    'serve the relay, too, at this port of this machine; 0: a free one (docs/guides/relay.md)',
    port,
  ),
  ...pollOptions,
};

type WatchValues = OptionValues<typeof watchOptions>;

/**
 * What the options and the settings say about watching.
 * @throws {UsageError} when a value is not one that its option takes, or two do not go together
 * @throws {SettingsError} when the settings cannot be used
 */
async function readWatchOptions(values: WatchValues, io: Io) {
  if (values.catalogue !== undefined && values.sandbox) {
    throw new UsageError('expected either --catalogue URL or --sandbox');
  }
  const settings = await readMessageSettings(values, io);
  if (values.catalogue === undefined && !values.sandbox && !settings) {
    throw new UsageError('expected --catalogue URL, --sandbox or --config FILE');
  }
  const named =
    settings && values.catalogue === undefined && !values.sandbox
      ? settingsCatalogue(settings, values.name)
      : undefined;
  for (const option of ['state', 'learn-since'] as const) {
    if (values.sandbox && values[option] !== undefined) {
      throw new UsageError(`--${option} does not go with --sandbox, whose state is kept in memory`);
    }
  }
  const every = (values.every ?? (values.sandbox ? 1000 : (named?.everySeconds ?? 60) * 1000)) / 1000;
  const sweepEvery =
    values['sweep-every'] ?? (values.sandbox ? SANDBOX_SWEEP_MS : (named?.sweepMinutes ?? 60) * 60_000);
  const address = named?.url ?? values.catalogue;
  if (every < 1 && address && !isLoopback(new URL(address).hostname)) {
    throw new UsageError(`--every "${every}": expected 1 or more for a catalogue that others use too`);
  }
  const filter = await readFilter(values, io);
  const comparedWith: Record<string, string | null> = {};
  for (const [other, { pairs }] of Object.entries(named?.comparedWith ?? {}))
    comparedWith[other] = pairs === undefined ? null : (await readInput(pairs, io)).text;
  return {
    comparedWith,
    settings,
    named,
    every,
    sweepEvery,
    address,
    given: readPollOptions(values),
    filter,
  };
}

type Watched = Awaited<ReturnType<typeof readWatchOptions>>;

/** The file of pairs of two catalogues that the settings name, so that the page compares what the events are about. */
export const pairsOf =
  ({ named, comparedWith }: Pick<Watched, 'named' | 'comparedWith'>) =>
  (one: string, other: string): string | null => {
    if (one === named?.name) return comparedWith[other] ?? null;
    return other === named?.name ? (comparedWith[one] ?? null) : null;
  };

function settingsOptions(
  { named, given, comparedWith }: Watched,
  url: string,
): Partial<LocalNotifierOptions> {
  if (!named) return {};
  return {
    name: named.name,
    original: addressIn('original', named) ?? given.original,
    movedFrom: addressIn('movedFrom', named),
    shrunkenPercent: named.shrunkenPercent,
    sameChangePercent: named.sameChangePercent,
    ...(!isLoopback(new URL(url).hostname) && { archivePace: named.states }),
    keepStateDays: named.states.keepDays,
    followed: named.followed,
    comparedWith,
    ...(given.from === undefined && named.from !== undefined && { from: named.from }),
  };
}

/** An address that the settings may have. */
const addressIn = (name: 'original' | 'movedFrom', { [name]: url }: Watched['named'] & object) =>
  url === undefined ? undefined : orUsage(() => catalogueAddress(url), name);

/** A third of a minute: a person who tries it sees a silent change soon. */
const SANDBOX_SWEEP_MS = 20_000;

/**
 * Reads the settings whose subscriptions get messages from this machine; undefined without a settings file. Reports
 * which channels only a deployment has, and which secrets are missing: their messages wait.
 * @throws {SettingsError} when no channel works from this machine
 */
async function readMessageSettings(
  { config, stage }: { readonly config?: string | undefined; readonly stage?: string | undefined },
  io: Pick<Io, 'clock' | 'env' | 'stderr'>,
): Promise<SettingsStage | undefined> {
  if (config === undefined) return undefined;
  // Loaded at need: a watch without settings starts faster.
  const { channelKinds, settingsOf } = await import('../../lambdas/channels/channel-settings.ts');
  const { channelsIn, localChannelSecrets, localPlan } = await import('../local/channels.ts');
  const settings = await readStage(config, stage, io);
  const { plan, unusable } = localPlan(settings);
  for (const why of unusable) io.stderr.write(`${printable(why)}\n`);
  const channels = channelsIn(plan);
  if (channels.length === 0) {
    const { SettingsError } = await import('../../lib/read-settings.ts');
    const usable = channelKinds.filter((kind) => settingsOf(kind).deployedOnly === null);
    throw new SettingsError(
      `${config}, stage ${settings.name}: no subscription has a channel that works from this machine. Expected ${usable.slice(0, -1).join(', ')} or ${usable.at(-1)} under subscriptions.<name>.channels.`,
    );
  }
  const secrets = localChannelSecrets(settings, io.env);
  const needed = [
    ...channels.flatMap(({ channel }) => {
      const { secret } = settingsOf(channel.kind);
      return secret === null ? [] : [secrets[secret.read](secret.entry(channel))];
    }),
    ...(plan.mailRelay?.login === undefined ? [] : [secrets.login(plan.mailRelay.login)]),
  ];
  for (const outcome of await Promise.allSettled(needed)) {
    if (outcome.status === 'rejected')
      io.stderr.write(`Messages will wait. ${printable(outcome.reason.message)}\n`);
  }
  return settings;
}

async function run(values: OptionValues<typeof watchOptions>, io: Io): Promise<number> {
  const watched = await readWatchOptions(values, io);
  const cases = await pageCases(values, io);
  const { settings, named, every, sweepEvery, address, given, filter } = watched;
  const { polls, 'relay-port': relayPort, format = values.json ? 'ndjson' : 'table' } = values;
  const log = logLines(io);

  const output = eventOutput(format, openOutput(values.output, io), io);
  const publisher = createPrintPublisher(output, filter);
  const sandbox = values.sandbox ? await startLocalSandbox(io) : undefined;
  const url = sandbox?.url ?? address ?? '';
  const { access, close } = sandbox
    ? openToAll
    : await openAccess({ ...named?.identity, ...values }, io, log);
  let notifier: LocalNotifier | undefined;
  let page: Served | undefined;
  let relay: Served | undefined;
  try {
    const started = await startLocalNotifier({
      ...given,
      ...settingsOptions(watched, url),
      ...readPace(values.pace, url),
      ...(sandbox && {
        name: values.name ?? 'sandbox',
        state: undefined,
        from: given.from ?? sandbox.from,
        learnSince: 0n,
      }),
      ...{ url, access, log, io, publisher },
      historyDays: values['keep-days'] ?? settings?.stage.retention.historyDays,
      messages: settings,
      watches: true,
      madeUp: sandbox !== undefined,
    });
    const { record, notifier: following } = recorded(started, { clock: io.clock, every });
    notifier = following;
    publisher.follow(following.file);
    if (!values['no-page'])
      page = await openPage(
        { file: following.file, record, relay: () => relay?.url ?? null, pairs: pairsOf(watched), ...cases },
        values.port,
        io,
        { as: values.as },
      );
    if (relayPort !== undefined) {
      const { openRelay } = await import('./relay.ts');
      relay = await openRelay(following.file, { port: relayPort }, io);
    }
    const what = sandbox ? 'a made-up catalogue at ' : '';
    io.stderr.write(`Watching ${what}${url}\nA poll every ${every} s; Ctrl-C stops\n`);
    const polling = pollUntilStopped(following, {
      io,
      every: every * 1000,
      ...(polls !== undefined && { polls }),
      ...(sweepEvery > 0 && { sweepEvery }),
      afterEach: async () => {
        await publisher.printMissed();
        await following.messages?.checkNames();
      },
      afterFirst: () => sayUnknownNames({ file: following.file, filter, printed: publisher.printed }, io),
    });
    await (following.messages?.during(polling) ?? polling);
    return 0;
  } finally {
    await page?.close();
    await relay?.close();
    await notifier?.close();
    publisher.close();
    await close();
    await sandbox?.close();
  }
}

export const command = declareCommand({
  name: 'watch',
  synopsis: ['(--catalogue URL | --sandbox | --config FILE) [options]'],
  about: [
    'Polls a catalogue at an interval until Ctrl-C. It shows the events in the terminal, with times in UTC, and on a page that only this machine can open (docs/guides/page.md). The first poll bookmarks the newest row; use --from to start earlier. When a poll fails, watch says so and polls again; nothing is lost. After the first poll, and then every hour, it compares the lists of panels and regions and shows changes that have no row in the log (docs/sweep.md).',
    'With --sandbox it starts a made-up catalogue and watches that.',
    'With --config it also sends the messages of the subscriptions in a settings file, by SMTP, Slack, Teams, webhook and Atom feed, and messages about the notifier itself to "operations" (docs/guides/messages.md). The catalogue is that of the settings, unless --catalogue or --sandbox names another one. With --from it also sends messages about older changes.',
  ],
  options: watchOptions,
  notes: [`${filterNote} NO_COLOR in the environment: show events without colours.`],
  exitCodes: '0 stopped, 1 could not start, 2 wrong arguments',
  examples: ['$0 watch --sandbox', '$0 watch --catalogue https://panelapp-aus.org --from 90d --to green'],
  run,
});

const ACT_EVERY_MS = [700, 2500] as const;

async function startLocalSandbox({ clock }: Io) {
  const { startCatalogue } = await import('../../sandbox/catalogue/start.ts');
  const catalogue = await startCatalogue({
    clock,
    seed: Math.floor(clock.random() * 1e9),
    actEvery: ACT_EVERY_MS,
  });
  return {
    url: catalogue.url,
    /** The time from which the first poll publishes, so that it prints events at once. */
    from: instantOf(clock.now() - RECENTLY_MS),
    close: () => catalogue.close(),
  };
}

const RECENTLY_MS = 3 * 24 * 60 * 60 * 1000;
