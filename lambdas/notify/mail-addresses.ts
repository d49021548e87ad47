import { ListSubscriptionsByTopicCommand, type SNSClient } from '@aws-sdk/client-sns';
import type { MailAddressState } from './mail-address-state.ts';

interface AddressOptions {
  readonly sns: Pick<SNSClient, 'send'>;
  readonly topicArn: string;
  readonly signal?: AbortSignal;
}

/** Whether an address would get what is published to a topic. SNS accepts messages for topics without subscriptions. */
export async function mailAddressState(
  address: string,
  { sns, topicArn: TopicArn, signal }: AddressOptions,
): Promise<MailAddressState> {
  const isAddress = (endpoint: string | undefined): boolean =>
    endpoint?.toLowerCase() === address.toLowerCase();
  let state: MailAddressState = 'missing';
  for (let NextToken: string | undefined, first = true; first || NextToken !== undefined; first = false) {
    const command = new ListSubscriptionsByTopicCommand({ TopicArn, ...(NextToken && { NextToken }) });
    const page = await sns.send(command, signal && { abortSignal: signal });
    for (const { Protocol, Endpoint, SubscriptionArn = '' } of page.Subscriptions ?? []) {
      if (Protocol !== 'email' || !isAddress(Endpoint)) continue;
      if (SubscriptionArn.startsWith('arn:')) return 'confirmed';
      // As "PendingConfirmation"; one that was ended is listed as "Deleted" for a while.
      if (SubscriptionArn.startsWith('Pending')) state = 'unconfirmed';
    }
    NextToken = page.NextToken;
  }
  return state;
}
