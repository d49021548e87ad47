import { isLoopback } from '../../lambdas/catalogue/http/loopback.ts';
import { UsageError } from '../command.ts';

/** Events could not be replayed. Sending them again does no harm: their ids are the same. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
  readonly code = 'REPLAY_FAILED';
}

const targetServices = { queue: 'sqs', topic: 'sns', function: 'lambda' } as const;

/** A queue, topic or function that gets events again. */
export interface Target {
  readonly kind: keyof typeof targetServices;
  /** Its ARN, its address or its name, as it was given. */
  readonly given: string;
  readonly name: string;
  /** The region of the environment where the target does not name one. */
  readonly region?: string;
  /** The account of the credentials where the target does not name one. */
  readonly account?: string;
}

const EXPECTED =
  'expected the ARN of an SNS topic, SQS queue or Lambda function, the address of a queue, or queue:NAME, topic:NAME or function:NAME';

/** Whether a value of `--to` is meant as a target: ratings have no colon. */
export const isTarget = (value: string): boolean => value.includes(':');

/** @throws {UsageError} when the text names no standard topic, standard queue or function */
export function readTarget(option: string, given: string): Target {
  const target = byArn(given) ?? byAddress(given) ?? byName(given);
  const shown = `${option} ${JSON.stringify(given)}`;
  if (!target) throw new UsageError(`${shown}: ${EXPECTED}`);
  if (target.name.endsWith('.fifo')) {
    throw new UsageError(`${shown}: that is a FIFO topic or queue; expected a standard one`);
  }
  return target;
}

function byArn(given: string): Target | undefined {
  const found =
    /^arn:[\w-]+:(sns|sqs|lambda):([\w-]+):(\d{12}):(function:)?([\w-]{1,256}(?:\.fifo)?)(:[\w$-]+)?$/.exec(
      given,
    );
  const [, service, region = '', account = '', isFunction, name = '', version] = found ?? [];
  const kind = kindOf(service);
  // Only a function's ARN has these parts.
  if (!kind || (kind === 'function') !== (isFunction !== undefined) || (version && kind !== 'function'))
    return;
  return { kind, given, name, region, account };
}

const kindOf = (service: string | undefined): Target['kind'] | undefined =>
  (Object.keys(targetServices) as Target['kind'][]).find((kind) => targetServices[kind] === service);

function byAddress(given: string): Target | undefined {
  const [, region, host, account = '', name = ''] =
    /^https?:\/\/(?:sqs\.([\w-]+)\.amazonaws\.com[\w.]*|(\[::1\]|[\w.-]+)(?::\d+)?)\/(\d{12})\/([\w-]{1,80}(?:\.fifo)?)$/.exec(
      given,
    ) ?? [];
  // An emulator of SQS runs on this machine; no other host has queues.
  if (name === '' || (host !== undefined && !isLoopback(host))) return;
  return { kind: 'queue', given, name, account, ...(region !== undefined && { region }) };
}

function byName(given: string): Target | undefined {
  const [, kind, name = ''] = /^(queue|topic|function):([\w-]{1,256}(?:\.fifo)?)$/.exec(given) ?? [];
  return kind === undefined ? undefined : { kind: kind as Target['kind'], given, name };
}
