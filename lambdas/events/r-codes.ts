import { onceForText } from '../run/text.ts';

/** A code of the National Genomic Test Directory: `R59`, or with a sub-code `R59.3`. */
const { source: code } = /R\d+(?:\.\d+)?/;
const whole = new RegExp(`^${code}$`, 'i');
const start = new RegExp(`^${code}\\b`);
const word = new RegExp(`\\b${code}\\b`);
const words = new RegExp(`\\b${code}\\b`, 'gi');

/** Whether a text is a code of the test directory, in any letter case. */
export const isRCode = (text: string): boolean => whole.test(text);

/** Whether a text starts with a code, as `R59 Early onset epilepsy` does. */
export const startsWithRCode = (text: string): boolean => start.test(text);

/** Returns the code without its sub-code: `R59` for `R59.3`. */
export const withoutSubCode = (rCode: string): string => rCode.replace(/\.\d+$/, '');

/** Returns the first code of each disorder that names one, as it is written there. */
export function firstRCodes(disorders: readonly string[]): readonly string[] {
  return disorders.flatMap((disorder) => word.exec(disorder)?.[0] ?? []);
}

/** Returns every code in the disorders, upper case, and without its sub-code: `R59` and `R59.3` for `R59.3`. */
export const rCodesIn = (disorders: readonly string[]): readonly string[] => codesIn(disorders.join('\n'));

/** Thousands of events of a panel state the same disorders. */
const MOST_PANELS = 5_000;

const codesIn = onceForText(MOST_PANELS, (disorders): readonly string[] => {
  const found = new Set<string>();
  for (const written of disorders.match(words) ?? []) {
    const rCode = written.toUpperCase();
    found.add(withoutSubCode(rCode)).add(rCode);
  }
  return [...found];
});
