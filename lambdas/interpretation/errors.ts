import { type Condition, type Failure, ServiceError, type ServiceErrors } from '../http/service-error.ts';

/** The applications of the interpretation API family, as messages call them. */
export type Application =
  | 'interpretation API'
  | 'variant store'
  | 'sample-matching service'
  | 're-identification service';

/** An application of the interpretation API family did not do what it was asked. */
export class InterpretationError extends ServiceError {
  override readonly name = 'InterpretationError';
  override readonly code: `INTERPRETATION_${Condition}`;

  constructor(failure: Failure) {
    super(failure);
    this.code = `INTERPRETATION_${failure.condition}`;
  }
}

export const errorsOf = (application: Application): ServiceErrors => ({
  service: `the ${application}`,
  error: InterpretationError,
});
