import { type Application, InterpretationError } from './errors.ts';

/** A resource below an application's base address: one part for each step, as it is, not encoded. */
export type PathParts = readonly (string | number)[];

/**
 * The path of a resource, each part percent-encoded as a whole, so that an identifier never becomes a path of its
 * own. Fails with `INTERPRETATION_ADDRESS_WRONG` for a part that is empty or that an address resolves away.
 */
export function resourcePath(application: Application, parts: PathParts): string {
  return parts.map((part) => encodePart(application, String(part))).join('/');
}

/** The same for what is read, where an empty part at the end is a slash at the end: some servers want one. */
export function readingPath(application: Application, parts: PathParts): string {
  if (parts.length < 2 || parts.at(-1) !== '') return resourcePath(application, parts);
  return `${resourcePath(application, parts.slice(0, -1))}/`;
}

function encodePart(application: Application, part: string): string {
  if (part !== '' && part !== '.' && part !== '..' && part.isWellFormed()) return encodeURIComponent(part);
  throw new InterpretationError({
    condition: 'ADDRESS_WRONG',
    action: `Making an address in the ${application}`,
    seen: `${JSON.stringify(part)} is no part of a path`,
  });
}
