import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { PanelDetails } from '../../sandbox/catalogue/content.ts';
import { type Detail, microseconds, type TrueVersion, truthOf } from '../oracle/archived-truth.ts';
import { holdAgainstArchive } from '../oracle/hold-events.ts';

interface HeldEvents {
  readonly events: readonly PanelEvent[];
  readonly details: PanelDetails;
  readonly panelIds: Iterable<number>;
  /** Milliseconds since 1970: of versions that began earlier, some rows were not published. */
  readonly since: number;
}

/** How many numbers in a row may be missing in the archive: a number may be skipped. */
const MOST_SKIPPED = 4;

/** Every version of a panel that the archive has, and the present one. */
function* versionsOf(details: PanelDetails, id: number): Generator<Detail> {
  for (let major = 0, missingMajors = 0; missingMajors < MOST_SKIPPED; major += 1) {
    let found = false;
    for (let minor = 0, missing = 0; missing < MOST_SKIPPED; minor += 1) {
      const detail = details.version(id, `${major}.${minor}`);
      missing = detail ? 0 : missing + 1;
      found ||= detail !== undefined;
      if (detail) yield detail as Detail;
    }
    missingMajors = found ? 0 : missingMajors + 1;
  }
}

/** What events say otherwise than the archive of a made-up catalogue shows, a line each, and how many values were held. */
export function holdAgainstDetails({ events, details, panelIds, since }: HeldEvents) {
  const corrected = new Set(events.map(({ data }) => data.corrects));
  const versions = Object.fromEntries(
    [...panelIds].flatMap((id) =>
      [...versionsOf(details, id)].map((detail) => [`${id}@${detail.version}`, detail] as const),
    ),
  );
  const truth = truthOf({ current: {}, versions });
  // What was changed without a row in the version that a panel has, its end will show.
  const isEnded = ({ begun }: TrueVersion, index: number, own: readonly TrueVersion[]): boolean =>
    begun > BigInt(since) * 1000n && index < own.length - 1;
  // A super panel may have one entity from several of its panels.
  const isSuper = (own: readonly TrueVersion[]): boolean => own.some((version) => version.isSuper);
  const wholly = new Map(
    [...truth].flatMap(([id, own]) => (isSuper(own) ? [] : [[id, own.filter(isEnded)] as const])),
  );
  const own = events.filter(({ id, data, time = '' }) => {
    const version = wholly.get(data.panel?.id ?? 0)?.find((one) => one.version === data.panel?.version);
    // What listings showed first leaves nothing for the versions between them to state.
    const isListed = 'via' in data.change && data.change.via === 'listing';
    return (
      !corrected.has(id) && (version !== undefined || isListed) && microseconds(time) > BigInt(since) * 1000n
    );
  });
  const held = holdAgainstArchive({ events: own, truth, isProven: false });
  const values = [...held.counts.values()].reduce((sum, count) => sum + count.held, 0);
  // The archive shows no version in its middle, where an administrator may have renamed a tag before a curator took it away.
  const renamed = own.flatMap(({ data }) =>
    [...JSON.stringify(data.change).matchAll(/"([^"]+)-renamed"/g)].map(([, tag = '']) => tag),
  );
  const isRenamedTag = ({ field, summary }: (typeof held.denied)[number]): boolean =>
    field.startsWith('tags ') &&
    renamed.some((tag) => [tag, `${tag}-renamed`].some((name) => summary.includes(`“${name}”`)));
  const denied = held.denied.filter((one) => !isRenamedTag(one));
  return {
    values,
    denied: denied.map(
      ({ field, panelId, version, entity, said, allowed, time, summary }) =>
        `${field} | ${panelId} ${version} ${entity} | said ${said} | wanted ${allowed} | ${time} ${summary}`,
    ),
  };
}
