import * as z from 'zod';
import { isBeforeVersion } from '../events/order.ts';
import { lastReached, proofBeside } from '../panels/panel-versions.ts';
import { signedOffAt } from '../panels/signed-off-at.ts';
import type { Proof, SignOff } from '../panels/version-state.ts';
import { DAY_MS } from '../run/clock.ts';
import { instantOf } from '../run/instant.ts';
import { recordDocument } from '../store/documents.ts';
import type { Listing } from '../store/listing.ts';
import type { ProofOptions } from './proof-options.ts';

const NAME = 'signed-off-states';
/** The proof of a signed-off version from before the panel was followed. */
const readAlone: Proof = {
  kind: 'unproven',
  why: 'it was read for its sign-off alone; verify --all-versions compares it',
  alone: true,
};

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
  /** Versions that are kept, as `3 4.12`: what a run looked up is not looked up again. */
  kept: z.array(z.string()),
});
const document = recordDocument('the signed-off versions that the catalogue did not serve', recordSchema);
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
  listing,
  first,
  onRead,
}: Pick<ProofOptions, 'archive' | 'states' | 'documents' | 'clock'> & {
  /** The panels as they were listed last; null where they never were. */
  readonly listing: Listing | null;
  /** Panels to read first. */
  readonly first: ReadonlySet<number>;
  /** Called after each version that was asked for, with how many there are after it. */
  readonly onRead?: (versionsLeft: number) => void;
}): Promise<void> {
  const byPanel = Map.groupBy(await states.signOffs(), ({ panelId }) => panelId);
  const now = clock.now();
  const wanted = [...byPanel.values()].flatMap((signOffs) => {
    const counting = signedOffAt(signOffs, instantOf(now));
    // Also those that count from a later day: they are announced before it.
    return signOffs.filter(
      (one) => one === counting || (one.removedAt === null && one.date > (counting?.date ?? '')),
    );
  });
  const isFirst = ({ panelId }: SignOff): number => Number(first.has(panelId));
  let stored = (await document.load(documents, NAME)) ?? { version: 0, missing: [], kept: [] };
  const save = async (change: Partial<typeof stored>): Promise<void> => {
    stored = await document.save(documents, NAME, { ...stored, ...change });
  };
  const found: string[] = [];
  const keptBefore = new Set(stored.kept);
  const names = new Set(wanted.map(nameOf));
  const keep = async (): Promise<void> => {
    if (found.length === 0) return;
    const kept = [...stored.kept.filter((name) => names.has(name)), ...found.splice(0)];
    await save({ kept });
  };
  try {
    const inOrder = wanted.toSorted((one, other) => isFirst(other) - isFirst(one));
    for (const [place, signOff] of inOrder.entries()) {
      const { panelId, version } = signOff;
      if (keptBefore.has(nameOf(signOff))) continue;
      const isSame = (one: MissingState): boolean => one.panelId === panelId && one.version === version;
      if (stored.missing.some((one) => isSame(one) && one.retryAt > now)) continue;
      const kept = await states.versions(panelId);
      // The first state of a panel is its present one.
      if (kept.length === 0) continue;
      if (kept.some((one) => one.version === version)) {
        found.push(nameOf(signOff));
        continue;
      }
      // A proof reads what began after the last version that it reached.
      const reached = lastReached(kept)?.version ?? null;
      const listed = listing?.panels.get(panelId)?.versions[0]?.version;
      const isListed = listed !== undefined && !isBeforeVersion(listed, version);
      if (isListed && isBeforeVersion(reached, version)) continue;
      const answer = await archive.read(panelId, version);
      onRead?.(inOrder.length - place - 1);
      if (answer.kind === 'state') {
        await states.save({ ...answer.state, proof: proofBeside(kept, answer.state, readAlone) });
        found.push(nameOf(signOff));
        continue;
      }
      const others = stored.missing.filter((one) => !isSame(one));
      await save({ missing: [...others, { panelId, version, retryAt: now + RETRY_MS }] });
    }
  } finally {
    await keep();
  }
}

const nameOf = ({ panelId, version }: Pick<SignOff, 'panelId' | 'version'>): string =>
  `${panelId} ${version}`;
