import { eventKinds } from '../events/changes.ts';
import { firstStated } from '../events/corrections.ts';
import { kindOf, type PanelEvent } from '../events/schemas.ts';
import { compileFilter, type Filter } from '../filters/filter.ts';
import { type Names, noNames } from '../filters/names.ts';
import { filtersOfSubscription, type Subscription } from './subscription.ts';

/** Why a subscription does not send an event; null where it does. */
type ReasonNotToSend = 'filter' | 'unchanged' | 'review' | null;

/**
 * Decides which events a subscription sends. Ratings that were only confirmed, and reviews, are left out unless the
 * filter asks for them by name: most people want to know what changed. A correction is sent too where the event that it corrects was:
 * its reader has something false.
 */
export function reasonNotToSend(
  filter: Filter,
  names: Names = noNames,
): (event: PanelEvent) => ReasonNotToSend {
  const matches = compileFilter(filter, names);
  const unchanged = filter.direction?.includes('unchanged') ?? false;
  const reviews = asksForReviews(filter);
  const reasonOf = (event: PanelEvent): ReasonNotToSend => {
    const kind = kindOf(event.type);
    if (kind === undefined || !matches(event)) return 'filter';
    if (event.type === 'gene-panel.entity.classified.v1') {
      return !unchanged && event.data.change.direction === 'unchanged' ? 'unchanged' : null;
    }
    return !reviews && eventKinds[kind].topic === 'reviews' ? 'review' : null;
  };
  return (event) => {
    const reason = reasonOf(event);
    const first = reason === null ? null : firstStated(event);
    return first !== null && reasonOf(first) === null ? null : reason;
  };
}

/** Decides which events a subscription takes, as `reasonNotToSend` does for each of its filters. */
export function reasonNotToTake(
  subscription: Pick<Subscription, 'filter' | 'whenSignedOff'>,
  names: Names = noNames,
): (event: PanelEvent) => ReasonNotToSend {
  const [own, ...others] = filtersOfSubscription(subscription).map((each) => reasonNotToSend(each, names));
  return (event) => (others.some((unwanted) => unwanted(event) === null) ? null : (own?.(event) ?? null));
}

function asksForReviews({ topics = [], types = [] }: Filter): boolean {
  const kinds = types.map((type) => kindOf(type) ?? type);
  return (
    topics.includes('reviews') ||
    kinds.some(
      (kind) => kind in eventKinds && eventKinds[kind as keyof typeof eventKinds].topic === 'reviews',
    )
  );
}
