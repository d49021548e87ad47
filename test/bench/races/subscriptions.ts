import { compileFacts, type Filter, factsOf } from '../../../lambdas/filters/filter.ts';
import { classifiedEvent } from '../classified-event.ts';
import type { Race } from '../figure.ts';

const [SUBSCRIPTIONS, EVENTS] = [1_000, 10_000];

/** Gene lists, panels, R codes, and filters that match nothing, in turn. */
const filterOf = (at: number): Filter =>
  [
    {
      genes: Array.from({ length: 50 }, (_gene, gene) => `GENE${(at * 7 + gene) % 4_000}`),
      to: ['green' as const],
    },
    { panels: [at % 400], direction: ['upgraded' as const] },
    { rCodes: [`R${at % 400}`], topics: ['classifications' as const] },
    { panelTypes: ['gms-signed-off'], to: ['none' as const] },
  ][at % 4] ?? {};

export const subscriptions: Race = {
  name: 'subscriptions',
  title: `${SUBSCRIPTIONS.toLocaleString('en')} subscriptions matched against ${EVENTS.toLocaleString('en')} events (CPU)`,
  run: async () => {
    const events = Array.from({ length: EVENTS }, (_, index) => classifiedEvent(index));
    const before = process.cpuUsage();
    const filters = Array.from({ length: SUBSCRIPTIONS }, (_, at) => compileFacts(filterOf(at)));
    const matches = events
      .map(factsOf)
      .reduce((sum, facts) => sum + filters.filter((filter) => filter(facts)).length, 0);
    const { user, system } = process.cpuUsage(before);
    const detail = `${matches.toLocaleString('en')} matches`;
    const name = 'filters prepared, and matches found';
    return { figures: [{ name, detail, value: (user + system) / 1000, unit: 'ms', goal: 1_000 }] };
  },
};
