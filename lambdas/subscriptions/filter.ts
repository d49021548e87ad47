import * as z from 'zod';
import { directions, type EventKindName, eventKindNames, ratings } from '../events/changes.ts';
import { entityTypes, kindOf, type PanelEvent, typeName } from '../events/schemas.ts';
import { topics } from '../events/topics.ts';
import { type EventFacts, factsOf, nameKey } from './event-facts.ts';

/**
 * The filter language: one vocabulary for the command line, the history and subscriptions. Keys combine with
 * AND, the values inside a key with OR; a filter without keys matches every event.
 */

const some = <Value extends z.ZodType>(value: Value) => z.array(value).min(1).exactOptional();
const name = z.string().trim().min(1);
const types = [...eventKindNames, ...eventKindNames.map(typeName)] as const;
/** `unknown`: the rating is unknown. */
const filterRatings = [...ratings, 'unknown'] as const;

export const filterSchema = z.strictObject({
  catalogues: some(name).describe('Names of catalogues, as configured.'),
  panels: some(z.union([z.number().int(), name])).describe(
    'Ids or names of panels. A renamed panel matches by both names.',
  ),
  panelTypes: some(name).describe('Slugs of panel types, such as `gms-signed-off`.'),
  rCodes: some(z.string().regex(/^R\d+(?:\.\d+)?$/i, 'expected a code such as R59 or R59.3')).describe(
    'Codes of the National Genomic Test Directory. `R59` matches `R59.3` too.',
  ),
  genes: some(name).describe(
    'Names of genes, STRs or regions, in any letter case. A replaced symbol matches by both names.',
  ),
  entityTypes: some(z.enum(entityTypes)),
  topics: some(z.enum(topics)),
  types: some(z.enum(types)).describe('Event types, with or without `gene-panel.` and `.v1`.'),
  from: some(z.enum(filterRatings)).describe('Ratings before; only `entity.classified` matches.'),
  to: some(z.enum(filterRatings)).describe('Ratings after; only `entity.classified` matches.'),
  direction: some(z.enum(directions)).describe('Only `entity.classified` matches.'),
  tags: some(name).describe('Tags that were added or removed, in any letter case.'),
  actors: some(name).describe('Display names of curators and reviewers, in any letter case.'),
  late: z.boolean().exactOptional().describe('Only late events, or none of them.'),
});

/** Which events someone wants to see. */
export type Filter = Readonly<z.infer<typeof filterSchema>>;

/** Whether an event matches; the filter is prepared once, so that a list of thousands of genes costs one look-up. */
export function compileFilter(filter: Filter): (event: PanelEvent) => boolean {
  if (Object.keys(filter).length === 0) return () => true;
  const matches = compileFacts(filter);
  return (event) => matches(factsOf(event));
}

/** As `compileFilter`, for the facts of an event: read them once where many filters see the same event. */
export function compileFacts(filter: Filter): (facts: EventFacts) => boolean {
  const tests = testsOf(normalized(filter));
  if (tests.length === 1 && tests[0]) return tests[0];
  return (facts) => tests.every((test) => test(facts));
}

/** A filter in the forms that `EventFacts` has. */
export interface NormalizedFilter {
  readonly catalogues?: readonly string[];
  readonly panelIds?: readonly number[];
  readonly panelNames?: readonly string[];
  readonly panelTypes?: readonly string[];
  readonly rCodes?: readonly string[];
  readonly genes?: readonly string[];
  readonly entityTypes?: readonly string[];
  /** What `topics` and `types` leave. */
  readonly kinds?: readonly EventKindName[];
  readonly topics?: readonly string[];
  readonly from?: readonly string[];
  readonly to?: readonly string[];
  readonly direction?: readonly string[];
  readonly tags?: readonly string[];
  readonly actors?: readonly string[];
  readonly late?: boolean;
}

/** The filter as events are compared with it: `panels` in ids and names, names in one letter case. */
export function normalized(filter: Filter): NormalizedFilter {
  const { panels, types: named, genes, tags, actors, rCodes, ...others } = filter;
  const isId = (panel: number | string): boolean => typeof panel === 'number' || /^\d+$/.test(panel);
  return {
    ...others,
    ...(panels && {
      panelIds: panels.filter(isId).map(Number),
      panelNames: panels.filter((panel) => typeof panel === 'string').map(nameKey),
    }),
    ...(named && { kinds: [...new Set(named.map((type) => kindOf(type) ?? (type as EventKindName)))] }),
    ...(genes && { genes: genes.map(nameKey) }),
    ...(tags && { tags: tags.map(nameKey) }),
    ...(actors && { actors: actors.map(nameKey) }),
    ...(rCodes && { rCodes: rCodes.map((code) => code.toUpperCase()) }),
  };
}

type Test = (facts: EventFacts) => boolean;

/** One test for each key, those that cost least first. */
function testsOf(filter: NormalizedFilter): readonly Test[] {
  const { panelIds, panelNames, late } = filter;
  const tests = [
    late !== undefined && ((facts: EventFacts) => facts.late === late),
    one(filter.topics, (facts) => facts.topic),
    one(filter.kinds, (facts) => facts.kind),
    one(filter.to, (facts) => facts.to),
    one(filter.direction, (facts) => facts.direction),
    one(filter.from, (facts) => facts.from),
    one(filter.entityTypes, (facts) => facts.entityType),
    one(filter.catalogues, (facts) => facts.catalogue),
    panelIds && panelNames && panelTest(panelIds, panelNames),
    any(filter.genes, (facts) => facts.entityNames),
    any(filter.rCodes, (facts) => facts.rCodes),
    any(filter.panelTypes, (facts) => facts.panelTypes),
    any(filter.tags, (facts) => facts.tags),
    one(filter.actors, (facts) => facts.actor),
  ];
  return tests.filter((test) => typeof test === 'function');
}

function one<Value>(
  wanted: readonly Value[] | undefined,
  fact: (facts: EventFacts) => Value | null,
): Test | undefined {
  if (!wanted) return undefined;
  const values = new Set<Value | null>(wanted);
  return (facts) => values.has(fact(facts));
}

function any(
  wanted: readonly string[] | undefined,
  list: (facts: EventFacts) => readonly string[],
): Test | undefined {
  if (!wanted) return undefined;
  const values = new Set(wanted);
  return (facts) => list(facts).some((value) => values.has(value));
}

function panelTest(panelIds: readonly number[], panelNames: readonly string[]): Test {
  const ids = new Set<number | null>(panelIds);
  const names = new Set(panelNames);
  return (facts) =>
    ids.has(facts.panelId) || (names.size > 0 && facts.panelNames.some((key) => names.has(key)));
}
