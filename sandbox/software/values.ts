/**
 * The values that people enter. Two implementations: realistic values for the made-up log, hostile
 * ones for the property tests.
 */
export interface Values {
  /** A whole number, both bounds included. */
  integer(min: number, max: number): number;
  comment(): string;
  modeOfInheritance(): string;
  modeOfPathogenicity(): string;
  penetrance(): string;
  phenotype(): string;
  publication(): string;
  transcript(): string;
  /** A source that carries no rating. */
  source(): string;
  tag(): string;
  geneSymbol(): string;
  /** A symbol that replaces another everywhere; from then on the values hold the old one no more. */
  symbolReplacing(symbol: string): string;
  /** `before`: what it is called so far, where it is renamed. */
  strName(before?: string): string;
  regionName(before?: string): string;
  verboseName(): string;
  panelName(before?: string): string;
  disorder(): string;
  hpoTerm(): string;
  personName(): string;
  /** Microseconds between two rows of one action. */
  gap(): number;
}

/** True in so many percent of the draws. */
export function chance(values: Values, percent: number): boolean {
  return values.integer(1, 100) > 100 - percent;
}

/**
 * One of the items.
 * @throws {Error} when the list is empty
 */
export function pick<T>(values: Values, from: readonly [T, ...T[]] | readonly T[]): T {
  const found = from[values.integer(0, from.length - 1)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

/** The value, or null where chance has it. */
export function maybe<T>(values: Values, percent: number, draw: () => T): T | null {
  return chance(values, percent) ? draw() : null;
}

/** Distinct values: as many as chance has it, fewer where the draw repeats itself. */
export function several(values: Values, least: number, most: number, draw: () => string): string[] {
  const wanted = values.integer(least, most);
  const found = new Set<string>();
  for (let tries = 0; found.size < wanted && tries < wanted * 4; tries += 1) found.add(draw());
  return [...found];
}

/** Some of what there is, in its order. */
export function someOf<T>(values: Values, percent: number, from: readonly T[]): T[] {
  return from.filter(() => chance(values, percent));
}

/** What a panel lists. */
export type EntityType = 'gene' | 'str' | 'region';

export const entityTypes: readonly EntityType[] = ['gene', 'str', 'region'];

const labelWords = { gene: 'gene', str: 'STR', region: 'Region' } as const;

/** `gene: BRCA1`, `STR: HTT_CAG`, `Region: ISCA-37390-Loss`. */
export function labelOf(type: EntityType, name: string): string {
  return `${labelWords[type]}: ${name}`;
}

/** The label as it heads a rating by hand: first letter upper, all the rest lower (`Str: htt_cag`). */
export function capitalizedLabelOf(type: EntityType, name: string): string {
  const label = labelOf(type, name);
  return label.slice(0, 1).toUpperCase() + label.slice(1).toLowerCase();
}

/** The time zone of `created`: `utc` (`…Z`) or `sydney`, with the offset of the season (`+10:00`, `+11:00`). */
export type Zone = 'utc' | 'sydney';

/** Renders microseconds since the epoch as `created`: with six digits, or none where the microseconds are zero. */
export function renderCreated(micros: number, zone: Zone): string {
  const millis = Math.floor(micros / 1_000_000) * 1000;
  const fraction = micros % 1_000_000;
  const offset = zone === 'utc' ? 0 : sydneyOffset(millis);
  const wall = new Date(millis + offset * 60_000).toISOString().slice(0, 19);
  const digits = fraction === 0 ? '' : `.${String(fraction).padStart(6, '0')}`;
  return `${wall}${digits}${zone === 'utc' ? 'Z' : offsetText(offset)}`;
}

function offsetText(minutes: number): string {
  return `+${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

const sydney = new Intl.DateTimeFormat('en-AU', { timeZone: 'Australia/Sydney', timeZoneName: 'longOffset' });

/** The offset of Sydney from UTC at that time, in minutes. */
function sydneyOffset(millis: number): number {
  const name = sydney.formatToParts(millis).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, hours, minutes] = /GMT\+(\d{2}):(\d{2})/.exec(name) ?? [];
  if (hours === undefined)
    throw new Error(`Node gives no offset for Sydney (it gives "${name}"); it needs full ICU data`);
  return Number(hours) * 60 + Number(minutes);
}

/**
 * Parses a `created` (date, time, up to six digits, `Z` or an offset) into microseconds since the epoch. Returns undefined
 * for any other text.
 */
export function parseCreated(created: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?(Z|[+-]\d{2}:\d{2})$/.exec(created);
  if (!match) return undefined;
  const [, seconds, fraction = '', zone] = match;
  const millis = Date.parse(`${seconds}${zone}`);
  return Number.isNaN(millis) ? undefined : millis * 1000 + Number(fraction.padEnd(6, '0'));
}

/**
 * Numbers in [0, 1) that repeat exactly for the same seed (splitmix32), so that the sandbox can serve
 * the same log again.
 */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    mixed ^= mixed >>> 15;
    return (mixed >>> 0) / 2 ** 32;
  };
}
