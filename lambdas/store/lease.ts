import { createStateTable, keyItem, number, type StateTableOptions, text } from './dynamodb-table.ts';
import { partitionOf } from './table-keys.ts';

interface LeaseOptions extends StateTableOptions {
  /** What one run at a time does; `log` publishes the events of the catalogue. */
  readonly of?: 'log' | 'relay';
  /** For how long it is held, in milliseconds; a minute by default: a chunk is published in seconds, and SNS gives up within one. */
  readonly heldMs?: number;
}

const FREE = 'attribute_not_exists(pk) OR freeFrom <= :now OR holder = :holder';
const MINE = 'holder = :holder';

/**
 * Lets one run at a time publish the events of a catalogue, or write the relay's tree. It ends by itself when its holder died.
 * Rows are published once without it, too: each write of the position is conditional. A change without a row that two runs find at
 * the same time is published twice without it.
 * On one machine the lock of the state's folder does the same.
 * @throws {StateError} `STATE_UNAVAILABLE` from every method, when the table does not answer
 */
export function createLease(options: LeaseOptions) {
  const { catalogue, runId, clock, of = 'log', heldMs = 60_000 } = options;
  const table = createStateTable(options);
  const key = keyItem({ pk: `${partitionOf(catalogue)}#lease`, sk: of });
  const write = (freeFrom: number, condition: string): Promise<boolean> =>
    table.putIf(
      { ...key, holder: text(runId), freeFrom: number(freeFrom) },
      {
        ConditionExpression: condition,
        ExpressionAttributeValues: {
          ':holder': text(runId),
          ...(condition === FREE && { ':now': number(clock.now()) }),
        },
      },
    );
  return {
    /** Takes the lease, or keeps it for longer. Returns whether this run has it now. */
    take: () => write(clock.now() + heldMs, FREE),
    /** Ends the lease, unless another run has taken it over. */
    release: async (): Promise<void> => void (await write(0, MINE)),
  };
}

/** The lease of one catalogue. */
export type Lease = ReturnType<typeof createLease>;
