import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readListings } from '../../lambdas/store/dynamodb-listing.ts';
import type { CatalogueListing } from '../../lambdas/store/listing.ts';
import type { Io } from '../command.ts';
import type { DeployedStage } from './find-stage.ts';

/**
 * The last listing of panels of each catalogue of a stage, where there is one.
 * @throws {StateError} when the table cannot be read
 */
export async function readListingsOfStage(
  { stateTable: table, catalogues, region }: DeployedStage,
  { clock }: Pick<Io, 'clock'>,
): Promise<readonly CatalogueListing[]> {
  const dynamodb = new DynamoDBClient({ region });
  try {
    return await readListings({ dynamodb, table, catalogues, clock });
  } finally {
    dynamodb.destroy();
  }
}
