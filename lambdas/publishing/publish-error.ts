import type { Topic } from '../events/topics.ts';

/**
 * Why publishing stopped: SNS asked to go slower for too long (`throttled`); the credentials, a policy or a key
 * do not allow it (`denied`); the topic is not there, or its ARN is wrong (`topic-missing`); SNS could not be
 * reached or kept failing (`unavailable`); the time was up (`deadline`); SNS refused the call itself (`refused`).
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
    'The next run sends what is left; ask AWS for a higher quota of SNS publish calls if this goes on.',
  denied: 'Check the credentials, and that they may sns:Publish to the topic and use its encryption key.',
  'topic-missing': "Create the topic, or correct its ARN and the client's region in the settings.",
  unavailable: 'The next run sends what is left; check the network and the state of SNS if this goes on.',
  deadline: 'The next run sends what is left; give the run more time or smaller chunks if this goes on.',
  refused: 'Check that the configured endpoint is SNS, and that this version of the SDK fits it.',
};

/** Not every message was accepted. What was sent may be sent again: consumers tell repeats by the event's id. */
export class PublishError extends Error {
  override readonly name = 'PublishError';
  readonly code: PublishErrorCode;
  readonly topic: Topic;

  /** `seen` is what went wrong, as a clause. */
  constructor(code: PublishErrorCode, topic: Topic, seen: string, options?: ErrorOptions) {
    super(`Publishing to the topic '${topic}' stopped: ${seen}. ${whatToDo[code]}`, options);
    this.code = code;
    this.topic = topic;
  }
}
