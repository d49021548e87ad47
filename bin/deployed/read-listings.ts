import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createStateStore } from '../../lambdas/state/dynamodb.ts';
import type { CatalogueListing } from '../../lambdas/state/listing.ts';
import type { Io } from '../command.ts';
import type { DeployedStage } from './find-stage.ts';

/**
 * The last listing of panels of each catalogue of a stage, where there is one.
 * @throws {StateError} when the table cannot be read
 */
export async function readListings(
  { stateTable: table, catalogues, region }: DeployedStage,
  { clock }: Pick<Io, 'clock'>,
): Promise<readonly CatalogueListing[]> {
  const dynamodb = new DynamoDBClient({ region });
  try {
    const all = await Promise.all(
      catalogues.map(async (catalogue) => {
        const store = createStateStore({ dynamodb, table, catalogue, runId: 'reads-only', clock });
        const listing = await store.listing();
        return listing ? [{ catalogue, listing }] : [];
      }),
    );
    return all.flat();
  } finally {
    dynamodb.destroy();
  }
}
