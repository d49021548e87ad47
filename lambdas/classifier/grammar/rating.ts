import { alone, line } from '../form.ts';
import { ratingOf } from '../values.ts';

/**
 * Ratings set by hand. One click writes a banner (`Gene: brca1 has been classified as …`) and a click row
 * (`Classified gene: BRCA1 as …`); marking as ready writes the banner again.
 */
export const ratingForms = alone('entity', {
  banner: line(
    /^⟨Label⟩ has been classified as (?<list>Green List \(High Evidence\)|Amber List \(Moderate Evidence\)|Red List \(Low Evidence\))\.$/,
    ({ list = '' }) => ({ 'entity.classified': { to: ratingOf(list) } }),
  ),
  // Says "removed", but only moves the entity to "No list".
  bannerNoList: line(/^⟨Label⟩ has been removed from the panel\.$/, () => ({
    'entity.classified': { to: 'none' },
  })),
  click: line(
    /^[Cc]lassified (?:⟨label⟩|⟨name⟩) as (?<list>Green List \(high evidence\)|Amber List \(moderate evidence\)|Red List \(low evidence\)|No list|green|amber|red)$/,
    ({ list = '' }) => ({ 'entity.classified': { to: ratingOf(list) } }),
  ),
  ready: line(/^[Mm]arked (?:⟨label⟩|⟨name⟩) as ready$/, () => ({ 'entity.marked-ready': {} })),
});
