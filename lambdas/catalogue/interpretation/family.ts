import { type ServiceErrors, serviceError } from '../http/service-error.ts';

// Apart from the client: the types of subscribers' code name these, and need neither undici nor the types of Node.

/** The applications that accept the token of the family: by their names in options, how messages name them. */
export const applications = {
  'interpretation-api': 'interpretation API',
  'variant-store': 'variant store',
  'sample-matching': 'sample-matching service',
  're-identification': 're-identification service',
  'interpretation-portal': 'interpretation portal',
  'variant-annotation-store': 'variant annotation store',
} as const;

/** The name of an application in options. */
export type ApplicationName = keyof typeof applications;
/** The name of an application in messages. */
export type Application = (typeof applications)[ApplicationName];
export const applicationNames = Object.keys(applications) as readonly ApplicationName[];

/** A failed exchange with an application of the interpretation API family. */
export class InterpretationError extends serviceError('InterpretationError', 'INTERPRETATION') {}

/** The errors of one application of the family. */
export const errorsOf = (application: Application): ServiceErrors => ({
  service: `the ${application}`,
  error: InterpretationError,
});

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
