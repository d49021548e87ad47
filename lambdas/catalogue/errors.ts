import { type Condition, type Failure, ServiceError, type ServiceErrors } from '../http/service-error.ts';

/** `CATALOGUE_NOT_BEFORE` carries `notBefore`, to be kept until the next run; the others are as they are named. */
export type CatalogueErrorCode = `CATALOGUE_${Condition}`;

/** The catalogue was not read. Nothing of what failed was handed on. */
export class CatalogueError extends ServiceError {
  override readonly name = 'CatalogueError';
  override readonly code: CatalogueErrorCode;

  constructor(failure: Failure) {
    super(failure);
    this.code = `CATALOGUE_${failure.condition}`;
  }
}

export const catalogueErrors: ServiceErrors = { service: 'the catalogue', error: CatalogueError };
