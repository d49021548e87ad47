import type { DisagreementChange } from '../events/changes.ts';
import { isDisagreement } from '../events/kinds.ts';
import { kindOf, type PanelEvent } from '../events/schemas.ts';
import { summarize } from '../events/summary.ts';

/** What a channel may show of people and of what they wrote. */
export interface Privacy {
  readonly names: 'kept' | 'initials' | 'dropped';
  readonly comments: 'kept' | 'dropped';
}

export const everythingKept: Privacy = { names: 'kept', comments: 'kept' };

/**
 * The event as a channel may show it. Unless names and comments are both kept, the rows are left out, because their
 * texts hold both; so are the row and the lines of a text that is not recognised. In a comment that is kept, the
 * actor's own name is shown as elsewhere; names of other people in it stay.
 */
export function withPrivacy(event: PanelEvent, privacy: Privacy): PanelEvent {
  if (privacy.names === 'kept' && privacy.comments === 'kept') return event;
  const { data } = event;
  const actor = data.actor === null || privacy.names === 'kept' ? data.actor : shortened(data.actor, privacy);
  const free = (text: string): string => withoutName(text, data.actor, actor, privacy);
  const change = isDisagreementEvent(event)
    ? disagreementWith(event.data.change, privacy)
    : changeOf(event, privacy, free);
  const kind = kindOf(event.type);
  const shown = { catalogue: data.catalogue, panel: data.panel, entity: data.entity, actor };
  const summary =
    kind === undefined ? '' : summarize({ kind, change, ...shown } as Parameters<typeof summarize>[0]);
  return { ...event, data: { ...data, actor, summary, activities: [], change } } as PanelEvent;
}

function changeOf(event: PanelEvent, { comments }: Privacy, free: (text: string) => string): object {
  const { change } = event.data;
  if (event.type === 'gene-panel.activity.unclassified.v1') {
    const { reason } = event.data.change;
    return { reason, row: null };
  }
  const kept = comments === 'kept';
  if (event.type === 'gene-panel.entity.commented.v1') {
    const { comment, action, previousComment } = event.data.change;
    return {
      comment: kept && comment !== null ? free(comment) : null,
      action,
      ...(kept && typeof previousComment === 'string' && { previousComment: free(previousComment) }),
    };
  }
  if (event.type === 'gene-panel.entity.reviewed.v1') {
    const { comment, ...review } = event.data.change;
    return { ...review, ...(kept && comment !== undefined && { comment: free(comment) }) };
  }
  return change;
}

const isDisagreementEvent = (event: PanelEvent): event is PanelEvent<'entity.disagreement'> =>
  isDisagreement(event);

/** Both sides of a disagreement name who rated and who wrote. */
function disagreementWith(
  { here, there, ...change }: DisagreementChange,
  privacy: Privacy,
): DisagreementChange {
  const nameOf = (name: string | null): string | null =>
    name === null || privacy.names === 'kept' ? name : shortened(name, privacy);
  const shown = <Side extends DisagreementChange['here']>(side: Side): Side => {
    const { ratedBy, comment, commentBy } = side;
    const without = [ratedBy, commentBy].reduce(
      (text, name) => text && withoutName(text, name, nameOf(name), privacy),
      comment,
    );
    return {
      ...side,
      ratedBy: nameOf(ratedBy),
      comment: privacy.comments === 'kept' ? without : null,
      commentBy: privacy.comments === 'kept' ? nameOf(commentBy) : null,
    };
  };
  return { ...change, here: shown(here), there: shown(there) };
}

/** `C. S.` of `Catherine Snowe`; null where names are dropped. */
function shortened(name: string, { names }: Privacy): string | null {
  if (names === 'dropped') return null;
  const initials = name.match(/(?<![\p{L}\p{M}])\p{L}/gu) ?? [];
  return initials.length === 0 ? null : initials.map((letter) => `${letter.toUpperCase()}.`).join(' ');
}

/** Ordinary words that are also parts of names: one of them alone is not replaced. */
const ordinaryWords =
  /^(?:green|amber|red|list|gene|panel|review|rating|white|brown|young|may|will|mark|grant)$/i;

function withoutName(text: string, name: string | null, shown: string | null, { names }: Privacy): string {
  if (name === null || names === 'kept') return text;
  const parts = name.split(/\s+/).filter((part) => part.length > 2 && !ordinaryWords.test(part));
  const all = [name.trim(), ...parts]
    .filter(Boolean)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (all.length === 0) return text;
  const found = new RegExp(`(?<![\\p{L}\\p{N}])(?:${all.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  return text.replace(found, shown ?? '…');
}
