import fc from 'fast-check';
import type { Values } from '../../../../sandbox/software/values.ts';
import { type Subject, withNames } from './imitations.ts';
import { hostileName, hostileSymbol, hostileText } from './texts.ts';

/** Draws a value of an arbitrary that a function makes, as `fc.gen()` gives it. */
export type Draw = <T, Args extends unknown[]>(make: (...args: Args) => fc.Arbitrary<T>, ...args: Args) => T;

/** Values whose free text may imitate the subject's own rows, once the subject is known. */
export interface HostileValues extends Values {
  imitate(subject: Subject): void;
}

const integer = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });
const name = (): fc.Arbitrary<string> => hostileName;
const symbol = (): fc.Arbitrary<string> => hostileSymbol;
const text = (): fc.Arbitrary<string> => hostileText;
// The doubled word of the wording looks like the end of a tag that ends in it, and no tag ends so.
const tag = (): fc.Arbitrary<string> => hostileName.filter((one) => !one.endsWith(' tag'));
const source = (): fc.Arbitrary<string> => hostileName.filter((one) => !one.startsWith('Expert Review '));
const person = (): fc.Arbitrary<string> =>
  fc.oneof(fc.constantFrom('', ' ', 'Double  Space  Nameson', 'Zoë Ångström-Müller', 'Single'), hostileName);
const choice = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom('', 'Other', 'BIALLELIC, autosomal or pseudoautosomal', 'MITOCHONDRIAL'),
    hostileText,
  );
// Rows of one microsecond are rare, but nothing excludes them.
const gap = (): fc.Arbitrary<number> => fc.integer({ min: 0, max: 27_000 });

export function hostileValues(draw: Draw): HostileValues {
  let subject: Subject | null = null;
  const anyText = (): string => withNames(draw(text), subject);
  const anyName = (): string => draw(name);
  return {
    imitate: (known) => {
      subject = known;
    },
    integer: (min, max) => draw(integer, min, max),
    comment: anyText,
    modeOfInheritance: () => withNames(draw(choice), subject),
    modeOfPathogenicity: anyText,
    penetrance: anyText,
    phenotype: anyText,
    publication: anyText,
    transcript: anyName,
    source: () => draw(source),
    tag: () => draw(tag),
    geneSymbol: () => draw(symbol),
    symbolReplacing: () => draw(symbol),
    strName: anyName,
    regionName: anyName,
    verboseName: anyName,
    panelName: anyName,
    disorder: anyName,
    hpoTerm: anyName,
    personName: () => draw(person),
    gap: () => draw(gap),
  };
}
