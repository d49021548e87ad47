import type * as z from 'zod';
import type { Direction, Rating } from '../events/changes.ts';
import { inheritanceGroupOf } from '../events/inheritance.ts';
import { type EventKindName, eventKinds, kindOf, type Topic } from '../events/kinds.ts';
import { rCodesIn } from '../events/r-codes.ts';
import type { Entity, EventPanel, PanelEvent } from '../events/schemas.ts';
import { onceForText } from '../run/text.ts';
import { inheritanceOf } from './entity-history.ts';
import type { filterSchema } from './filter-schema.ts';
import { type GreenTurn, greenTurnOfEvent } from './green-turn.ts';
import { type NamedPanel, type Names, nameKey, noNames, panelKey } from './names.ts';

type Asked = z.infer<typeof filterSchema>;

/** Which events someone wants to see. */
export type Filter = { readonly [Key in keyof Asked]: Readonly<Asked[Key]> };

/**
 * Whether an event matches; the filter is prepared once, so that a list of thousands of genes costs one look-up. Any name
 * that a panel or an entity ever had finds it, as far as `names` has them.
 */
export function compileFilter(filter: Filter, names: Names = noNames): (event: PanelEvent) => boolean {
  if (Object.keys(filter).length === 0) return () => true;
  const matches = compileFacts(filter, names);
  return (event) => matches(factsOf(event));
}

/** As `compileFilter`, for the facts of an event: read them once where many filters see the same event. */
export function compileFacts(filter: Filter, names: Names = noNames): (facts: EventFacts) => boolean {
  const tests = testsOf(normalized(filter, names));
  if (tests.length === 1 && tests[0]) return tests[0];
  return (facts) => tests.every((test) => test(facts));
}

/** A filter in the forms that `EventFacts` has. */
export interface NormalizedFilter {
  readonly catalogues?: readonly string[];
  readonly panelIds?: readonly number[];
  readonly panelNames?: readonly string[];
  /** The panels that have or had one of the names. */
  readonly namedPanels?: readonly NamedPanel[];
  /** Every name of the panels that are asked for: rows of a deleted panel have no id. */
  readonly namesOfPanels?: readonly string[];
  readonly panelTypes?: readonly string[];
  readonly rCodes?: readonly string[];
  readonly genes?: readonly string[];
  /** Names that hold on single panels, by the key of the panel: a curator replaced a symbol there. */
  readonly genesOnPanels?: ReadonlyMap<string, ReadonlySet<string>>;
  /** `genes` and those of `genesOnPanels`: no other event can match. */
  readonly possibleGenes?: readonly string[];
  readonly entityTypes?: readonly string[];
  /** What `topics` and `types` leave. */
  readonly kinds?: readonly EventKindName[];
  readonly topics?: readonly string[];
  readonly from?: readonly string[];
  readonly to?: readonly string[];
  readonly direction?: readonly string[];
  readonly green?: readonly string[];
  /** In the form that `nameKey` gives. */
  readonly inheritanceFrom?: readonly string[];
  readonly inheritanceTo?: readonly string[];
  readonly tags?: readonly string[];
  readonly actors?: readonly string[];
  readonly late?: boolean;
}

/** The filter as events are compared with it: `panels` in ids and names, names in one letter case. */
export function normalized(filter: Filter, names: Names = noNames): NormalizedFilter {
  const {
    panels,
    types: named,
    genes,
    tags,
    actors,
    rCodes,
    inheritanceFrom,
    inheritanceTo,
    ...others
  } = filter;
  return {
    ...others,
    ...(panels && panelsOf(panels, names)),
    ...(named && { kinds: [...new Set(named.map((type) => kindOf(type) ?? (type as EventKindName)))] }),
    ...(genes && genesOf(genes, names)),
    ...(tags && { tags: tags.map(nameKey) }),
    ...(inheritanceFrom && { inheritanceFrom: inheritanceFrom.map(nameKey) }),
    ...(inheritanceTo && { inheritanceTo: inheritanceTo.map(nameKey) }),
    ...(actors && { actors: actors.map(nameKey) }),
    ...(rCodes && { rCodes: rCodes.map((code) => code.toUpperCase()) }),
  };
}

function genesOf(
  given: readonly string[],
  names: Names,
): Pick<NormalizedFilter, 'genes' | 'genesOnPanels' | 'possibleGenes'> {
  const genes = [...new Set(given.flatMap((gene) => names.entityKeys(gene)))];
  const genesOnPanels = new Map<string, Set<string>>();
  for (const gene of given) {
    for (const { catalogue, panelId, keys } of names.entityKeysOnPanels(gene)) {
      const place = panelKey(catalogue, panelId);
      genesOnPanels.set(place, new Set([...(genesOnPanels.get(place) ?? []), ...keys]));
    }
  }
  const possibleGenes = [...new Set([...genes, ...[...genesOnPanels.values()].flatMap((keys) => [...keys])])];
  return { genes, genesOnPanels, possibleGenes };
}

const isId = (panel: number | string): boolean => typeof panel === 'number' || /^\d+$/.test(panel);

function panelsOf(
  panels: NonNullable<Filter['panels']>,
  names: Names,
): Pick<NormalizedFilter, 'panelIds' | 'panelNames' | 'namedPanels' | 'namesOfPanels'> {
  const ids = new Set(panels.filter(isId).map(Number));
  const given = panels.filter((panel) => typeof panel === 'string');
  const namedPanels = [...new Set(given.flatMap((name) => names.panelsCalled(name)))];
  const byId = ids.size > 0 ? names.panels().filter(({ id }) => ids.has(id)) : [];
  const namesOfPanels = [...namedPanels, ...byId].flatMap(({ name, formerly }) => [name, ...formerly]);
  return {
    panelIds: [...ids],
    panelNames: given.map(nameKey),
    namedPanels,
    namesOfPanels: [...new Set(namesOfPanels.map(nameKey))],
  };
}

type Test = (facts: EventFacts) => boolean;

/** One test for each key, those that cost least first. */
function testsOf(filter: NormalizedFilter): readonly Test[] {
  const { panelIds, panelNames, namedPanels = [], namesOfPanels = [], late } = filter;
  const tests = [
    late !== undefined && ((facts: EventFacts) => facts.late === late),
    one(filter.topics, (facts) => facts.topic),
    one(filter.kinds, (facts) => facts.kind),
    one(filter.to, (facts) => facts.to),
    one(filter.direction, (facts) => facts.direction),
    one(filter.from, (facts) => facts.from),
    one(filter.green, (facts) => facts.green),
    one(filter.entityTypes, (facts) => facts.entityType),
    one(filter.catalogues, (facts) => facts.catalogue),
    panelIds && panelNames && panelTest({ panelIds, panelNames, namedPanels, namesOfPanels }),
    filter.genes && geneTest(filter.genes, filter.genesOnPanels ?? new Map()),
    any(filter.rCodes, (facts) => facts.rCodes),
    any(filter.panelTypes, (facts) => facts.panelTypes),
    any(filter.inheritanceFrom, (facts) => facts.inheritanceFrom),
    any(filter.inheritanceTo, (facts) => facts.inheritanceTo),
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

function geneTest(genes: readonly string[], onPanels: NonNullable<NormalizedFilter['genesOnPanels']>): Test {
  const everywhere = new Set(genes);
  return ({ catalogue, panelId, entityNames }) => {
    if (entityNames.some((name) => everywhere.has(name))) return true;
    const there = panelId === null ? undefined : onPanels.get(panelKey(catalogue, panelId));
    return there !== undefined && entityNames.some((name) => there.has(name));
  };
}

function panelTest({
  panelIds,
  panelNames,
  namedPanels,
  namesOfPanels,
}: Required<Pick<NormalizedFilter, 'panelIds' | 'panelNames' | 'namedPanels' | 'namesOfPanels'>>): Test {
  const ids = new Set<number | null>(panelIds);
  const keys = new Set(namedPanels.map(({ catalogue, id }) => panelKey(catalogue, id)));
  const names = new Set(panelNames);
  const namesWithoutId = new Set([...panelNames, ...namesOfPanels]);
  return ({ catalogue, panelId, panelNames: called }) => {
    if (panelId === null) return called.some((key) => namesWithoutId.has(key));
    if (ids.has(panelId) || keys.has(panelKey(catalogue, panelId))) return true;
    return names.size > 0 && called.some((key) => names.has(key));
  };
}

/** What filters compare, read from an event once. Names are in the form that `nameKey` gives. */
export interface EventFacts {
  readonly catalogue: string;
  readonly kind: EventKindName;
  readonly topic: Topic;
  readonly panelId: number | null;
  /** The panel's name; for a renamed panel also the name before. */
  readonly panelNames: readonly string[];
  readonly panelTypes: readonly string[];
  /** Codes of the test directory, upper case, without a sub-code: `R59` for `R59.3` too. */
  readonly rCodes: readonly string[];
  readonly entityType: string | null;
  /** The entity's name, for a renamed or replaced entity both names; then its HGNC id, where the event states it. */
  readonly entityNames: readonly string[];
  readonly from: Rating | 'unknown' | null;
  readonly to: Rating | 'unknown' | null;
  readonly direction: Direction | null;
  /** What the change means for the green list; null where it means nothing. */
  readonly green: GreenTurn | null;
  /** The mode of inheritance before and after, as its group and the catalogue's text; empty where the event changes none. */
  readonly inheritanceFrom: readonly string[];
  readonly inheritanceTo: readonly string[];
  readonly tags: readonly string[];
  readonly actor: string | null;
  readonly late: boolean;
}

/**
 * The facts of an event that filters compare.
 * @throws {TypeError} when the type of the event is not one of this project
 */
export function factsOf(event: PanelEvent): EventFacts {
  const { catalogue, panel, entity, actor, late } = event.data;
  const kind = kindOf(event.type);
  if (kind === undefined) throw new TypeError(`Unknown event type ${JSON.stringify(event.type)}`);
  const { from, to, direction } = ratingFacts(event);
  const { inheritanceFrom, inheritanceTo } = inheritanceFacts(event);
  // One literal: an object that is put together of others takes several times as long to make.
  return {
    catalogue,
    kind,
    topic: eventKinds[kind].topic,
    panelId: panel?.id ?? null,
    panelNames: panel ? panelNamesOf(event, panel.name) : none,
    panelTypes: panel?.types?.length ? oneListOf(panel.types.join('\n')) : none,
    rCodes: panel?.relevantDisorders?.length ? rCodesIn(panel.relevantDisorders) : none,
    entityType: entity?.type ?? null,
    entityNames: entity ? withId(entityNamesOf(event, entity.name), entity) : none,
    from,
    to,
    direction,
    green: greenTurnOfEvent(event),
    inheritanceFrom,
    inheritanceTo,
    tags: tagsOf(event),
    actor: actor === null ? null : keyOf(actor),
    late,
  };
}

/** Thousands of events have the same names: who keeps their facts keeps each of them once. */
const MOST_NAMES = 5_000;
const keyOf = onceForText(MOST_NAMES, nameKey);
const keyListOf = onceForText(MOST_NAMES, (name): readonly string[] => [keyOf(name)]);
const oneListOf = onceForText(MOST_NAMES, (types): readonly string[] => types.split('\n'));

const withId = (names: readonly string[], { hgncId }: { readonly hgncId?: string | undefined }) =>
  hgncId === undefined ? names : [...names, keyOf(hgncId)];

const none: readonly string[] = [];
const unrated = { from: null, to: null, direction: null } as const;

function ratingFacts(event: PanelEvent): Pick<EventFacts, 'from' | 'to' | 'direction'> {
  if (event.type !== 'gene-panel.entity.classified.v1') return unrated;
  const { from, to, direction } = event.data.change;
  return { from: from ?? 'unknown', to: to ?? 'unknown', direction };
}

/** What filters compare of modes of inheritance: the group, and the catalogue's text in one letter case. */
const inheritanceKeys = (mode: string | null): readonly string[] => [
  inheritanceGroupOf(mode),
  ...(mode === null || mode === '' ? [] : [nameKey(mode)]),
];

const sameInheritance = { inheritanceFrom: none, inheritanceTo: none } as const;

function inheritanceFacts(event: PanelEvent): Pick<EventFacts, 'inheritanceFrom' | 'inheritanceTo'> {
  const change = inheritanceOf(event);
  if (change === null) return sameInheritance;
  return { inheritanceFrom: inheritanceKeys(change.from), inheritanceTo: inheritanceKeys(change.to) };
}

function entityNamesOf(event: PanelEvent, name: string): readonly string[] {
  if (event.type !== 'gene-panel.entity.renamed.v1') return keyListOf(name);
  const { from, to } = event.data.change;
  return [...new Set([name, from, to].map(nameKey))];
}

function panelNamesOf(event: PanelEvent, name: string): readonly string[] {
  if (event.type !== 'gene-panel.panel.changed.v1') return keyListOf(name);
  const others = event.data.change.changes.flatMap(({ field, from, to }) =>
    field === 'name' ? [from, to].filter((side) => typeof side === 'string') : [],
  );
  return [...new Set([name, ...others].map(nameKey))];
}

function tagsOf(event: PanelEvent): readonly string[] {
  if (event.type === 'gene-panel.entity.tags-changed.v1') {
    const { added, removed } = event.data.change;
    return [...added, ...removed].map(nameKey);
  }
  return event.type === 'gene-panel.entity.added.v1' ? (event.data.change.tags ?? none).map(nameKey) : none;
}

/** An event that a filter of panels and entities can look at. */
export const eventAbout = (panel: EventPanel, entity: Entity | null, catalogue: string): PanelEvent =>
  ({
    type: 'gene-panel.entity.marked-ready.v1',
    data: { catalogue, panel, entity, actor: null, late: false, change: {}, summary: '', activities: [] },
  }) as object as PanelEvent;
