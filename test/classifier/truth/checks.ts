import {
  added,
  type Check,
  changed,
  compareReview,
  includes,
  list,
  listIn,
  panelChanged,
  panelCreated,
  range,
  rated,
  ratingOf,
  sorted,
  sources,
} from './compare.ts';

/** What must have been read, for each kind of thing that truly happened. */
export const checks: Readonly<Record<string, Check>> = {
  classified: { family: 'entity.classified', compare: rated },
  rating_set: { family: 'entity.classified', compare: rated },
  moved_to_no_list: { family: 'entity.classified', compare: rated },
  rating_changed: {
    family: 'entity.classified',
    compare: (event, { 'entity.classified': drafted }) => [
      { field: 'from', read: drafted?.from, truly: listIn(event.from) },
      { field: 'to', read: drafted?.to, truly: listIn(event.to) },
    ],
  },
  marked_ready: { family: 'entity.marked-ready', compare: () => [] },
  entity_added: {
    family: 'entity.added',
    compare: (event, { 'entity.added': drafted }) => [
      { field: 'sources', read: sorted(drafted?.sources), truly: sorted(event.sources) },
      ...(drafted?.rating
        ? [{ field: 'rating', read: drafted.rating, truly: list(event.initial_list) }]
        : []),
    ],
  },
  entity_copied: {
    family: 'entity.added',
    compare: (event, { 'entity.added': drafted }) => [
      { field: 'copiedFrom', read: drafted?.copiedFrom, truly: event.from_panel },
    ],
  },
  entity_removed: { family: 'entity.removed', compare: () => [] },
  symbol_replaced: {
    family: 'entity.renamed',
    compare: (event, { 'entity.renamed': drafted }) => [
      { field: 'from', read: drafted?.from, truly: event.old },
      { field: 'to', read: drafted?.to, truly: event.new },
    ],
  },
  // The software writes MITOCHONDRIAL for every symbol that starts with MT-, even where another value was stored.
  moi_set: {
    family: 'entity.added',
    compare: (event, draft) =>
      event.new === 'MITOCHONDRIAL' && draft['entity.added']?.modeOfInheritance === undefined
        ? []
        : added('modeOfInheritance')(event, draft),
  },
  mop_set: { family: 'entity.added', compare: added('modeOfPathogenicity') },
  penetrance_set: { family: 'entity.added', compare: added('penetrance') },
  publications_set: { family: 'entity.added', compare: added('publications') },
  phenotypes_set: { family: 'entity.added', compare: added('phenotypes') },
  tags_set: {
    family: 'entity.tags-changed',
    compare: (event, draft) => [
      { field: 'added', read: draft['entity.tags-changed']?.added, truly: event.tags },
      { field: 'tags', read: draft['entity.added']?.tags, truly: event.tags },
    ],
  },
  tag_added: {
    family: 'entity.tags-changed',
    compare: (event, { 'entity.tags-changed': drafted }) => [includes('added', drafted?.added, event.tag)],
  },
  tag_removed: {
    family: 'entity.tags-changed',
    compare: (event, { 'entity.tags-changed': drafted }) => [
      includes('removed', drafted?.removed, event.tag),
    ],
  },
  source_added: {
    family: 'entity.annotated',
    compare: (event, draft) => [includes('added', sources(draft)?.added, event.source)],
  },
  source_removed: {
    family: 'entity.annotated',
    compare: (event, draft) => [includes('removed', sources(draft)?.removed, event.source)],
  },
  moi_changed: changed('modeOfInheritance'),
  mop_changed: changed('modeOfPathogenicity'),
  phenotypes_changed: changed('phenotypes'),
  publications_changed: changed('publications'),
  penetrance_changed: changed('penetrance'),
  transcript_changed: changed('transcript', { value: (names) => names ?? [] }),
  linked_gene_changed: {
    family: 'entity.annotated',
    compare: (event, { 'entity.annotated': drafted }) => [
      { field: 'gene', read: drafted?.changes?.find(({ field }) => field === 'gene')?.to, truly: event.new },
    ],
  },
  haploinsufficiency_changed: changed('dosage', { aspect: 'haploinsufficiency' }),
  triplosensitivity_changed: changed('dosage', { aspect: 'triplosensitivity' }),
  grch38_changed: changed('coordinates', { aspect: 'GRCh38', value: range }),
  review_rating_set: {
    family: 'entity.reviewed',
    compare: (event, { 'entity.reviewed': drafted }) => [
      { field: 'rating', read: drafted?.rating, truly: ratingOf(event.rating) },
    ],
  },
  current_diagnostic: {
    family: 'entity.reviewed',
    compare: (_event, { 'entity.reviewed': drafted }) => [
      { field: 'currentDiagnostic', read: drafted?.currentDiagnostic, truly: true },
    ],
  },
  clinically_relevant: {
    family: 'entity.reviewed',
    compare: (_event, { 'entity.reviewed': drafted }) => [
      { field: 'clinicallyRelevant', read: drafted?.clinicallyRelevant, truly: true },
    ],
  },
  reviewed: {
    family: 'entity.reviewed',
    compare: (event, { 'entity.reviewed': drafted = {} }) => [
      { field: 'edited', read: drafted.edited, truly: false },
      ...compareReview({ currentDiagnostic: false, clinicallyRelevant: false, ...drafted }, event),
    ],
  },
  review_edited: {
    family: 'entity.reviewed',
    compare: (event, { 'entity.reviewed': drafted = {} }) => [
      { field: 'edited', read: drafted.edited, truly: true },
      { field: 'comment', read: drafted.comment ?? '', truly: event.comment },
      ...compareReview(drafted, event),
    ],
  },
  review_deleted: { family: 'entity.review-deleted', compare: () => [] },
  comment_added: {
    family: 'entity.commented',
    compare: (event, { 'entity.commented': drafted }) => [
      { field: 'action', read: drafted?.action, truly: 'added' },
      { field: 'comment', read: drafted?.comment, truly: event.comment },
    ],
  },
  commented: {
    family: 'entity.commented',
    compare: (event, { 'entity.commented': drafted }) => [
      { field: 'comment', read: drafted?.comment, truly: event.comment_in_text ? event.comment : null },
    ],
  },
  comment_edited: {
    family: 'entity.commented',
    compare: (event, { 'entity.commented': drafted }) => [
      { field: 'action', read: drafted?.action, truly: 'edited' },
      { field: 'comment', read: drafted?.comment, truly: event.new },
      { field: 'previousComment', read: drafted?.previousComment, truly: event.old },
    ],
  },
  comment_deleted: {
    family: 'entity.commented',
    compare: (_event, { 'entity.commented': drafted }) => [
      { field: 'action', read: drafted?.action, truly: 'deleted' },
    ],
  },
  promoted: {
    family: 'panel.promoted',
    compare: (event, { 'panel.promoted': drafted }) => [
      { field: 'version', read: drafted?.version, truly: event.version },
    ],
  },
  panel_created: {
    family: 'panel.created',
    compare: (event, { 'panel.created': drafted }) => [
      { field: 'name', read: drafted?.name, truly: event.name },
    ],
  },
  related_panels_set: panelCreated('relatedPanels'),
  child_panels_set: panelCreated('childPanels'),
  panel_types_set: panelCreated('types'),
  panel_renamed: panelChanged('name', ['from', 'to']),
  panel_types_changed: {
    family: 'panel.changed',
    compare: (event, { 'panel.changed': drafted }) => {
      const change = drafted?.changes?.find(({ field }) => field === 'types');
      return [{ field: 'types', read: sorted(change?.to), truly: sorted(event.new) }];
    },
  },
  signed_off_changed: {
    family: 'panel.signed-off',
    compare: (event, { 'panel.signed-off': drafted }) => [
      { field: 'signedOff', read: drafted?.signedOff, truly: event.new !== null },
    ],
  },
};
