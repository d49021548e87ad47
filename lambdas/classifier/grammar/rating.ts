import { alone, line, type Read } from '../form.ts';
import { ratingOf } from '../values.ts';

const classified: Read = (list) => ({ 'entity.classified': { to: ratingOf(list) } });

/**
 * Ratings set by hand. One action writes a banner (`Gene: brca1 has been classified as …`) and a paired row
 * (`Classified gene: BRCA1 as …`); marking as ready writes the banner again.
 */
export const ratingForms = alone(
  { level: 'entity' },
  {
    banner: line(
      /^⟨Label⟩ has been classified as (?<list>Green List \(High Evidence\)|Amber List \(Moderate Evidence\)|Red List \(Low Evidence\))\.$/,
      classified,
    ),
    // Says "removed", but only moves the entity to "No list".
    bannerNoList: line(/^⟨Label⟩ has been removed from the panel\.$/, () => ({
      'entity.classified': { to: 'none' },
    })),
    click: line(
      [
        /^Classified ⟨entity⟩ as (?<list>Green List \(high evidence\)|Amber List \(moderate evidence\)|Red List \(low evidence\)|No list)$/,
        /^classified ⟨entity⟩ as (?<list>green|amber|red)$/,
      ],
      classified,
    ),
    ready: line(/^Marked ⟨entity⟩ as ready$/, () => ({ 'entity.marked-ready': {} })),
  },
);
