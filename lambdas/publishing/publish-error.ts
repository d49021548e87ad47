import type { Topic } from '../events/topics.ts';

/**
 * Why publishing stopped.
 * - `throttled`: SNS kept asking for fewer calls.
 * - `denied`: the credentials, a policy or a key do not allow it.
 * - `topic-missing`: the topic does not exist, or its ARN is wrong.
 * - `unavailable`: SNS did not answer, or kept failing.
 * - `deadline`: the time of the run was used up.
 * - `refused`: SNS refused the call itself.
 */
export type PublishErrorCode =
  | 'throttled'
  | 'denied'
  | 'topic-missing'
  | 'unavailable'
  | 'deadline'
  | 'refused';

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
