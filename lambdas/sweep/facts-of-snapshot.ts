import type { Listing } from '../state/store.ts';
import type { Snapshot } from './listed.ts';

/** The facts that events carry of each listed panel, as the poller reads them. */
export function factsOfSnapshot({ listedAt, panels }: Snapshot): Listing {
  const listed = [...panels.values()].filter(({ lastListedAt }) => lastListedAt === undefined);
  const facts = listed.map(({ panel }) => {
    const types = panel.types.map(({ slug }) => slug);
    return [
      panel.id,
      {
        types,
        diseaseGroup: panel.diseaseGroup,
        diseaseSubGroup: panel.diseaseSubGroup,
        relevantDisorders: panel.relevantDisorders,
        signedOff: types.some((slug) => /(?:^|-)signed-off$/.test(slug)),
      },
    ] as const;
  });
  return { panels: new Map(facts), listedAt };
}
