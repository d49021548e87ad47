import { kindOf, type PanelEvent } from '../events/schemas.ts';
import { summarize } from '../events/summary.ts';
import { type Instant, instantOf, parseInstant } from '../run/instant.ts';
import { isFoundBy } from './difference.ts';
import { entityFacts } from './entity-facts.ts';
import { type AnyFact, untouched } from './fact.ts';
import {
  entitiesNamed,
  type FollowedPanel,
  follow,
  followFrom,
  type KnownFacts,
  unknownPanel,
} from './followed-panel.ts';
import { panelFacts } from './panel-facts.ts';
import { sameValue } from './values.ts';

/** The `Date` header of a listing has whole seconds. */
const SECOND: Instant = instantOf(1000);

/**
 * What an event of the log adds to the silent differences of its panel that were published before it: the event
 * itself, the event without the changes that were published, or null where it adds nothing. A row adds nothing where
 * it was written before a difference was seen, or under the version whose state showed it, and leads to where the
 * differences up to that one have led.
 *
 * @param silent events of the panel with `via: listing` or `snapshot`, oldest first
 */
export function withoutPublished(event: PanelEvent, silent: readonly PanelEvent[]): PanelEvent | null {
  if (silent.length === 0) return event;
  const at = parseInstant(event.time);
  if (at === null) return event;
  // The row that makes a panel public is shown with it: one that comes later is another one.
  const margin = kindOf(event.type) === 'panel.published' ? 0n : SECOND;
  const panel = followFrom(unknownPanel);
  let left: PanelEvent | null = event;
  for (const found of silent) {
    // What was found before the row was written may have changed again by then.
    if ((parseInstant(found.time) ?? 0n) + margin < at && !isOfVersion(event, found)) continue;
    follow(panel, found);
    left &&= unpublishedPart(left, panel);
  }
  return left;
}

/** Whether a row was written under the version at whose end a state showed a difference: the time is its beginning. */
function isOfVersion({ data }: PanelEvent, found: PanelEvent): boolean {
  const { change, panel } = found.data;
  if (!isFoundBy('snapshot', change) || !panel?.version) return false;
  return data.panel?.version === panel.version;
}

function unpublishedPart(event: PanelEvent, panel: FollowedPanel): PanelEvent | null {
  const { change } = event.data;
  if (!('changes' in change)) return addsNothing(event, panel) ? null : event;
  const changes = change.changes.filter((one) => !addsNothing(withChanges(event, [one]), panel));
  if (changes.length === change.changes.length) return event;
  return changes.length === 0 ? null : withChanges(event, changes);
}

function withChanges(event: PanelEvent, changes: readonly object[]): PanelEvent {
  const { data, type } = event;
  const change = { ...data.change, changes } as never;
  const kind = kindOf(type) ?? 'activity.unclassified';
  const { catalogue, panel, entity, actor } = data;
  const summary = summarize({ kind, change, catalogue, panel, entity, actor });
  return { ...event, data: { ...data, change, summary } } as PanelEvent;
}

/** Whether an event states something, and nothing of it is new to a panel. */
function addsNothing(event: PanelEvent, panel: FollowedPanel): boolean {
  const { entity } = event.data;
  const [known] = entity ? entitiesNamed(panel, entity) : [];
  switch (event.type) {
    case 'gene-panel.entity.added.v1':
      return known?.present === true;
    case 'gene-panel.entity.removed.v1':
      return known?.present === false;
    case 'gene-panel.entity.renamed.v1':
      return known?.formerly.includes(event.data.change.from) ?? false;
    default: {
      const newness = [
        ...newnessOf(panelFacts, event, panel.facts),
        ...(known ? newnessOf(entityFacts, event, known.facts) : newnessOf(entityFacts, event, new Map())),
      ];
      return newness.length > 0 && newness.every((isNew) => !isNew);
    }
  }
}

/** Of each fact that an event states: whether that is new. */
function newnessOf(table: readonly AnyFact[], event: PanelEvent, facts: KnownFacts): readonly boolean[] {
  return table.flatMap((fact) => {
    const before = facts.get(fact.name);
    const after = fact.led(event, before);
    if (after === untouched || after === undefined) return [];
    return [before === undefined || !sameValue(before, after)];
  });
}
