/** A form of the state in DynamoDB. */
interface StateFormat {
  readonly format: number;
  /** The first release that reads it. */
  readonly readSince: string;
  /** The first release that writes it: a later one than `readSince`. */
  readonly writtenSince: string;
  /** Why one release began with both. */
  readonly together?: string;
}

/**
 * Every form of the state, the newest last. When an update fails half way, CloudFormation returns to the code before, and the
 * new code may have written by then. So a release writes a form only where the release before it reads it.
 */
export const stateFormats: readonly StateFormat[] = [
  { format: 1, readSince: '0.1.0', writtenSince: '0.1.0', together: 'It is the first form.' },
  { format: 2, readSince: '0.2.0', writtenSince: '0.2.0', together: '0.1.0 was never published.' },
];

/** The form that this version writes. */
export const WRITTEN_FORMAT = 2;
/** The newest form that this version reads. */
export const READ_FORMAT = Math.max(...stateFormats.map(({ format }) => format));
