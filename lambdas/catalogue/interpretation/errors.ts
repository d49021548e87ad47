import { type ServiceErrors, serviceError } from '../http/service-error.ts';

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
