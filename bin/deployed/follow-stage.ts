import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { MINUTE_MS } from '../../lambdas/run/clock.ts';
import { openStageCopy } from '../../page/stage/stage-copy.ts';
import { type Io, untilAborted } from '../command.ts';
import { explainAwsError } from './aws-problem.ts';
import type { DeployedStage } from './find-stage.ts';

/**
 * Reads a stage into a file, all of its history first.
 * @param name the stage, as the settings name it
 * @throws {HistoryError | StateError} when a table cannot be read
 * @throws the reason of the signal, when the person stops it before
 */
export async function followStage(
  name: string,
  { region, stateTable, historyTable, catalogues }: DeployedStage,
  { clock, signal }: Pick<Io, 'clock' | 'signal'>,
) {
  const dynamodb = new DynamoDBClient({ region });
  const explain = (error: unknown): string =>
    error instanceof Error ? (explainAwsError(error) ?? error.message) : String(error);
  const tables = { stateTable, historyTable, catalogues };
  const copy = openStageCopy({ name, ...tables, dynamodb, clock, signal, explain });
  const close = (): void => {
    copy.close();
    dynamodb.destroy();
  };
  const read = async (): Promise<void> => {
    await copy.readNew();
    while (await copy.readOlder());
  };
  try {
    await read();
  } catch (error) {
    close();
    throw error;
  }
  return {
    file: copy.file,
    place: copy.place,
    close,
    async follow() {
      for (;;) {
        await clock.sleep(MINUTE_MS, signal).catch(() => {});
        if (signal.aborted) return;
        // The page says what failed. A person who stops it waits for no table.
        await Promise.race([read().catch(() => {}), untilAborted(signal)]);
        if (signal.aborted) return;
      }
    },
  };
}
