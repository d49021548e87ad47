import type { EventKindName } from '../events/changes.ts';
import { createOrdering } from '../events/order.ts';
import { type Entity, kindOf, type PanelEvent } from '../events/schemas.ts';
import { naturalOrder } from '../run/text.ts';
import { type EntityChange, EntityHistory, type InheritanceChange } from './entity-history.ts';
import { type ChangeListWords, changeListOf, changeListWords } from './green-turn.ts';

/** What a period made of one panel. Each list of entities is sorted by name. */
export interface PanelChanges {
  readonly catalogue: string;
  readonly id: number;
  /** The panel's name after the period, and its version. */
  readonly name: string;
  readonly version: string | null;
  /** Its disorders and codes of the test directory, as the last event that has them states them. */
  readonly disorders: readonly string[];
  /** The entities whose state changed, each in one list; every list is there. */
  readonly lists: Readonly<Record<ChangeListWords, readonly EntityChange[]>>;
  /** Entities that are green, or may be, and whose mode of inheritance is of another group than before, by name. */
  readonly inheritance: readonly InheritanceChange[];
  /** Replaced symbols and renamed entities that are on the panel under another name than before. */
  readonly renamedEntities: readonly { readonly from: string; readonly to: string }[];
  /** The last version that the panel was promoted to, and the version before the first promotion where known. */
  readonly promoted: { readonly from: string | null; readonly to: string } | null;
  /** The last sign-off, or withdrawal of one; null where there was neither. */
  readonly signOff: SignOffChange | null;
  /** The panel's names before and after the period, where they differ. */
  readonly renamed: { readonly from: string; readonly to: string } | null;
  /** What happened to the panel itself, in the order in which it happened. */
  readonly panel: readonly ('created' | 'deleted' | 'published' | 'withdrawn')[];
  /** All other events by kind: tags, annotations, reviews, confirmed ratings and so on. */
  readonly rest: Readonly<Partial<Record<EventKindName, number>>>;
}

/** A version was signed off, or its sign-off withdrawn. */
export interface SignOffChange {
  readonly signedOff: boolean;
  /** The version that was signed off or withdrawn, hardly ever the panel's own; null where no event states it. */
  readonly version: string | null;
  /** The day from which it is signed off, such as `2024-03-06`; null where it is unknown, or for a withdrawal. */
  readonly date: string | null;
}

/** What a period made of every panel on which something happened. */
export interface NetChanges {
  /** Panels with new green entities first, then by catalogue and name. */
  readonly panels: readonly PanelChanges[];
  /** Events that name no panel: rows of the log that could not be read. */
  readonly withoutPanel: number;
  readonly events: number;
}

/** How many changes of all panels a list has. */
export const countOfList = (panels: readonly PanelChanges[], words: ChangeListWords): number =>
  panels.reduce((total, { lists }) => total + lists[words].length, 0);

/** The net changes of events that come oldest first. */
export function netChangesOf(events: Iterable<PanelEvent>): NetChanges {
  const builder = createNetChanges();
  for (const event of events) builder.add(event);
  return builder.result();
}

/**
 * Net changes of a period: red → amber → green is one change to green, and what went back and forth is marked. Memory grows with the
 * entities that changed, not with the events.
 */
export function createNetChanges() {
  const catalogues = new Map<string, Map<number, ReturnType<typeof createPanelHistory>>>();
  let withoutPanel = 0;
  let events = 0;
  const ordering = createOrdering((event) => {
    const { catalogue, panel } = event.data;
    if (typeof panel?.id !== 'number') return;
    const panels = entryOf(
      catalogues,
      catalogue,
      () => new Map<number, ReturnType<typeof createPanelHistory>>(),
    );
    const { id } = panel;
    entryOf(panels, id, () => createPanelHistory(catalogue, id)).add(event);
  });
  return {
    /** Takes the next event; events come oldest first by `time`. */
    add(event: PanelEvent): void {
      events++;
      if (typeof event.data.panel?.id === 'number') ordering.add(event);
      else withoutPanel++;
    },
    result(): NetChanges {
      ordering.finish();
      const panels = [...catalogues.values()]
        .flatMap((ofCatalogue) => [...ofCatalogue.values()])
        .map((history) => history.changes())
        .sort(byGreens);
      return { panels, withoutPanel, events };
    },
  };
}

function byGreens(one: PanelChanges, other: PanelChanges): number {
  const turned = ({ lists }: PanelChanges): number =>
    Number(lists['now green'].length + lists['rated green, perhaps green before'].length > 0);
  return (
    turned(other) - turned(one) ||
    naturalOrder(one.catalogue, other.catalogue) ||
    naturalOrder(one.name, other.name) ||
    one.id - other.id
  );
}

function createPanelHistory(catalogue: string, id: number) {
  const folded = foldEntities();
  const rest: Partial<Record<EventKindName, number>> = {};
  const panel: ('created' | 'deleted' | 'published' | 'withdrawn')[] = [];
  let nameBefore: string | undefined;
  let name = '';
  let version: string | null = null;
  let disorders: readonly string[] = [];
  let promoted: { from: string | null; to: string } | null = null;
  let signOff: SignOffChange | null = null;

  return {
    add(event: PanelEvent): void {
      const { data } = event;
      const renaming = event.type === 'gene-panel.panel.changed.v1' ? panelRenaming(event) : undefined;
      nameBefore ??= renaming?.from ?? data.panel?.name;
      const stated = data.panel?.relevantDisorders ?? disorders;
      const [nameNow, versionNow] = [
        renaming?.to ?? data.panel?.name ?? name,
        data.panel?.version ?? version,
      ];
      // What stays is not kept anew: it would outlive its event, of thousands.
      if (nameNow !== name) name = nameNow;
      if (versionNow !== version) version = versionNow;
      if (stated.length !== disorders.length || stated.some((each, at) => each !== disorders[at]))
        disorders = stated;
      folded.add(event);
      switch (event.type) {
        case 'gene-panel.entity.classified.v1':
          if (event.data.change.direction === 'unchanged') count(rest, 'entity.classified');
          break;
        case 'gene-panel.entity.added.v1':
        case 'gene-panel.entity.removed.v1':
        case 'gene-panel.entity.renamed.v1':
          break;
        case 'gene-panel.panel.promoted.v1': {
          const { previousVersion, version: to } = event.data.change;
          promoted = { from: promoted ? promoted.from : previousVersion, to };
          break;
        }
        case 'gene-panel.panel.signed-off.v1':
          signOff = signOffOf(event.data.change);
          break;
        case 'gene-panel.panel.created.v1':
          panel.push('created');
          break;
        case 'gene-panel.panel.deleted.v1':
          panel.push('deleted');
          break;
        case 'gene-panel.panel.published.v1':
          panel.push('published');
          break;
        case 'gene-panel.panel.withdrawn.v1':
          panel.push('withdrawn');
          break;
        default:
          if (!renaming || renaming.besides) count(rest, kindOf(event.type));
      }
    },
    changes(): PanelChanges {
      const entities = folded.all();
      const all = entities
        .map((entity) => entity.change())
        .filter((change) => change !== null)
        .sort((one, other) => naturalOrder(one.entity.name, other.entity.name));
      return {
        catalogue,
        id,
        name,
        version,
        disorders,
        lists: listsOf(all),
        inheritance: entities
          .flatMap((entity) => entity.inheritance() ?? [])
          .sort((one, other) => naturalOrder(one.entity.name, other.entity.name)),
        renamedEntities: entities.flatMap((entity) => entity.renaming() ?? []),
        promoted,
        signOff,
        renamed: nameBefore === undefined || nameBefore === name ? null : { from: nameBefore, to: name },
        panel,
        rest,
      };
    },
  };
}

function listsOf(changes: readonly EntityChange[]): PanelChanges['lists'] {
  const lists = Object.fromEntries(
    changeListWords.map((words): [string, EntityChange[]] => [words, []]),
  ) as Record<ChangeListWords, EntityChange[]>;
  for (const change of changes) {
    const words = changeListOf(change);
    if (words !== null) lists[words].push(change);
  }
  return lists;
}

function signOffOf(change: PanelEvent<'panel.signed-off'>['data']['change']): SignOffChange {
  const { signedOff, version, date, signedOffVersion, signedOffDate, previousSignedOffVersion } = change;
  return signedOff
    ? { signedOff, version: signedOffVersion ?? version ?? null, date: signedOffDate ?? date ?? null }
    : { signedOff, version: version ?? previousSignedOffVersion ?? null, date: null };
}

/** The names before and after, and whether more than the name was changed. */
function panelRenaming({ data }: PanelEvent<'panel.changed'>) {
  const { changes } = data.change;
  for (const { field, from, to } of changes) {
    if (field !== 'name' || typeof from !== 'string' || typeof to !== 'string') continue;
    return { from, to, besides: changes.length > 1 };
  }
  return undefined;
}

function count(counts: Partial<Record<EventKindName, number>>, kind: EventKindName | undefined): void {
  if (kind) counts[kind] = (counts[kind] ?? 0) + 1;
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}

/** The entities of one type on one panel, by name in upper case: texts differ in the case of letters. */
type ByName = Map<string, EntityHistory>;

/**
 * Folds events into what they made of each entity. Messages, digests, reports and the page all read this: so they agree
 * about what was renamed, removed, rated again, or lost the source of its rating. Events come oldest first; an entity is one under any of
 * its names.
 */
export function foldEntities() {
  const byNameOn = createPanelNames();
  const histories: EntityHistory[] = [];
  const begin = (first: Entity): EntityHistory => {
    const history = new EntityHistory(first);
    histories.push(history);
    return history;
  };
  return {
    add(event: PanelEvent): EntityHistory | null {
      const { entity } = event.data;
      if (!entity) return null;
      const byName = byNameOn(event, entity);
      const name = entity.name.toUpperCase();
      if (event.type === 'gene-panel.entity.renamed.v1') {
        const { from, to } = event.data.change;
        const before = from.toUpperCase();
        const history = byName.get(before) ?? byName.get(name) ?? begin({ ...entity, name: from });
        history.add(event);
        byName.delete(before);
        byName.set(to.toUpperCase(), history);
        return history;
      }
      const known = byName.get(name);
      const history = known ?? begin(entity);
      if (known === undefined) byName.set(name, history);
      history.add(event);
      return history;
    },
    /** Every entity, in the order of the first events about each. */
    all: (): readonly EntityHistory[] => histories,
  };
}

/** The entity of each of some events, oldest first; null for an event about none. */
export function entitiesOfEvents(
  events: readonly PanelEvent[],
): (event: Pick<PanelEvent, 'id'>) => EntityHistory | null {
  const folded = foldEntities();
  const byEvent = new Map(events.map((event) => [event.id, folded.add(event)]));
  return ({ id }) => byEvent.get(id) ?? null;
}

/**
 * The entities that have the panel and the type of an event: an STR and a gene of one name are two. A map for each costs a
 * third of one map for all, whose keys would be composed anew for each event.
 */
function createPanelNames(): (event: PanelEvent, entity: Entity) => ByName {
  const sources = new Map<string, Map<number | string | undefined, Record<Entity['type'], ByName>>>();
  return ({ source, data: { panel } }, { type }) => {
    const panels = entryOf(sources, source, () => new Map());
    const types = entryOf(panels, panel?.id ?? panel?.name, noEntities);
    return types[type];
  };
}

const noEntities = (): Record<Entity['type'], ByName> => ({
  gene: new Map(),
  str: new Map(),
  region: new Map(),
});
