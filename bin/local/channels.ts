import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  ChannelSecretError,
  type ChannelSecrets,
  secretsIn,
} from '../../lambdas/channels/channel-secrets.ts';
import { type Channel, settingsOf } from '../../lambdas/channels/channel-settings.ts';
import { openSenders } from '../../lambdas/notify/deliver.ts';
import { type NotifyPlan, OPERATIONS } from '../../lambdas/notify/subscription.ts';
import type { Log } from '../../lambdas/run/log.ts';
import { createSqliteItems } from '../../lambdas/store/items-sqlite.ts';
import type { StateFile } from '../../lambdas/store/sqlite-file.ts';
import { planOf } from '../../lib/notify-plan.ts';
import type { LocalSettings } from '../../lib/settings.ts';
import { hasChannels } from '../../lib/subscription-settings.ts';
import type { Io } from '../command.ts';
import type { SettingsStage } from '../stage.ts';

/** The plan of a stage without the channels that need AWS. */
export function localPlan({ prefix, stage }: SettingsStage) {
  const subscriptions = Object.fromEntries(
    Object.entries(stage.subscriptions).flatMap(([name, each]) => (hasChannels(each) ? [[name, each]] : [])),
  );
  const whole = planOf({ ...stage, prefix }, subscriptions);
  const unusable: string[] = [];
  const usable = (name: string, channels: readonly Channel[]): readonly Channel[] =>
    channels.filter((channel) => {
      const why = needsAws(channel);
      if (why !== undefined) unusable.push(`${name}: ${why}`);
      return why === undefined;
    });
  const { operations } = whole;
  return {
    plan: {
      ...whole,
      subscriptions: whole.subscriptions.map((each) => ({
        ...each,
        channels: usable(`subscriptions.${each.name}`, each.channels),
      })),
      operations: { ...operations, channels: usable(OPERATIONS, operations.channels) },
    },
    /** Channels of the settings that only a deployment has, and what to do; a sentence each. */
    unusable,
  };
}

function needsAws({ kind }: Channel): string | undefined {
  const { deployedOnly } = settingsOf(kind);
  return deployedOnly === null ? undefined : `the channel '${kind}' ${deployedOnly}`;
}

/** The channels of a stage that work from this machine; what they are still to get is kept in the file of the state. */
export function openLocalChannels(
  settings: SettingsStage,
  file: StateFile,
  { clock, env, log }: Pick<Io, 'clock' | 'env'> & { readonly log: Log },
) {
  const { plan, unusable } = localPlan(settings);
  const folder = resolve(dirname(settings.file), settings.stage.local.feeds);
  const senders = openSenders({
    secrets: localChannelSecrets(settings, env),
    clock,
    log,
    publish: null,
    relay: plan.mailRelay ?? null,
    writeFeed: (name, xml) => writeWhole(join(folder, name), xml),
  });
  const store = createSqliteItems(file, { what: 'the messages', now: clock.now });
  return { plan, unusable, senders, store };
}

/** A reader, or a process that is killed meanwhile, never leaves half a file. */
async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

interface OwnedChannel {
  readonly subscription: string;
  readonly channel: Channel;
}

/** Every channel of a plan, those of operations last. */
export const channelsIn = ({ subscriptions, operations }: NotifyPlan): readonly OwnedChannel[] => [
  ...subscriptions.flatMap(({ name, channels }) =>
    channels.map((channel) => ({ subscription: name, channel })),
  ),
  ...operations.channels.map((channel) => ({ subscription: OPERATIONS, channel })),
];

/**
 * Webhook addresses and logins in environment variables and files: the text of an address, or a JSON object. A file is
 * read at each use, so that a new secret takes effect at once. Paths of files are relative to the folder of the settings.
 */
export function localChannelSecrets({ file: config, stage }: SettingsStage, env: Io['env']): ChannelSecrets {
  const places = stage.local.secrets;
  const placeOf = (name: string): LocalSettings['secrets'][string] =>
    (Object.hasOwn(places, name) ? places[name] : undefined) ?? { variable: variableOf(name) };
  const inFile = (path: string): string => resolve(dirname(config), path);
  return secretsIn({
    async read(name) {
      const place = placeOf(name);
      const text = 'file' in place ? await readSecret(inFile(place.file), name) : env[place.variable];
      return text === undefined || text.trim() === '' ? undefined : entryIn(text.trim());
    },
    place: (name) => {
      const place = placeOf(name);
      const where =
        'file' in place ? `the file ${inFile(place.file)}` : `${place.variable} in the environment`;
      return `the secret "${name}" from ${where}`;
    },
    remedy: (name) => {
      const place = placeOf(name);
      return 'file' in place
        ? 'write it into that file'
        : `set ${place.variable}, or name another place under local.secrets in ${config}`;
    },
    forget: () => {},
  });
}

/** `CHANNEL_LAB_SLACK` for `lab-slack`. */
const variableOf = (name: string): string => `CHANNEL_${name.toUpperCase().replaceAll('-', '_')}`;

async function readSecret(path: string, name: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new ChannelSecretError(
      `Reading the secret "${name}" from the file ${path}: ${cause.code ?? 'it cannot be read'}. Write the address or the login there, for this user alone to read.`,
      { cause },
    );
  });
}

function entryIn(text: string): unknown {
  if (!text.startsWith('{')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The message of the parser would quote the secret.
    return null;
  }
}
