import type { Entity, EventPanel, PanelEvent } from '../../lambdas/events/schemas.ts';
import { type EntityStatus, statusesOf } from '../../lambdas/filters/entity-history.ts';
import { type Instant, parseInstant } from '../../lambdas/run/instant.ts';
import type { History } from '../../lambdas/store/history/history.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { type Milestone, milestoneOf } from './milestones.ts';

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
