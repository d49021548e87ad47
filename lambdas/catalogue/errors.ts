import { type Condition, type Failure, ServiceError, type ServiceErrors } from './http/service-error.ts';

/** `CATALOGUE_NOT_BEFORE` carries `notBefore`, which the next run must keep. */
type CatalogueErrorCode = `CATALOGUE_${Condition}`;

/** The catalogue could not be read. No part of a failed response was passed on. */
export class CatalogueError extends ServiceError {
  override readonly name = 'CatalogueError';
  override readonly code: CatalogueErrorCode;

  constructor(failure: Failure) {
    super(failure);
    this.code = `CATALOGUE_${failure.condition}`;
  }
}

export const catalogueErrors: ServiceErrors = { service: 'the catalogue', error: CatalogueError };
