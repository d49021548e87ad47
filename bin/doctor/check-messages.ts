import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { subscriptionNames } from '../../lambdas/notify/filter-names.ts';
import { type KeptMessage, openKeptMessages } from '../../lambdas/notify/kept-messages.ts';
import { type MailAddressState, mailAddressProblem } from '../../lambdas/notify/mail-addresses.ts';
import { sendTrials, type Trial } from '../../lambdas/notify/trial.ts';
import { counted } from '../../lambdas/run/text.ts';
import { namedPlaceOf } from '../../lambdas/store/history/sqlite.ts';
import type { NamedPlace } from '../../lambdas/store/history/unknown-names.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { hasChannels, subscriptionOf } from '../../lib/subscription-settings.ts';
import { DeployedStageError, type Io } from '../command.ts';
import { openHistory } from '../history-options.ts';
import { openLocalChannels } from '../local/channels.ts';
import { askNotify, readStage, type StageValues } from '../stage.ts';
import { logLines } from '../terminal.ts';
import { type Finding, failed } from './finding.ts';

interface LocalTrialValues {
  readonly config: string;
  readonly stage?: string | undefined;
  /** The state directory of `watch`, which knows the entries of feeds. */
  readonly state: string;
}

/** Sends a marked trial to each channel that works from this machine. */
export async function* checkLocalMessages(values: LocalTrialValues, io: Io): AsyncGenerator<Finding> {
  const { clock, env } = io;
  const settings = await readStage(values.config, values.stage, io);
  const file = openStateFile(values.state);
  const log = logLines(io);
  try {
    const { plan, unusable, senders, store } = openLocalChannels(settings, file, { clock, env, log });
    for (const text of unusable) yield { check: 'messages', outcome: 'skipped', text };
    yield* findings(await sendTrials({ plan, senders, clock, store, newId: randomUUID }));
    const kept = openKeptMessages(plan, { store, now: clock.now, log });
    yield* orphansIn((await kept.list()).filter(({ orphaned }) => orphaned));
  } finally {
    file.close();
  }
}

function* orphansIn(messages: readonly Pick<KeptMessage, 'subscription' | 'channel'>[]): Generator<Finding> {
  const places = messages.map(({ subscription, channel }) => `${subscription}/${channel}`);
  for (const [place, own] of Map.groupBy(places, (name) => name)) {
    yield {
      check: 'messages',
      outcome: 'warning',
      text: `${counted(own.length, 'message')} for ${place} not sent: the settings no longer have this channel. "messages move ${place} SUBSCRIPTION/CHANNEL" hands them to another one; "messages list" shows them, and "messages drop" drops them.`,
    };
  }
}

function* alarmEmailIn(state: MailAddressState | null | undefined): Generator<Finding> {
  if (state === null || state === undefined) return;
  const problem = mailAddressProblem(state);
  yield {
    check: 'alarms.email',
    outcome: problem === null ? 'ok' : 'failed',
    text: problem ?? 'The address is subscribed to the alarms.',
  };
}

const trialsSchema = z.object({
  trials: z.array(
    z.object({ subscription: z.string(), channel: z.string(), sent: z.boolean(), text: z.string() }),
  ),
  alarmEmail: z.enum(['confirmed', 'unconfirmed', 'missing']).nullable().optional(),
  orphaned: z.array(z.object({ subscription: z.string(), channel: z.string() })).default([]),
});

/** Has a deployed notifier send a marked trial to each of its channels. */
export async function* checkDeployedMessages(
  values: StageValues,
  io: Pick<Io, 'clock'>,
): AsyncGenerator<Finding> {
  try {
    const asked = { request: { send: 'trial' }, answer: trialsSchema, called: 'list of trial messages' };
    const { trials, alarmEmail, orphaned } = await askNotify(asked, values, io);
    yield* findings(trials);
    yield* alarmEmailIn(alarmEmail);
    yield* orphansIn(orphaned);
  } catch (error) {
    if (!(error instanceof DeployedStageError)) throw error;
    yield { check: 'messages', outcome: 'failed', text: error.message };
  }
}

function* findings(trials: readonly Trial[]): Generator<Finding> {
  for (const { subscription, channel, sent, text } of trials) {
    yield {
      check: `${subscription}, ${channel}`,
      outcome: sent ? 'ok' : 'failed',
      text: sent ? `A trial message was sent.${text === '' ? ' Check that it arrived.' : ` ${text}`}` : text,
    };
  }
  if (trials.length === 0) {
    yield {
      check: 'messages',
      outcome: 'warning',
      text: 'No subscription has a channel to try. Put one under subscriptions.<name>.channels.',
    };
  }
}

interface CheckedNames {
  /** The settings, and the stage of them. */
  readonly config?: string | undefined;
  readonly stage?: string | undefined;
  /** The state directory of `watch`; the deployed history where absent. */
  readonly state?: string | undefined;
}

const CHECK = 'names';
const namedKeys = ['panels', 'panelTypes', 'rCodes', 'genes', 'tags', 'actors'] as const;

/** Looks up the names of the subscriptions' filters in what was read: on this machine, or of the deployed stage. */
export async function* checkNames(
  { config = 'notifier.config.ts', stage: wanted, state }: CheckedNames,
  io: Io,
): AsyncGenerator<Finding> {
  try {
    const { stage } = await readStage(config, wanted, io);
    const subscriptions = Object.entries(stage.subscriptions).flatMap(([name, each]) =>
      hasChannels(each) ? [subscriptionOf(name, each)] : [],
    );
    if (!subscriptions.some(({ filter }) => namedKeys.some((key) => filter[key] !== undefined))) return;
    const opened = await openPlace({ config, stage: wanted, state }, io);
    try {
      const found = await subscriptionNames(opened.place, subscriptions);
      const isRead = (await opened.place.history.coverage()).length > 0;
      yield* findingsOf(found, isRead);
    } finally {
      opened.close();
    }
  } catch (error) {
    // Messages may work all the same.
    yield { ...failed(CHECK, error), outcome: 'warning' };
  }
}

function* findingsOf(
  found: Awaited<ReturnType<typeof subscriptionNames>>,
  isRead: boolean,
): Generator<Finding> {
  for (const { subscription, names } of found) {
    const text = names.map(({ sentence }) => sentence).join(' ');
    yield { check: `${CHECK} of ${subscription}`, outcome: 'warning', text };
  }
  if (!isRead) {
    const text = 'Nothing has been read yet, so no name in a filter can be checked.';
    yield { check: CHECK, outcome: 'skipped', text };
  } else if (found.length === 0) {
    yield { check: CHECK, outcome: 'ok', text: 'Every name in the filters of the subscriptions was found.' };
  }
}

async function openPlace(
  { config, stage, state }: CheckedNames,
  io: Io,
): Promise<{ readonly place: NamedPlace; close(): void }> {
  if (state === undefined) {
    const opened = await openHistory({ stage, config }, io);
    return { place: opened, close: opened.close };
  }
  const file = openStateFile(state);
  return { place: namedPlaceOf(file), close: () => file.close() };
}
