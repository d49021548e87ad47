import { printable } from '../../lambdas/run/printable.ts';
import { SettingsError } from '../../lib/read-settings.ts';
import type { Io } from '../command.ts';
import { readStage, type SettingsStage } from '../settings-stage.ts';

/**
 * Reads the settings whose subscriptions get messages from this machine; undefined without a settings file. Reports
 * which channels only a deployment has, and which secrets are missing: their messages wait.
 * @throws {SettingsError} when no channel works from this machine
 */
export async function readMessageSettings(
  { config, stage }: { readonly config?: string | undefined; readonly stage?: string | undefined },
  io: Pick<Io, 'clock' | 'env' | 'stderr'>,
): Promise<SettingsStage | undefined> {
  if (config === undefined) return undefined;
  // Loaded at need: a watch without settings starts faster.
  const { channelKinds, settingsOf } = await import('../../lambdas/channels/channel-settings.ts');
  const { channelsIn, localPlan } = await import('./channels.ts');
  const { localChannelSecrets } = await import('./channel-secrets.ts');
  const settings = await readStage(config, { stage, now: io.clock.now() });
  const { plan, unusable } = localPlan(settings);
  for (const why of unusable) io.stderr.write(`${printable(why)}\n`);
  const channels = channelsIn(plan);
  if (channels.length === 0) {
    const usable = channelKinds.filter((kind) => settingsOf(kind).deployedOnly === null);
    throw new SettingsError(
      `${config}, stage ${settings.name}: no subscription has a channel that works from this machine. Expected ${usable.slice(0, -1).join(', ')} or ${usable.at(-1)} under subscriptions.<name>.channels.`,
    );
  }
  const secrets = localChannelSecrets({ places: settings.stage.local.secrets, config, env: io.env });
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
