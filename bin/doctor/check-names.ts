import { subscriptionNames } from '../../lambdas/notify/filter-names.ts';
import { namedPlaceOf } from '../../lambdas/store/history/sqlite-named-place.ts';
import type { NamedPlace } from '../../lambdas/store/history/unknown-names.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { hasChannels, subscriptionOf } from '../../lib/subscription-settings.ts';
import type { Io } from '../command.ts';
import { openHistory } from '../history-options.ts';
import { readStage } from '../settings-stage.ts';
import { type Finding, failed } from './finding.ts';

interface CheckedNames {
  /** The settings, and the stage of them. */
  readonly config?: string | undefined;
  readonly stage?: string | undefined;
  /** The state directory of `watch`; the deployed history where absent. */
  readonly state?: string | undefined;
}

const CHECK = 'names';
/** The keys of a filter whose values are names. */
const namedKeys = ['panels', 'panelTypes', 'rCodes', 'genes', 'tags', 'actors'] as const;

/** Looks up the names of the subscriptions' filters in what was read: on this machine, or of the deployed stage. */
export async function* checkNames(
  { config = 'notifier.config.ts', stage: wanted, state }: CheckedNames,
  io: Io,
): AsyncGenerator<Finding> {
  try {
    const { stage } = await readStage(config, { stage: wanted, now: io.clock.now() });
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
