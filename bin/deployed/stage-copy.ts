import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Instant, instantOf } from '../../lambdas/clock/instant.ts';
import { copyHistory } from '../../lambdas/history/copy-history.ts';
import { createDynamoHistory } from '../../lambdas/history/dynamodb.ts';
import { createSqliteHistory } from '../../lambdas/history/sqlite.ts';
import { copyNewestStates } from '../../lambdas/panel-states/copy-newest.ts';
import { createDynamoPanelStates } from '../../lambdas/panel-states/dynamodb-panel-states.ts';
import { createSqlitePanelStates } from '../../lambdas/panel-states/sqlite-panel-states.ts';
import { createDocuments } from '../../lambdas/state/documents-dynamodb.ts';
import { createStateStore } from '../../lambdas/state/dynamodb.ts';
import { createSqliteStore } from '../../lambdas/state/sqlite.ts';
import { openStateFile, type StateFile } from '../../lambdas/state/sqlite-file.ts';
import type { CopyState, DeployedPlace } from '../../page/watcher/deployed-place.ts';
import type { Io } from '../command.ts';
import { untilAborted } from '../until-aborted.ts';
import { explainAwsError } from './explain-aws-error.ts';
import type { DeployedStage } from './find-stage.ts';

/** A copy of what a deployed stage keeps, in a file of this process that is deleted at the end. */
export interface StageCopy {
  readonly file: StateFile;
  readonly place: DeployedPlace;
  /** Reads the stage again and again, until the person stops it. */
  follow(): Promise<void>;
  close(): void;
}

const MINUTE_MS = 60_000;
/** Events that are published late have older dates; what is older still is found by reading the whole history. */
const RECENT_MS = 3 * 86_400_000;
const WHOLE_MS = 6 * 3_600_000;

/**
 * Reads a stage into a file, all of its history first.
 * @param name the stage, as the settings name it
 * @throws {HistoryError | StateError} when a table cannot be read
 * @throws the reason of the signal, when the person stops it before
 */
export async function openStageCopy(
  name: string,
  { stateTable, historyTable, catalogues, region }: DeployedStage,
  { clock, signal }: Pick<Io, 'clock' | 'signal'>,
): Promise<StageCopy> {
  const dynamodb = new DynamoDBClient({ region });
  const folder = mkdtempSync(join(tmpdir(), 'gene-panel-page-'));
  const file = openStateFile(folder);
  const close = (): void => {
    file.close();
    dynamodb.destroy();
    rmSync(folder, { recursive: true, force: true });
  };
  const history = createDynamoHistory({ dynamodb, table: historyTable, clock });
  const parts = catalogues.map((catalogue) => {
    const options = { dynamodb, table: stateTable, catalogue, runId: 'reads-only', clock };
    return {
      catalogue,
      store: createStateStore(options),
      documents: createDocuments(options),
      remote: createDynamoPanelStates({ dynamodb, table: historyTable, catalogue, clock }),
      local: createSqlitePanelStates({ file, catalogue, now: clock.now }),
    };
  });

  let copied: CopyState = { at: clock.now(), problem: null };
  let whole = Number.NEGATIVE_INFINITY;
  const copy = async (): Promise<void> => {
    const now = clock.now();
    const isWhole = now - whole >= WHOLE_MS;
    const since: Instant | undefined = isWhole ? undefined : instantOf(now - RECENT_MS);
    await copyHistory({ from: history, to: createSqliteHistory(file), since, signal });
    for (const { catalogue, store, remote, local } of parts) {
      await copyNewestStates(remote, local);
      const listing = await store.listing();
      if (listing) await createSqliteStore(file, catalogue).saveListing(listing);
    }
    if (isWhole) whole = now;
    copied = { at: now, problem: null };
  };
  const follow: StageCopy['follow'] = async () => {
    for (;;) {
      await clock.sleep(MINUTE_MS, signal).catch(() => {});
      if (signal.aborted) return;
      try {
        // A person who stops it waits for no table.
        await Promise.race([copy(), untilAborted(signal)]);
        if (signal.aborted) return;
      } catch (error) {
        if (signal.aborted) return;
        copied = { ...copied, problem: problemOf(error) };
      }
    }
  };

  try {
    await copy();
  } catch (error) {
    close();
    throw error;
  }
  return {
    file,
    follow,
    close,
    place: {
      stage: name,
      catalogues,
      kept: parts.map(({ catalogue, store, documents }) => ({ name: catalogue, store, documents })),
      states(catalogue) {
        const part = parts.find((each) => each.catalogue === catalogue);
        // A catalogue that the stage followed once, and follows no longer.
        if (!part) return createSqlitePanelStates({ file, catalogue, now: clock.now });
        const { newest, panels, holdings, signOffs } = part.local;
        return { ...part.remote, newest, panels, holdings, signOffs };
      },
      copied: () => copied,
    },
  };
}

const problemOf = (error: unknown): string =>
  error instanceof Error ? (explainAwsError(error) ?? error.message) : String(error);
