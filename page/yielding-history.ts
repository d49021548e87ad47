import { setImmediate as nextTurn } from 'node:timers/promises';
import type { History } from '../lambdas/store/history/history.ts';

/** Events that are read in one turn of the event loop. */
const EVENTS_PER_TURN = 250;

/** The history, read so that polls and other requests of this process go on meanwhile. */
export function yieldingHistory(history: History): History {
  return {
    ...history,
    async *findWithoutRows(query) {
      let count = 0;
      for await (const event of history.findWithoutRows(query)) {
        if (++count % EVENTS_PER_TURN === 0) await nextTurn();
        yield event;
      }
    },
  };
}
