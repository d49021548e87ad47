import type { CatalogueOptions } from '../../sandbox/catalogue/start.ts';

type Distort = NonNullable<CatalogueOptions['distort']>;
type Answer = ReturnType<Distort>;
type Json = Readonly<Record<string, unknown>>;

/** What a request asks for. */
type Part = 'panels' | 'regions' | 'signedoff' | 'present' | 'archive';

interface Lie {
  /** The parts of the catalogue that lie. */
  readonly of: readonly Part[];
  /** @param truthful what was served truthfully before under the same address */
  readonly answer: (right: Json, truthful: Json | undefined, path: string) => Json | number | 'html';
}

const list = (results: readonly Json[]): Json => ({
  count: results.length,
  next: null,
  previous: null,
  results,
});
const resultsOf = (page: Json): readonly Json[] => page.results as readonly Json[];
const eachOf = (page: Json, change: Json): Json =>
  list(resultsOf(page).map((one) => ({ ...one, ...change })));
const half = <Item>(items: readonly Item[]): readonly Item[] =>
  items.filter((_item, index) => index % 2 === 0);

const states: readonly Part[] = ['present', 'archive'];
const entitiesOf = (detail: Json, change: (entities: readonly Json[]) => readonly Json[]): Json => ({
  ...detail,
  ...Object.fromEntries(
    ['genes', 'strs', 'regions'].map((name) => [name, change((detail[name] ?? []) as readonly Json[])]),
  ),
});
const rated =
  (from: string | null, to: string) =>
  (entities: readonly Json[]): readonly Json[] =>
    entities.map((one) =>
      from === null || one.confidence_level === from ? { ...one, confidence_level: to } : one,
    );

/** The ways in which a catalogue lies. */
export const lies = {
  'no panels': { of: ['panels'], answer: () => list([]) },
  'half of the panels': { of: ['panels'], answer: (page) => list(half(resultsOf(page))) },
  'the panels of before': { of: ['panels'], answer: (page, before) => before ?? page },
  'one type for all panels': {
    of: ['panels'],
    answer: (page) => eachOf(page, { types: [{ name: 'Made up', slug: 'made-up', description: '' }] }),
  },
  'no regions': { of: ['regions'], answer: () => list([]) },
  'no sign-offs': { of: ['signedoff'], answer: () => list([]) },
  'half of the sign-offs': { of: ['signedoff'], answer: (page) => list(half(resultsOf(page))) },
  'a day that does not exist': {
    of: ['signedoff'],
    answer: (page) => eachOf(page, { signed_off: '2026-02-31' }),
  },
  'all signed off as 1.0': { of: ['signedoff'], answer: (page) => eachOf(page, { version: '1.0' }) },
  'a version of eleven digits': {
    of: ['signedoff'],
    answer: (page) => eachOf(page, { version: '99999999999.0' }),
  },
  'all amber is green': { of: states, answer: (detail) => entitiesOf(detail, rated('2', '3')) },
  'all ratings gone': { of: states, answer: (detail) => entitiesOf(detail, rated(null, '0')) },
  'no entities': { of: states, answer: (detail) => entitiesOf(detail, () => []) },
  'half of the entities': { of: states, answer: (detail) => entitiesOf(detail, half) },
  // The catalogue answers while the panel is saved: the version of before, with entities of the next one.
  'a panel while it is saved': {
    of: ['present'],
    answer: (detail, before) =>
      before ? { ...before, genes: detail.genes, strs: detail.strs, regions: detail.regions } : detail,
  },
  'a page of HTML': { of: [...states, 'panels', 'signedoff'], answer: () => 'html' },
  'nothing found': { of: [...states, 'signedoff'], answer: () => 404 },
} as const satisfies Readonly<Record<string, Lie>>;
export type LieKind = keyof typeof lies;
export const lieKinds = Object.keys(lies) as readonly LieKind[];

const partsOf = (kind: LieKind): readonly Part[] => lies[kind].of;

/** One lie, or several that no true answer parts. Times are in milliseconds since the epoch. */
interface PastLie {
  readonly kind: LieKind;
  readonly from: number;
  readonly until: number;
}

/** A catalogue that lies from time to time. */
export interface Liar {
  /** Lets it lie for a while. Torn states last for one answer a panel. */
  begin(kind: LieKind, milliseconds: number): void;
  readonly past: readonly PastLie[];
  readonly distort: Distort;
  /** How many answers were lies, by kind. */
  readonly answers: ReadonlyMap<LieKind, number>;
}

const partOf = ({ pathname, searchParams }: URL): Part | null => {
  const [, , , name, key] = pathname.split('/');
  if (name === 'regions') return 'regions';
  if (name !== 'panels') return null;
  if (key === '' || key === undefined) return 'panels';
  if (key === 'signedoff') return 'signedoff';
  if (pathname.split('/').length > 6) return null;
  return searchParams.get('version') ? 'archive' : 'present';
};

const maintenance: Answer = {
  status: 200,
  contentType: 'text/html',
  body: '<!doctype html><title>Back soon</title><p>Back soon</p>',
};

export function createLiar(now: () => number): Liar {
  const past: PastLie[] = [];
  const answers = new Map<LieKind, number>();
  const truthful = new Map<string, Json>();
  /** Panels that were shown torn in the present lie. */
  let torn = new Set<string>();
  /** Whether what the last lie is about was shown truthfully since. */
  let wasTrue = false;
  return {
    past,
    answers,
    begin(kind, milliseconds) {
      torn = new Set();
      const last = past.at(-1);
      // Who reads nothing true in between takes two lies for one.
      const from = last?.kind === kind && !wasTrue ? last.from : now();
      wasTrue = false;
      past.push({ kind, from, until: now() + milliseconds });
    },
    distort(url, right) {
      const part = partOf(url);
      const address = url.pathname + url.search;
      const last = past.at(-1);
      if (!part || right.status !== 200) return right;
      const body = JSON.parse(right.body) as Json;
      const lie: Lie | null = last && last.until > now() ? lies[last.kind] : null;
      const isTorn = last?.kind === 'a panel while it is saved';
      if (!last || !lie?.of.includes(part) || (isTorn && torn.has(address))) {
        truthful.set(address, body);
        if (last && partsOf(last.kind).includes(part)) wasTrue = true;
        return right;
      }
      torn.add(address);
      answers.set(last.kind, (answers.get(last.kind) ?? 0) + 1);
      const said = lie.answer(body, truthful.get(address), address);
      if (said === 'html') return maintenance;
      if (typeof said === 'number') return { status: said, body: JSON.stringify({ detail: 'Not found.' }) };
      return { ...right, body: JSON.stringify(said) };
    },
  };
}
