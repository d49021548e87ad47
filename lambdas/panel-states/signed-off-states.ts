import * as z from 'zod';
import { instantOf } from '../clock/instant.ts';
import { damagedState } from '../state/damaged-state.ts';
import type { Documents } from '../state/documents.ts';
import type { ProofOptions } from './proof-options.ts';
import { signedOffAt } from './signed-off-at.ts';
import type { SignOff } from './version-state.ts';

const NAME = 'signed-off-states';
const DAY_MS = 24 * 60 * 60 * 1000;
/** A version that the archive lacks is asked for again after this time. */
const RETRY_MS = 7 * DAY_MS;

const recordSchema = z.object({
  /** Signed-off versions that the catalogue did not serve. */
  missing: z.array(
    z.object({
      panelId: z.int(),
      version: z.string(),
      /** Not asked for again before, in milliseconds since the epoch. */
      retryAt: z.number(),
    }),
  ),
});
type MissingState = z.infer<typeof recordSchema>['missing'][number];

/**
 * Reads what the signed-off version of each panel held, where it is not kept: panels were signed off before they were
 * first read here. A proof needs none of it; the difference of two sign-offs, and what waits for the next one, do.
 *
 * @throws {ArchivePaused} where no request may be sent; {CatalogueError | StateError} when it cannot go on
 */
export async function readSignedOffStates({
  archive,
  states,
  documents,
  clock,
  first = new Set(),
}: Pick<ProofOptions, 'archive' | 'states' | 'documents' | 'clock' | 'first'>): Promise<void> {
  const byPanel = Map.groupBy(await states.signOffs(), ({ panelId }) => panelId);
  const now = clock.now();
  const counting = [...byPanel.values()].flatMap((signOffs) => signedOffAt(signOffs, instantOf(now)) ?? []);
  const isFirst = ({ panelId }: SignOff): number => Number(first.has(panelId));
  for (const signOff of counting.toSorted((one, other) => isFirst(other) - isFirst(one))) {
    const { panelId, version } = signOff;
    const kept = await states.versions(panelId);
    // The first state of a panel is its present one.
    if (kept.length === 0 || kept.some((one) => one.version === version)) continue;
    const stored = await load(documents);
    const isSame = (one: MissingState): boolean => one.panelId === panelId && one.version === version;
    if (stored.missing.some((one) => isSame(one) && one.retryAt > now)) continue;
    const answer = await archive.read(panelId, version);
    if (answer.kind === 'state') {
      await states.save(answer.state);
      continue;
    }
    const others = stored.missing.filter((one) => !isSame(one));
    const missing = [...others, { panelId, version, retryAt: now + RETRY_MS }];
    await documents.save(NAME, stored.version, JSON.stringify({ missing }));
  }
}

async function load(
  documents: Documents,
): Promise<{ readonly version: number; readonly missing: readonly MissingState[] }> {
  const stored = await documents.load(NAME);
  if (!stored) return { version: 0, missing: [] };
  const read = recordSchema.safeParse(JSON.parse(stored.body));
  if (read.success) return { version: stored.version, ...read.data };
  throw damagedState(
    'the signed-off versions that the catalogue did not serve',
    read.error,
    'Restore the state to an earlier time.',
  );
}
