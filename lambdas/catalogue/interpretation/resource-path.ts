import { type Application, InterpretationError } from './errors.ts';

// Beside the client: the types of subscribers' code name it, and need none of the HTTP client's.

/** The path of a resource below an application's base address: one part for each step, not yet percent-encoded. */
export type PathParts = readonly (string | number)[];

/**
 * Percent-encodes each part as a whole, so that a slash in an identifier never becomes a step of the path.
 *
 * @throws {InterpretationError} `INTERPRETATION_ADDRESS_WRONG` for a part that is empty, `.` or `..`
 */
export function resourcePath(application: Application, parts: PathParts): string {
  return parts.map((part) => encodePart(application, String(part))).join('/');
}

/** The same for reading, where an empty last part gives a slash at the end: some servers need one. */
export function readingPath(application: Application, parts: PathParts): string {
  if (parts.length < 2 || parts.at(-1) !== '') return resourcePath(application, parts);
  return `${resourcePath(application, parts.slice(0, -1))}/`;
}

function encodePart(application: Application, part: string): string {
  if (part !== '' && part !== '.' && part !== '..' && part.isWellFormed()) return encodeURIComponent(part);
  throw new InterpretationError({
    condition: 'ADDRESS_WRONG',
    action: `Making an address in the ${application}`,
    seen: `${JSON.stringify(part)} is not a part of a path`,
  });
}
