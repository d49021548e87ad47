import { instantOf, parseInstant } from '../clock/instant.ts';
import { signedOffBy } from '../panels/facts-of.ts';
import { noRequests } from '../panels/listing-of.ts';
import type { ListedPanel, Listing } from '../state/store.ts';
import type { KnownPanel, Snapshot } from './listed.ts';

/** The facts that events carry of each listed panel, as the poller reads them. */
export function factsOfSnapshot({ listedAt, panels }: Snapshot): Listing {
  const listed = [...panels.values()].filter(({ lastListedAt }) => lastListedAt === undefined);
  const types = listed.flatMap(({ panel }) => panel.types);
  const readAt = instantOf(listedAt);
  const factsOf = ({ panel }: KnownPanel): ListedPanel => {
    const slugs = panel.types.map(({ slug }) => slug);
    return {
      facts: {
        types: slugs,
        diseaseGroup: panel.diseaseGroup,
        diseaseSubGroup: panel.diseaseSubGroup,
        relevantDisorders: panel.relevantDisorders,
        signedOff: signedOffBy(slugs),
      },
      versions: [{ version: panel.version, at: parseInstant(panel.versionCreated) ?? readAt }],
    };
  };
  return {
    panels: new Map(listed.map((known) => [known.panel.id, factsOf(known)])),
    typeSlugs: new Map(types.map(({ name, slug }) => [name, slug])),
    readAt,
    listedAt,
    requests: noRequests,
  };
}
