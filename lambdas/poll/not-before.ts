import { ServiceError } from '../catalogue/http/service-error.ts';

/**
 * The time before which a service (the catalogue or its identity provider) accepts no request, in milliseconds since
 * the epoch; null for any other error.
 */
export function notBeforeOf(error: unknown): number | null {
  return error instanceof ServiceError && error.condition === 'NOT_BEFORE' ? error.notBefore : null;
}
