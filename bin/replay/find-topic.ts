import { paginateListTopics, type SNSClient } from '@aws-sdk/client-sns';
import type { Target } from './target.ts';
import { ReplayError } from './target.ts';

/**
 * The ARN of a topic. Where only its name is known, the topics of the account are listed.
 * @throws {ReplayError} when the account has no such topic in the region
 */
export async function findTopic(sns: SNSClient, { given, name, account }: Target): Promise<string> {
  if (account !== undefined) return given;
  for await (const { Topics = [] } of paginateListTopics({ client: sns }, {})) {
    const found = Topics.find(({ TopicArn }) => TopicArn?.endsWith(`:${name}`));
    if (found?.TopicArn) return found.TopicArn;
  }
  throw new ReplayError(
    `Opening ${given}: this account has no topic "${name}" in ${await sns.config.region()}. Nothing was sent. Give its ARN, or set AWS_REGION.`,
  );
}
