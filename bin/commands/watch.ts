import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import { type Instant, instantOf } from '../../lambdas/run/instant.ts';
import type { Served } from '../../page/listen.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { type OpenAccess, openAccess } from '../access.ts';
import type { Io } from '../command.ts';
import { declareCommand, type OptionValues } from '../declare-command.ts';
import { pageCases } from '../impact/case-file.ts';
import { type LocalNotifier, startLocalNotifier } from '../local/notifier.ts';
import { createPrintPublisher } from '../local/print-publisher.ts';
import { sayUnknownNames } from '../local/say-unknown-names.ts';
import { logLines } from '../log-lines.ts';
import { eventOutput, openOutput } from '../output.ts';
import { readName } from '../page-access.ts';
import { openPage } from '../page-options.ts';
import { filterNote, readPace } from '../poll-options.ts';
import { pollUntilStopped, recorded } from '../poll-until-stopped.ts';
import { pairsOf, readWatchOptions, settingsOptions, watchOptions } from '../watch-options.ts';

async function run(values: OptionValues<typeof watchOptions>, io: Io): Promise<number> {
  const watched = await readWatchOptions(values, io);
  const as = readName(values.as);
  const cases = await pageCases(values, io);
  const { settings, named, every, polls, sweepEvery, keepDays, port, address, given, filter, format } =
    watched;
  const log = logLines(io);

  const output = eventOutput(format, openOutput(values.output, io), io);
  const sandbox = values.sandbox ? await startLocalSandbox(io) : undefined;
  const url = sandbox?.url ?? address ?? '';
  const { access, close } = sandbox ? openSandbox : openAccess({ ...named?.identity, ...values }, io, log);
  let notifier: LocalNotifier | undefined;
  let page: Served | undefined;
  let relay: Served | undefined;
  try {
    const publisher = createPrintPublisher(output, filter);
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
      url,
      access,
      log,
      io,
      publisher,
      historyDays: keepDays ?? settings?.stage.retention.historyDays,
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
        port,
        io,
        { as },
      );
    if (watched.relayPort !== undefined) {
      const { openRelay } = await import('../relay-options.ts');
      relay = await openRelay(following.file, { port: watched.relayPort }, io);
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
    output.close();
    await close();
    await sandbox?.close();
  }
}

const openSandbox: OpenAccess = { access: anonymous, close: async () => {} };

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

/** The made-up catalogue that `watch --sandbox` polls. */
interface LocalSandbox {
  readonly url: string;
  /** The time from which the first poll publishes, so that it prints events at once. */
  readonly from: Instant;
  close(): Promise<void>;
}

/** Its curators act every few seconds. */
const ACT_EVERY_MS = [700, 2500] as const;

/** Starts a catalogue whose log moves. */
async function startLocalSandbox({ clock }: Io): Promise<LocalSandbox> {
  const catalogue = await startCatalogue({
    clock,
    seed: Math.floor(clock.random() * 1e9),
    actEvery: ACT_EVERY_MS,
  });
  return {
    url: catalogue.url,
    from: instantOf(clock.now() - RECENTLY_MS),
    close: () => catalogue.close(),
  };
}

const RECENTLY_MS = 3 * 24 * 60 * 60 * 1000;
