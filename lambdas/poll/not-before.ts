import { ServiceError } from '../http/service-error.ts';

/**
 * Milliseconds since the epoch until which a service, the catalogue or its identity provider, wants to be left
 * alone; null for any other error.
 */
export function notBeforeOf(error: unknown): number | null {
  return error instanceof ServiceError && error.condition === 'NOT_BEFORE' ? error.notBefore : null;
}
