import { minutes, parseInstant } from '../clock/instant.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { History } from '../history/history.ts';
import type { Background } from '../messages/message-context.ts';
import { type Privacy, withPrivacy } from '../messages/privacy.ts';

/** The rows of one action lie seconds apart; a comment may take a person a little longer. */
const SAME_ACTION = minutes(2);
const EARLIER_RATINGS = 20;

/** What the history says about a change of rating: since when the rating before held, and the comment given with it. */
export async function backgroundOf(
  event: PanelEvent,
  history: Pick<History, 'find'> | null,
  privacy: Privacy,
): Promise<Background | undefined> {
  const at = parseInstant(event.time);
  const { panel, entity, catalogue } = event.data;
  if (!history || at === null || event.type !== 'gene-panel.entity.classified.v1') return undefined;
  if (typeof panel?.id !== 'number' || entity === null) return undefined;
  const about = { panels: [panel.id], genes: [entity.name], entityTypes: [entity.type] };
  const { from } = event.data.change;

  const earlier = history.find({
    catalogue,
    until: at,
    filter: { ...about, types: ['entity.classified'] },
    order: 'newest',
    limit: EARLIER_RATINGS,
  });
  let before: Background['before'];
  for await (const each of earlier) {
    if (from === null || each.type !== 'gene-panel.entity.classified.v1' || each.data.change.to !== from)
      break;
    if (each.time) before = { rating: from, since: each.time, version: each.data.panel?.version ?? null };
    if (each.data.change.direction !== 'unchanged') break;
  }

  const comments = history.find({
    catalogue,
    since: at - SAME_ACTION,
    until: at + SAME_ACTION,
    filter: { ...about, types: ['entity.commented', 'entity.reviewed'] },
    order: 'oldest',
    limit: 5,
  });
  let comment: string | undefined;
  for await (const each of comments) {
    if (each.data.actor !== event.data.actor) continue;
    const shown = withPrivacy(each, privacy).data.change;
    if ('comment' in shown && typeof shown.comment === 'string') comment = shown.comment;
  }
  return { ...(before && { before }), ...(comment !== undefined && { comment }) };
}
