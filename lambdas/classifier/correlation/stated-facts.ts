import type { PanelChange } from '../../events/changes.ts';
import type { PanelFacts, SomePanelFacts } from '../../events/schemas.ts';
import type { StatedFacts } from '../../store/known-states.ts';
import type { Listing } from '../../store/listing.ts';
import type { Draft } from '../draft.ts';
import { signedOffBy, slugOf } from '../facts-of.ts';

type Facts = Pick<StatedFacts, 'facts' | 'unknown'>;
type Fact = keyof PanelFacts;

/** Longer facts, as JSON, are not kept: no real list of types or disorders is that long. */
const LONGEST_FACTS = 20_000;

/**
 * The facts of its panel that a row states, and those that it changes in a way that cannot be read; null where it says
 * nothing of them. The log calls the relevant disorders of `/panels/` related panels.
 */
export function statedFacts(draft: Draft, listing: Pick<Listing, 'typeSlugs'> | null): Facts | null {
  const types = listIn(draft, 'types');
  const disorders = listIn(draft, 'relatedPanels');
  if (types === undefined && disorders === undefined) return null;
  const facts = {
    ...(types && typeFacts(types.map((name) => listing?.typeSlugs.get(name) ?? slugOf(name)))),
    ...(disorders && { relevantDisorders: disorders }),
  };
  const unknown: readonly Fact[] = [
    ...(types === null ? (['types', 'signedOff'] as const) : []),
    ...(disorders === null ? (['relevantDisorders'] as const) : []),
  ];
  if (JSON.stringify(facts).length <= LONGEST_FACTS) return { facts, unknown };
  return { facts: {}, unknown: [...unknown, ...(Object.keys(facts) as Fact[])] };
}

/** What is known of a panel once later facts were stated. */
export function withFacts(earlier: Facts, later: Facts): Facts {
  const facts = { ...factsWithout(earlier.facts, later.unknown), ...later.facts };
  const unknown = [...new Set([...(earlier.unknown ?? []), ...(later.unknown ?? [])])].filter(
    (fact) => !(fact in facts),
  );
  return { facts, ...(unknown.length > 0 && { unknown }) };
}

/** Facts without those that are unknown. */
export function factsWithout(facts: SomePanelFacts, unknown: Facts['unknown'] = []): SomePanelFacts {
  const entries = Object.entries(facts).filter(([fact]) => !unknown.some((one) => one === fact));
  return Object.fromEntries(entries) as SomePanelFacts;
}

/** The list that a row states; null where it changes the list and does not say to what, undefined where it does not. */
function listIn(draft: Draft, field: 'types' | 'relatedPanels'): string[] | null | undefined {
  const created = draft['panel.created'];
  const change = draft['panel.changed']?.changes?.findLast((one: PanelChange) => one.field === field);
  if (!change) return created && (created[field] ?? []);
  return Array.isArray(change.to) ? change.to : null;
}

function typeFacts(types: string[]): Pick<PanelFacts, 'types' | 'signedOff'> {
  return { types, signedOff: signedOffBy(types) };
}
