import type { Draft } from '../classifier/draft.ts';
import type { PanelChange } from '../events/changes.ts';
import type { PanelFacts, SomePanelFacts } from '../events/schemas.ts';
import { signedOffBy, slugOf } from '../panels/facts-of.ts';
import type { Listing } from '../state/listing.ts';

/** Longer facts, as JSON, are not kept: no real list of types or disorders is that long. */
const LONGEST_FACTS = 20_000;

/**
 * The facts of its panel that a row states; null where it states none. The log calls the relevant disorders of
 * `/panels/` related panels.
 */
export function statedFacts(draft: Draft, listing: Pick<Listing, 'typeSlugs'> | null): SomePanelFacts | null {
  const created = draft['panel.created'];
  const changes = draft['panel.changed']?.changes ?? [];
  const types = created ? (created.types ?? []) : listIn(changes, 'types');
  const disorders = created ? (created.relatedPanels ?? []) : listIn(changes, 'relatedPanels');
  if (!types && !disorders) return null;
  const facts = {
    ...(types && typeFacts(types.map((name) => listing?.typeSlugs.get(name) ?? slugOf(name)))),
    ...(disorders && { relevantDisorders: disorders }),
  };
  return JSON.stringify(facts).length <= LONGEST_FACTS ? facts : null;
}

function listIn(changes: readonly PanelChange[], field: PanelChange['field']): string[] | undefined {
  const to = changes.findLast((change) => change.field === field)?.to;
  return Array.isArray(to) ? to : undefined;
}

function typeFacts(types: string[]): Pick<PanelFacts, 'types' | 'signedOff'> {
  return { types, signedOff: signedOffBy(types) };
}
