import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import {
  canonical,
  type Detail,
  entityKey,
  microseconds,
  type SavedArchive,
  type TrueVersion,
  type Truth,
} from './archived-truth.ts';
import { type Allowed, type Context, emptyHeld, type Held, isListed, note, only } from './hold-events.ts';

interface HeldPanels {
  /** Without those that others correct. */
  readonly events: readonly PanelEvent[];
  /** Every event that was published. */
  readonly published: readonly PanelEvent[];
  readonly truth: Truth;
  /** As it was served. */
  readonly saved: SavedArchive;
}

type Read = (detail: Detail) => unknown;
type Fields = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value : []);
const slugs: Read = ({ types }) => listOf(types).map(({ slug }) => slug);
const typeNames: Read = ({ types }) => listOf(types).map(({ name }) => name);
const lengthOf =
  (list: string): Read =>
  (detail) =>
    listOf(detail[list]).length;

/** What `panel` says beside id, name and version, and where a detail has it. */
const panelFacts: Readonly<Record<string, Read>> = {
  types: slugs,
  diseaseGroup: ({ disease_group }) => disease_group,
  diseaseSubGroup: ({ disease_sub_group }) => disease_sub_group,
  relevantDisorders: ({ relevant_disorders }) => relevant_disorders,
  signedOff: ({ types }) => listOf(types).some(({ slug }) => slug === 'gms-signed-off'),
};

/** What `panel.changed` states, by field; the HPO terms are in no detail. */
const changedFields: Readonly<Record<string, Read>> = {
  name: ({ name }) => name,
  description: ({ description }) => description,
  status: ({ status }) => status,
  types: typeNames,
  diseaseGroup: ({ disease_group }) => disease_group,
  diseaseSubGroup: ({ disease_sub_group }) => disease_sub_group,
  relevantDisorders: ({ relevant_disorders }) => relevant_disorders,
  relatedPanels: ({ relevant_disorders }) => relevant_disorders,
  version: ({ version }) => version,
  numberOfGenes: lengthOf('genes'),
  numberOfStrs: lengthOf('strs'),
  numberOfRegions: lengthOf('regions'),
};

const timeOf = ({ time }: PanelEvent): bigint => (time === undefined ? 0n : microseconds(time));

/** Holds what events say of their panels, of ids, sign-offs and rows, and what they correct. */
export function holdPanels({ events, published, truth, saved }: HeldPanels): Held {
  const held = emptyHeld();
  const rows = new Set(saved.activities.map((row) => JSON.stringify(row)));
  const byId = new Map(published.map((event) => [event.id, event]));
  const named = new Map<number, Set<string>>();
  for (const { panel_id: id, panel_version: version } of saved.activities) {
    const own = named.get(id) ?? new Set((truth.get(id) ?? []).map((one) => one.version));
    if (version !== null) named.set(id, own.add(version));
  }

  /**
   * The versions that a panel had between two instants, and two more on each side: what a panel says of itself has no version, and
   * the archive shows it of some moment near the end of one.
   */
  const around = (panelId: number, from: bigint, to = from): readonly TrueVersion[] => {
    const own = truth.get(panelId) ?? [];
    const [first, last] = from < to ? [from, to] : [to, from];
    const [begin, end] = [first, last].map((at) => own.findLastIndex(({ begun }) => begun <= at));
    return own.slice(Math.max(0, (begin ?? 0) - 2), (end ?? 0) + 3);
  };
  const allowed = (versions: readonly TrueVersion[], read: Read): Allowed =>
    versions.length === 0 ? undefined : new Set(versions.map(({ detail }) => canonical(read(detail))));

  for (const event of published) {
    const { corrects, correctedChange } = event.data;
    if (corrects === undefined) continue;
    const context: Context = { event, key: 'event', against: 'archive', held };
    const first = byId.get(corrects);
    note(context, 'corrects', first !== undefined && first.time === event.time, only(true));
    note(
      context,
      'correctedChange',
      JSON.stringify(correctedChange),
      only(JSON.stringify(first?.data.change)),
    );
  }
  for (const event of events) {
    const { panel, entity, activities } = event.data;
    if (typeof panel?.id !== 'number') continue;
    const change = event.data.change as Fields;
    const at = timeOf(event);
    const key = entity ? entityKey(entity.type, entity.name) : 'panel';
    const context: Context = { event, key, against: 'archive', held };
    const all = truth.get(panel.id) ?? [];
    const near = around(panel.id, at);

    // A row of one action may be stamped a moment before the version that it makes.
    const within = [...near, ...all.filter(({ version }) => version === panel.version)];
    // Rows show a new name before the archive does.
    const ofRows = activities.map(({ panel_name }) => canonical(panel_name));
    const names = new Set([...ofRows, ...(allowed(within, ({ name }) => name) ?? [])]);
    note(context, 'panel name', panel.name, names);
    note(context, 'panel version', panel.version ?? undefined, named.get(panel.id));
    const readAt = panel.factsReadAt === undefined ? at : microseconds(panel.factsReadAt);
    const since = [...around(panel.id, at, readAt), ...within];
    for (const [fact, read] of Object.entries(panelFacts)) {
      // The row of a new panel states its facts.
      if (event.type === 'gene-panel.panel.created.v1') break;
      note(context, `panel ${fact}`, panel[fact as keyof typeof panel], allowed(since, read));
    }
    const supers = [...truth.values()].flatMap((own) => own.filter(({ isSuper }) => isSuper));
    for (const { id, name } of panel.superPanels ?? []) {
      const holds = supers.some(
        ({ detail }) => detail.id === id && listOf(detail.child_panel_ids).includes(panel.id as never),
      );
      note(context, 'panel superPanels', holds, only(true));
      note(
        context,
        'panel superPanels name',
        name,
        allowed(around(id, at, readAt), (own) => own.name),
      );
    }
    holdSignOffs(context, saved);

    if (entity) {
      const shown = all.flatMap((version) => version.entities.get(key) ?? []);
      for (const id of ['hgncId', 'ensemblId', 'omimIds'] as const) {
        const known = shown.map((one) => one.get(id)).filter((one) => one !== undefined);
        note(context, `entity ${id}`, entity[id], known.length > 0 ? new Set(known) : undefined);
      }
      const spelled = all.flatMap(({ detail }) =>
        ['genes', 'strs', 'regions'].flatMap((list) => listOf(detail[list])),
      );
      const spellings = spelled
        .map((one) => String(one.entity_name))
        .filter((name) => entityKey(entity.type, name) === key);
      note(context, 'entity name', entity.name, spellings.length > 0 ? new Set(spellings) : undefined);
    }

    for (const row of activities) {
      if (!row.textTruncated) note(context, 'activities', rows.has(JSON.stringify(row)), only(true));
    }
    const stamps = activities.map(({ created }) => microseconds(String(created)));
    if (stamps.length > 0) note(context, 'time of rows', stamps.includes(at), only(true));
    else if (!isListed(event)) {
      const next = all[all.findIndex(({ version }) => version === panel.version) + 1];
      const own = all.find(({ version }) => version === panel.version);
      const isWithin = own && own.begun <= at && (!next || at < next.begun + 60_000_000n);
      note(context, 'time of snapshots', isWithin, only(true));
    }

    switch (event.type) {
      case 'gene-panel.panel.published.v1':
      case 'gene-panel.panel.withdrawn.v1': {
        const isPublic = ({ detail }: TrueVersion): boolean =>
          /^(?:public|promoted)$/.test(String(detail.status));
        const wanted = event.type === 'gene-panel.panel.published.v1';
        note(
          context,
          'panel visibility',
          within.some((one) => isPublic(one) === wanted),
          only(true),
        );
        break;
      }
      case 'gene-panel.panel.changed.v1':
        for (const { field, from, to } of listOf(change.changes)) {
          const read = changedFields[String(field)];
          if (!read) continue;
          // Several changes of one version leave one end.
          const states = new Set([
            ...(allowed(within, read) ?? []),
            ...statedOf(events, panel, String(field), event),
          ]);
          for (const [side, value] of Object.entries({ from, to })) {
            note(context, `changed ${field} ${side}`, value, states);
          }
        }
        break;
      default:
    }
  }
  return held;
}

/** What other events of a version state of a field of the panel. */
function statedOf(
  events: readonly PanelEvent[],
  panel: NonNullable<PanelEvent['data']['panel']>,
  field: string,
  except: PanelEvent,
): readonly string[] {
  return events.flatMap((event) => {
    const { panel: own, change } = event.data;
    if (event === except || own?.id !== panel.id || own?.version !== panel.version) return [];
    return listOf((change as Fields).changes)
      .filter((one) => one.field === field)
      .flatMap(({ from, to }) => [canonical(from), canonical(to)]);
  });
}

/** What an event says of signed-off versions, as the list of them shows it. */
function holdSignOffs(context: Context, { signedOff }: SavedArchive): void {
  const { panel, change } = context.event.data;
  const own = signedOff.filter(({ id }) => id === panel?.id);
  const of = (version: string | undefined, date: string | undefined): string | undefined =>
    version === undefined ? undefined : `${version} of ${date}`;
  const listed = new Set(own.map(({ version, signed_off }) => `${version} of ${signed_off}`));
  note(context, 'panel signedOffVersion', of(panel?.signedOffVersion, panel?.signedOffDate), listed);
  if (!('signedOff' in change)) return;
  const { signedOffVersion, signedOffDate, previousSignedOffVersion, previousSignedOffDate } = change;
  note(context, 'signed-off version', of(signedOffVersion, signedOffDate), listed);
  note(context, 'signed-off version before', of(previousSignedOffVersion, previousSignedOffDate), listed);
  const said = context.event.data.activities.some(({ text }) =>
    /signed off version has been removed/.test(String(text)),
  );
  const isRow = context.event.data.activities.length > 0;
  note(context, 'signed off or withdrawn', isRow ? change.signedOff : undefined, only(!said));
}
