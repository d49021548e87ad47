import { factsOf } from '../classifier/correlation/chunk-panels.ts';
import { noRequests, superPanelsOf } from '../panels/listing-of.ts';
import { instantOf, parseInstant } from '../run/instant.ts';
import type { ListedPanel, Listing } from '../store/listing.ts';
import type { KnownPanel, Snapshot } from './listed.ts';

/** The facts that events carry of each listed panel, as the poller reads them. */
export function factsOfSnapshot({ listedAt, panels }: Snapshot): Listing {
  const listed = [...panels.values()].filter(({ lastListedAt }) => lastListedAt === undefined);
  const types = listed.flatMap(({ panel }) => panel.types);
  const readAt = instantOf(listedAt);
  const holders = superPanelsOf(
    listed.map(({ panel: { id, name, childPanels: children } }) => ({ id, name, children })),
  );
  const kept = ({ panel }: KnownPanel): ListedPanel => ({
    name: panel.name,
    facts: factsOf(
      {
        types: panel.types,
        disease_group: panel.diseaseGroup,
        disease_sub_group: panel.diseaseSubGroup,
        relevant_disorders: panel.relevantDisorders,
      },
      holders(panel.id),
    ),
    versions: [{ version: panel.version, at: parseInstant(panel.versionCreated) ?? readAt }],
  });
  return {
    panels: new Map(listed.map((known) => [known.panel.id, kept(known)])),
    typeSlugs: new Map(types.map(({ name, slug }) => [name, slug])),
    readAt,
    listedAt,
    requests: noRequests,
  };
}
