import type { Draft } from '../../../lambdas/classifier/form.ts';
import type { Annotation, EventKindName, PanelChange } from '../../../lambdas/events/changes.ts';

/** One entry of `events` in `truth.json`: what changed, from the state before and after. */
export type TrueEvent = Readonly<Record<string, unknown>> & { readonly kind: string };

/** A value that was read, and the true one. */
export interface Comparison {
  readonly field: string;
  readonly read: unknown;
  readonly truly: unknown;
}

export interface Check {
  readonly family: EventKindName;
  readonly compare: (event: TrueEvent, draft: Draft) => readonly Comparison[];
}

export const list = (value: unknown): unknown =>
  ({ Green: 'green', Amber: 'amber', Red: 'red', 'No list': 'none' })[String(value)] ?? null;
export const listIn = (value: unknown): unknown => list((value as { list?: unknown } | null)?.list);
export const ratingOf = (value: unknown): string | null => (value ? String(value).toLowerCase() : null);
const orNull = (value: unknown): unknown => (value === '' || value === undefined ? null : value);
export const range = (value: unknown): unknown => (Array.isArray(value) ? value.join('-') : value);

/** The order is that of the text, which is not the truth's. */
export const sorted = (value: unknown): unknown => (Array.isArray(value) ? [...value].sort() : value);

/** Items hold the separator, so that only the joined text can be compared. */
const joined = (value: unknown): unknown => (Array.isArray(value) ? value.join(', ') : value);

export const rated = (event: TrueEvent, { 'entity.classified': drafted }: Draft): Comparison[] => [
  { field: 'to', read: drafted?.to, truly: list(event.to_list) },
];

export const added =
  (field: 'modeOfInheritance' | 'modeOfPathogenicity' | 'penetrance' | 'publications' | 'phenotypes') =>
  (event: TrueEvent, { 'entity.added': drafted }: Draft): Comparison[] => [
    { field, read: orNull(drafted?.[field]), truly: orNull(event.new) },
  ];

/** Both sides of a change; where neither is stated, the text does not show where one ends. */
export const changed = (
  field: Annotation['field'],
  { aspect, value = orNull }: { aspect?: string; value?: (value: unknown) => unknown } = {},
): Check => ({
  family: 'entity.annotated',
  compare: (event, { 'entity.annotated': drafted }) => {
    const change = drafted?.changes?.find((one) => one.field === field && one.aspect === aspect);
    const { text_shows: shows } = event;
    const isStated = change && ('from' in change || 'to' in change);
    return [
      { field, read: change?.field, truly: field },
      ...(isStated && shows !== 'new twice' ? [{ field, read: change.from, truly: value(event.old) }] : []),
      ...(isStated && shows !== 'old' && shows !== 'old only'
        ? [{ field, read: change.to, truly: value(event.new) }]
        : []),
      ...(isStated && shows === 'new twice' ? [{ field, read: change.from, truly: undefined }] : []),
      ...(isStated && String(shows).startsWith('old') ? [{ field, read: change.to, truly: undefined }] : []),
    ];
  },
});

export const panelChanged = (field: PanelChange['field'], sides: readonly ('from' | 'to')[]): Check => ({
  family: 'panel.changed',
  compare: (event, { 'panel.changed': drafted }) => {
    const change = drafted?.changes?.find((one) => one.field === field);
    return sides.map((side) => ({
      field,
      read: change?.[side],
      truly: side === 'from' ? event.old : event.new,
    }));
  },
});

export const panelCreated = (field: 'relatedPanels' | 'childPanels' | 'types'): Check => ({
  family: 'panel.created',
  compare: (event, { 'panel.created': drafted }) => [
    { field, read: sorted(drafted?.[field]), truly: sorted(event.new) },
  ],
});

export const includes = (field: string, items: readonly string[] | undefined, item: unknown): Comparison => ({
  field,
  read: items?.includes(String(item)),
  truly: true,
});

export const sources = (draft: Draft): Annotation | undefined =>
  draft['entity.annotated']?.changes?.find(({ field }) => field === 'sources');

const reviewFields = (event: TrueEvent): Readonly<Record<string, unknown>> => ({
  rating: ratingOf(event.rating),
  modeOfPathogenicity: orNull(event.mode_of_pathogenicity),
  publications: joined(event.publications),
  phenotypes: joined(event.phenotypes),
  modeOfInheritance: orNull(event.moi),
  currentDiagnostic: event.current_diagnostic === true,
  clinicallyRelevant: event.clinically_relevant === true,
});

export const compareReview = (drafted: Readonly<Record<string, unknown>>, event: TrueEvent): Comparison[] =>
  Object.entries(reviewFields(event)).flatMap(([field, truly]) =>
    field in drafted ? [{ field, read: joined(drafted[field]), truly }] : [],
  );
