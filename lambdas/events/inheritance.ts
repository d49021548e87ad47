import type { DisagreementChange } from './changes.ts';

/** The groups of modes of inheritance, in words: what a change between two of them means for a variant is another thing. */
export const inheritanceGroups = {
  mono: 'monoallelic',
  bi: 'biallelic',
  both: 'both monoallelic and biallelic',
  x: 'X-linked',
  mitochondrial: 'mitochondrial',
  other: 'other',
  unknown: 'not stated',
} as const;
type InheritanceGroup = keyof typeof inheritanceGroups;
export const inheritanceGroupNames = Object.keys(inheritanceGroups) as [
  InheritanceGroup,
  ...InheritanceGroup[],
];

/** How the catalogue's modes of inheritance begin; a mode that begins otherwise is among the others. */
const beginnings: readonly (readonly [InheritanceGroup, RegExp])[] = [
  ['mono', /^monoallelic\b/i],
  ['bi', /^biallelic\b/i],
  ['both', /^both monoallelic and biallelic\b/i],
  ['x', /^x-linked\b/i],
  ['mitochondrial', /^mitochondrial\b/i],
  ['unknown', /^(?:none|unknown)?$/i],
];

/** The group of a mode of inheritance as the catalogue writes it; empty, `None` and `Unknown` are not stated. */
export const inheritanceGroupOf = (mode: string | null): InheritanceGroup =>
  beginnings.find(([, begins]) => begins.test((mode ?? '').trim()))?.[0] ?? 'other';

/** Whether one of these modes of inheritance states something: of an entity without, nothing differs from what another catalogue states. */
export const statesInheritance = (modes: readonly string[]): boolean =>
  modes.some((mode) => inheritanceGroupOf(mode) !== 'unknown');

/** Whether a disagreement of two catalogues, or its end, is about the mode of inheritance: both have it as green. */
export const isOfInheritance = ({
  from,
  to,
  here,
  there,
}: Pick<DisagreementChange, 'from' | 'to'> &
  Readonly<Record<'here' | 'there', { readonly rating: string }>>): boolean =>
  to === 'inheritance' ||
  (from === 'inheritance' && to === 'agreed' && here.rating === 'green' && there.rating === 'green');
