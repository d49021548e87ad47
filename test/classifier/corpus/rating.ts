import { classified, commented } from './expected.ts';
import { BRCA1, type CorpusRow, HTT, ISCA, on } from './row.ts';

/** `banner`, `click` and `ready` in docs/wordings.md: ratings by hand, and marks as ready. */

const C9 = on('gene', 'C9orf72');
const ready = { 'entity.marked-ready': {} };

// biome-ignore format: one wording a line
export const rating: readonly CorpusRow[] = [
  { on: BRCA1, text: 'Gene: brca1 has been classified as Green List (High Evidence).', form: 'banner', draft: classified('green') },
  { on: BRCA1, text: 'Gene: brca1 has been classified as Amber List (Moderate Evidence).', form: 'banner', draft: classified('amber') },
  { on: BRCA1, text: 'Gene: brca1 has been classified as Red List (Low Evidence).', form: 'banner', draft: classified('red') },
  { on: C9, text: 'Gene: c9orf72 has been classified as Red List (Low Evidence).', form: 'banner', draft: classified('red') },
  { on: HTT, text: 'Str: htt_cag has been classified as Green List (High Evidence).', form: 'banner', draft: classified('green') },
  { on: HTT, text: 'Str: htt_cag has been classified as Amber List (Moderate Evidence).', form: 'banner', draft: classified('amber') },
  { on: ISCA, text: 'Region: isca-37390-loss has been classified as Green List (High Evidence).', form: 'banner', draft: classified('green') },
  { on: ISCA, text: 'Region: isca-37390-loss has been classified as Red List (Low Evidence).', form: 'banner', draft: classified('red') },
  { on: BRCA1, text: 'Gene: brca1 has been removed from the panel.', form: 'bannerNoList', draft: classified('none') },
  { on: HTT, text: 'Str: htt_cag has been removed from the panel.', form: 'bannerNoList', draft: classified('none') },
  { on: ISCA, text: 'Region: isca-37390-loss has been removed from the panel.', form: 'bannerNoList', draft: classified('none') },
  { on: BRCA1, text: 'Classified gene: BRCA1 as Green List (high evidence)', form: 'click', draft: classified('green') },
  { on: BRCA1, text: 'Classified gene: BRCA1 as Amber List (moderate evidence)', form: 'click', draft: classified('amber') },
  { on: BRCA1, text: 'Classified gene: BRCA1 as Red List (low evidence)', form: 'click', draft: classified('red') },
  { on: BRCA1, text: 'Classified gene: BRCA1 as No list', form: 'click', draft: classified('none') },
  { on: HTT, text: 'Classified STR: HTT_CAG as Green List (high evidence)', form: 'click', draft: classified('green') },
  { on: HTT, text: 'Classified STR: HTT_CAG as No list', form: 'click', draft: classified('none') },
  { on: ISCA, text: 'Classified Region: ISCA-37390-Loss as Amber List (moderate evidence)', form: 'click', draft: classified('amber') },
  { on: ISCA, text: 'Classified Region: ISCA-37390-Loss as Red List (low evidence)', form: 'click', draft: classified('red') },
  { on: BRCA1, text: 'Marked gene: BRCA1 as ready', form: 'ready', draft: ready },
  { on: HTT, text: 'Marked STR: HTT_CAG as ready', form: 'ready', draft: ready },
  { on: ISCA, text: 'Marked Region: ISCA-37390-Loss as ready', form: 'ready', draft: ready },
  { on: BRCA1, text: 'Added comment: Comment on list classification: Three families.', form: 'commentAdded', draft: commented('Comment on list classification: Three families.') },
  { on: ISCA, text: 'Added comment: Comment when marking as ready: Agreed.\nThanks!', form: 'commentAdded', draft: commented('Comment when marking as ready: Agreed.\nThanks!') },
  // Names that read like the wording around them
  { on: on('gene', 'as'), text: 'Classified gene: as as No list', form: 'click', draft: classified('none') },
  { on: on('gene', 'gene'), text: 'Marked gene: gene as ready', form: 'ready', draft: ready },
  { on: on('region', 'A has been removed from the panel.'), text: 'Region: a has been removed from the panel. has been removed from the panel.', form: 'bannerNoList', draft: classified('none') },
  { on: on('region', 'B as ready'), text: 'Marked Region: B as ready as ready', form: 'ready', draft: ready },
  { on: on('str', 'A.*(b)'), text: 'Classified STR: A.*(b) as No list', form: 'click', draft: classified('none') },
];
