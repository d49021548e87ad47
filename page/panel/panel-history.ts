import { type EventKindName, eventKinds, kindOf } from '../../lambdas/events/kinds.ts';
import type { Entity, EventPanel, PanelEvent } from '../../lambdas/events/schemas.ts';
import { type EntityStatus, statusesOf } from '../../lambdas/filters/entity-history.ts';
import { type Instant, parseInstant } from '../../lambdas/run/instant.ts';
import type { History } from '../../lambdas/store/history/history.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';

/** A status of an entity on the panel, when it began, and who set it. */
interface Step {
  readonly at: Instant;
  readonly status: EntityStatus;
  readonly version: string | null;
  readonly actor: string | null;
  readonly id: string;
}

/** The statuses of one entity on the panel, oldest first. */
export interface Track {
  readonly entity: Entity;
  /** Its state before the first step. */
  readonly before: EntityStatus;
  readonly steps: readonly Step[];
}

/** The timeline of one panel. */
export interface PanelHistory {
  /** As the newest event states it. */
  readonly panel: EventPanel;
  readonly first: Instant;
  readonly last: Instant;
  readonly events: number;
  readonly milestones: readonly Milestone[];
  /** The versions and when each was first seen, oldest first. */
  readonly versions: readonly { readonly at: Instant; readonly version: string }[];
  /** The entity that changed last comes first. */
  readonly tracks: readonly Track[];
}

/**
 * Reads the timeline of a panel; null where the history has no event of it.
 * @throws {HistoryError} when the history cannot be read
 */
export async function readPanelHistory(
  history: Pick<History, 'findWithoutRows'>,
  catalogue: string,
  id: number,
): Promise<PanelHistory | null> {
  const tracks = new Map<string, Building>();
  const milestones: Milestone[] = [];
  const versions: { at: Instant; version: string }[] = [];
  let panel: EventPanel | null = null;
  let [first, last, events]: [Instant | null, Instant, number] = [null, 0n, 0];
  for await (const event of history.findWithoutRows({
    catalogue,
    filter: { panels: [id] },
    order: 'oldest',
  })) {
    const at = parseInstant(event.time);
    if (at === null || event.data.panel === null) continue;
    events++;
    first ??= at;
    last = at;
    panel = event.data.panel;
    const version = cleanLine(panel.version ?? '');
    if (version !== '' && versions.at(-1)?.version !== version) versions.push({ at, version });
    const milestone = milestoneOf(event, at, version);
    if (milestone) milestones.push(milestone);
    follow(tracks, event, at);
  }
  if (panel === null || first === null) return null;
  const rated = [...tracks.values()].filter(({ steps }) => steps.length > 0);
  return {
    panel,
    first,
    last,
    events,
    milestones,
    versions,
    tracks: rated.sort((one, other) => Number((other.steps.at(-1)?.at ?? 0n) - (one.steps.at(-1)?.at ?? 0n))),
  };
}

interface Building {
  entity: Entity;
  before: EntityStatus;
  readonly steps: Step[];
}

function follow(tracks: Map<string, Building>, event: PanelEvent, at: Instant): void {
  const { entity, panel, actor } = event.data;
  if (entity === null) return;
  if (event.type === 'gene-panel.entity.renamed.v1') {
    const { from, to } = event.data.change;
    const known = tracks.get(`${entity.type} ${from}`);
    if (!known) return;
    tracks.delete(`${entity.type} ${from}`);
    known.entity = { ...entity, name: to };
    tracks.set(`${entity.type} ${to}`, known);
    return;
  }
  const key = `${entity.type} ${entity.name}`;
  const known = tracks.get(key);
  const now = known?.steps.at(-1)?.status ?? known?.before;
  const shown = statusesOf(event, now);
  const status = shown.at(-1);
  if (status === undefined) return;
  const track = known ?? { entity, before: shown[0] ?? status, steps: [] };
  tracks.set(key, track);
  const last = track.steps.at(-1);
  if (status === last?.status) return;
  // An added entity gives two events of one time, of which one may not state the rating.
  if (status === 'unknown' && (last ? last.at === at : track.before === 'unknown')) return;
  if (last?.at === at) track.steps.pop();
  track.steps.push({ at, status, version: panel?.version ?? null, actor, id: event.id });
}

/** What can happen to a panel itself, and whether people can see the panel afterwards; null where that stays as it was. */
const milestoneKinds = {
  promoted: null,
  'signed off': null,
  'sign-off withdrawn': null,
  created: true,
  public: true,
  'no longer public': false,
  deleted: false,
} as const;

/** Something that happened to the panel itself. */
export interface Milestone {
  readonly at: Instant;
  readonly kind: keyof typeof milestoneKinds;
  /** The version that was promoted, signed off or created; empty where unknown. */
  readonly version: string;
  readonly id: string;
}

/** The milestone that an event is, where it happened at `at` and left its panel at `version`; null where it is none. */
function milestoneOf(event: PanelEvent, at: Instant, version: string): Milestone | null {
  if (!isAboutPanel(event)) return null;
  const of = (kind: Milestone['kind'], about = version): Milestone => ({
    at,
    kind,
    version: about,
    id: event.id,
  });
  switch (event.type) {
    case 'gene-panel.panel.promoted.v1':
      return of('promoted', cleanLine(event.data.change.version));
    case 'gene-panel.panel.signed-off.v1': {
      // The version after saving is hardly ever the one that was signed off.
      const { signedOff, signedOffVersion, previousSignedOffVersion } = event.data.change;
      return signedOff
        ? of('signed off', cleanLine(signedOffVersion ?? ''))
        : of('sign-off withdrawn', cleanLine(previousSignedOffVersion ?? ''));
    }
    case 'gene-panel.panel.created.v1':
      return of('created');
    case 'gene-panel.panel.published.v1':
      return of('public');
    case 'gene-panel.panel.withdrawn.v1':
      return of('no longer public');
    case 'gene-panel.panel.deleted.v1':
      return of('deleted');
    case 'gene-panel.panel.changed.v1':
      return null;
    default:
      return event satisfies never;
  }
}

/** The milestone since which people cannot see the panel; null where they can, as far as the milestones say. */
export function goneSince(milestones: readonly Milestone[]): Milestone | null {
  const last = milestones.findLast(({ kind }) => milestoneKinds[kind] !== null);
  return last !== undefined && milestoneKinds[last.kind] === false ? last : null;
}

type KindAboutPanel = {
  [K in EventKindName]: (typeof eventKinds)[K]['about'] extends 'panel' ? K : never;
}[EventKindName];

function isAboutPanel(event: PanelEvent): event is PanelEvent<KindAboutPanel> {
  const kind = kindOf(event.type);
  return kind !== undefined && eventKinds[kind].about === 'panel';
}
