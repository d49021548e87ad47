import { onOneLine } from '../run/printable.ts';

/** Names that need no cleaning: nearly all. */
const ordinary = /^[!-~]+(?: [!-~]+)*$/;

/** The form in which two names are compared: lower case, white space and control characters as one space. */
export function nameKey(name: string): string {
  const clean = ordinary.test(name) ? name : onOneLine(name).trim();
  return clean.toLowerCase();
}
