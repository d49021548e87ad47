/**
 * Runs the work for an event unless it was done before. SNS and SQS deliver at least once, and so does the
 * notifier: an event that arrives again has the same `id`.
 */
export type Once = (eventId: string, work: () => Promise<void>) => Promise<void>;

/**
 * Each event once, by Powertools for AWS Lambda or another wrapper that remembers what a function returned.
 *
 * @param wrap makes a function idempotent by its argument
 * @example
 * const persistenceStore = new DynamoDBPersistenceLayer({ tableName: 'seen' });
 * const once = onceWithPowertools((work) => makeIdempotent(work, { persistenceStore }));
 */
export function onceWithPowertools(
  wrap: (work: (eventId: string) => Promise<true>) => (eventId: string) => Promise<unknown>,
): Once {
  return async (eventId, work) => {
    // Powertools stores what the work returns, and needs something to store.
    await wrap(async () => {
      await work();
      return true;
    })(eventId);
  };
}
