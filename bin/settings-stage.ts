import { followedPanels } from '../lambdas/filters/followed-panels.ts';
import { parseInstant } from '../lambdas/run/instant.ts';
import { readSettings } from '../lib/read-settings.ts';
import type { Stage } from '../lib/settings.ts';
import { filtersOf } from '../lib/subscription-settings.ts';
import { UsageError } from './command.ts';

/** One stage of a settings file. */
export interface SettingsStage {
  readonly file: string;
  readonly name: string;
  /** Begins the names of what the stage deploys. */
  readonly prefix: string;
  readonly stage: Stage;
}

/**
 * Reads a settings file and returns the stage asked for, else the first.
 * @throws {SettingsError} when the file cannot be used
 * @throws {UsageError} when it has no such stage
 */
export async function readStage(
  file: string,
  { stage: wanted, now }: { readonly stage?: string | undefined; readonly now: number },
): Promise<SettingsStage> {
  const { name: prefix, stages } = await readSettings(file, { now: new Date(now) });
  const name = wanted ?? Object.keys(stages)[0] ?? '';
  const stage = Object.hasOwn(stages, name) ? stages[name] : undefined;
  if (stage) return { file, name, prefix: `${prefix}-${name}`, stage };
  throw new UsageError(
    `--stage ${JSON.stringify(name)}: ${file} has no such stage; it has ${Object.keys(stages).join(', ')}`,
  );
}

/**
 * The catalogue of a stage; `name` chooses among several.
 * @throws {UsageError} when the stage has several and none is chosen, or none of this name
 */
export function settingsCatalogue({ file, stage }: SettingsStage, name?: string) {
  const names = Object.keys(stage.catalogues);
  const chosen = name ?? (names.length === 1 ? names[0] : undefined);
  const found =
    chosen !== undefined && Object.hasOwn(stage.catalogues, chosen) ? stage.catalogues[chosen] : undefined;
  if (chosen === undefined || !found) {
    const seen = name === undefined ? 'it names none of them' : `saw --name ${JSON.stringify(name)}`;
    throw new UsageError(
      `${file} has the catalogues ${names.join(', ')}, and one watch reads one: ${seen}. Give --name with one of them.`,
    );
  }
  const { access } = found;
  const from = found.from === undefined ? null : parseInstant(found.from);
  return {
    name: chosen,
    url: found.base,
    original: found.original,
    everySeconds: found.pollEveryMinutes * 60,
    sweepMinutes: found.sweepEveryMinutes,
    from: from ?? undefined,
    movedFrom: found.movedFrom,
    shrunkenPercent: found.shrunkenListingPercent,
    sameChangePercent: found.sameChangePercent,
    states: found.states,
    /** The panels that subscriptions name. */
    followed: followedPanels(filtersOf(stage.subscriptions), chosen),
    /** The catalogues that it is compared with, and the files of pairs where they have one. */
    comparedWith: found.comparedWith,
    /** Whether it is read with a credential, which is never part of the settings. */
    needsCredential: access.kind !== 'none',
    /** The options of the identity provider, where its tokens are used. */
    identity:
      access.kind === 'client-credentials'
        ? {
            'auth-url': access.authUrl,
            tenant: access.tenantId,
            ...(access.resource !== undefined && { resource: access.resource }),
            ...(access.scope !== undefined && { scope: access.scope }),
            ...(access.basic !== undefined && { basic: access.basic }),
          }
        : {},
  };
}
