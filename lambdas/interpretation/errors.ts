import { type Condition, type Failure, ServiceError, type ServiceErrors } from '../http/service-error.ts';

/** The applications of the interpretation API family, by their names in messages. */
export type Application =
  | 'interpretation API'
  | 'variant store'
  | 'sample-matching service'
  | 're-identification service';

/** A failed exchange with an application of the interpretation API family. */
export class InterpretationError extends ServiceError {
  override readonly name = 'InterpretationError';
  override readonly code: `INTERPRETATION_${Condition}`;

  constructor(failure: Failure) {
    super(failure);
    this.code = `INTERPRETATION_${failure.condition}`;
  }
}

/** The errors of one application of the family. */
export const errorsOf = (application: Application): ServiceErrors => ({
  service: `the ${application}`,
  error: InterpretationError,
});
