import type { BatchResultErrorEntry } from '@aws-sdk/client-sns';
import type { Topic } from '../events/kinds.ts';
import { firstLine, withFirstLine } from '../run/log.ts';

interface FaultFacts {
  /** As SNS names it, such as `InternalError`. */
  readonly code: string;
  readonly reason: string;
}

/** SNS refuses the message for its content, however often it is sent. */
interface MessageFault extends FaultFacts {
  readonly kind: 'message';
}

/** The message is not the cause. */
export interface ServiceFault extends FaultFacts {
  /** The code with which publishing stops if this fault continues. */
  readonly kind: Exclude<PublishErrorCode, 'deadline'>;
  readonly cause?: unknown;
}

/** A fault that SNS reported, for a whole call or for one entry of a batch. */
export type Fault = MessageFault | ServiceFault;
type FaultKind = Fault['kind'];

/** The codes of SNS, of AWS as a whole and of its key service, without the suffix that the SDK adds. */
const codesByKind: Readonly<Partial<Record<FaultKind, readonly string[]>>> = {
  message: [
    'BatchRequestTooLong',
    'InvalidParameter',
    'InvalidParameterValue',
    'ParameterValueInvalid',
    'Validation',
    'ValidationError',
  ],
  throttled: [
    'KMSThrottling',
    'RequestLimitExceeded',
    'RequestThrottled',
    'Throttled',
    'Throttling',
    'TooManyRequests',
  ],
  unavailable: ['InternalError', 'InternalFailure', 'RequestTimeout', 'ServiceUnavailable'],
  denied: [
    'AccessDenied',
    'AuthorizationError',
    'CredentialsProviderError',
    'ExpiredToken',
    'IncompleteSignature',
    'InvalidClientTokenId',
    'InvalidSecurity',
    'KMSAccessDenied',
    'KMSDisabled',
    'KMSInvalidState',
    'KMSNotFound',
    'KMSOptInRequired',
    'MissingAuthenticationToken',
    'OptInRequired',
    'RequestExpired',
    'SignatureDoesNotMatch',
    'UnrecognizedClient',
  ],
  'topic-missing': ['NotFound', 'ResourceNotFound'],
};

const kindsByCode: ReadonlyMap<string, FaultKind> = new Map(
  Object.entries(codesByKind).flatMap(([kind, codes]) => codes.map((code) => [code, kind as FaultKind])),
);

/** Errors of the connection have no `$metadata`. */
interface SdkError extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number; readonly clockSkewCorrected?: boolean };
}

/** The fault for which the SDK threw `error` in place of an answer. */
export function faultOfCall(error: unknown): Fault {
  if (!(error instanceof Error)) return { kind: 'refused', code: 'Unknown', reason: String(error) };
  const { $metadata: { httpStatusCode, clockSkewCorrected } = {} }: SdkError = error;
  const code = error.name.replace(/Exception$/, '');
  const kind = kindsByCode.get(code) ?? kindOfStatus(httpStatusCode);
  const facts = { code, reason: firstLine(error.message), cause: withFirstLine(error) };
  // The SDK takes the right time from this response, and signs the next call with it.
  if (kind === 'denied' && clockSkewCorrected) return { kind: 'unavailable', ...facts };
  return { kind, ...facts };
}

/** The fault of one entry of a batch that SNS accepted otherwise. */
export function faultOfEntry({ Code: code = 'Unknown', Message, SenderFault }: BatchResultErrorEntry): Fault {
  const facts = { code, reason: firstLine(Message ?? '') };
  const kind = kindsByCode.get(code) ?? 'message';
  return { kind: kind === 'message' && !SenderFault ? 'unavailable' : kind, ...facts };
}

/** Whether the same call may succeed when it is repeated. */
export function isTransient({ kind }: Fault): boolean {
  return kind === 'throttled' || kind === 'unavailable';
}

/** For an unknown code. Without a status the connection broke; 200 means a response that cannot be read. */
function kindOfStatus(status: number | undefined): ServiceFault['kind'] {
  if (status === undefined || status < 300 || status >= 500) return 'unavailable';
  if (status === 429) return 'throttled';
  return status === 401 || status === 403 ? 'denied' : 'refused';
}

/**
 * Why publishing stopped.
 * - `throttled`: SNS kept asking for fewer calls.
 * - `denied`: the credentials, a policy or a key do not allow it.
 * - `topic-missing`: the topic does not exist, or its ARN is wrong.
 * - `unavailable`: SNS did not answer, or kept failing.
 * - `deadline`: the time of the run was used up.
 * - `refused`: SNS refused the call itself.
 */
type PublishErrorCode = 'throttled' | 'denied' | 'topic-missing' | 'unavailable' | 'deadline' | 'refused';

const whatToDo: Readonly<Record<PublishErrorCode, string>> = {
  throttled:
    'The next run sends the rest; ask AWS for a higher quota of SNS publish calls if this continues.',
  denied: 'Check the credentials, and that they may sns:Publish to the topic and use its encryption key.',
  'topic-missing': "Create the topic, or correct its ARN and the client's region in the settings.",
  unavailable: 'The next run sends the rest; check the network and the state of SNS if this continues.',
  deadline: 'The next run sends the rest; give the run more time if this continues.',
  refused: 'Check that the configured endpoint is SNS, and that this version of the SDK fits it.',
};

/** SNS did not accept every message. All may be sent again: consumers recognise repeats by the event's id. */
export class PublishError extends Error {
  override readonly name = 'PublishError';
  readonly code: PublishErrorCode;
  readonly topic: Topic;

  /** @param seen what went wrong, as a clause */
  constructor(code: PublishErrorCode, topic: Topic, seen: string, options?: ErrorOptions) {
    super(`Publishing to the topic '${topic}' stopped: ${seen}. ${whatToDo[code]}`, options);
    this.code = code;
    this.topic = topic;
  }
}
