import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../run/clock.ts';
import { createDynamoListing } from './dynamodb-listing.ts';
import { createStateTable } from './dynamodb-table.ts';
import type { CatalogueListing } from './listing.ts';

interface ListingsOptions {
  readonly dynamodb: DynamoDBClient;
  /** The table of the state, in which the polls keep the last listing of panels. */
  readonly table: string;
  readonly catalogues: readonly string[];
  readonly clock: Clock;
}

/** The listings are only read. */
const runId = 'reads-only';

/**
 * The last listing of panels of each catalogue in a table, where there is one.
 * @throws {StateError} when the table cannot be read
 */
export async function readListings(options: ListingsOptions): Promise<readonly CatalogueListing[]> {
  const { dynamodb, table, catalogues, clock } = options;
  const all = await Promise.all(
    catalogues.map(async (catalogue) => {
      const stateTable = createStateTable({ dynamodb, table, catalogue, runId, clock });
      const listing = await createDynamoListing(stateTable, { catalogue, runId }).listing();
      return listing ? [{ catalogue, listing }] : [];
    }),
  );
  return all.flat();
}
