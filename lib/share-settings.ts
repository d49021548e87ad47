import * as z from 'zod';
import { alsoWithErrors, group, text } from './setting-kinds.ts';
import { hasChannels, type Subscription } from './subscription-settings.ts';

export const accountId = text(/^\d{12}$/, "an AWS account's twelve digits, as text");

/** As many as the policy of a bus takes, with room for statements of others. */
const MOST_ACCOUNTS = 100;

/** The accounts that may subscribe to the topics of events themselves. */
export const shareSchema = group({
  accounts: z
    .array(accountId, { error: "a list of AWS accounts, such as ['210987654321']" })
    .min(1, { error: 'at least one account' })
    .max(MOST_ACCOUNTS, { error: `at most ${MOST_ACCOUNTS} accounts; organisation admits more` })
    .optional(),
  /** All accounts of an organisation of AWS Organizations. */
  organisation: text(/^o-[a-z0-9]{10,32}$/, "the id of an organisation, such as 'o-a1b2c3d4e5'").optional(),
}).refine(({ accounts, organisation }) => accounts !== undefined || organisation !== undefined, {
  ...alsoWithErrors,
  error: 'accounts, organisation or both',
});

export type Share = z.output<typeof shareSchema>;

/** Who may subscribe, such as "the accounts 1 and 2 and those of the organisation o-3". */
export function sharedWith({ accounts = [], organisation }: Share): string {
  const named = `the account${accounts.length === 1 ? '' : 's'} ${accounts.join(', ')}`;
  return [
    ...(accounts.length > 0 ? [named] : []),
    ...(organisation === undefined ? [] : [`every account of the organisation ${organisation}`]),
  ].join(' and ');
}

/**
 * The queues of subscriptions that are not in the account of the topics, by the name of the subscription. SNS subscribes such a
 * queue only once somebody there agrees; until then it drops what it publishes.
 * @param account undefined where it is unknown; then every queue may be one of another account
 */
export const queuesElsewhere = (
  subscriptions: Readonly<Record<string, Subscription>>,
  account: string | undefined,
): readonly (readonly [name: string, queue: string])[] =>
  Object.entries(subscriptions).flatMap(([name, subscription]) => {
    const queue = hasChannels(subscription) ? undefined : subscription.queue;
    return queue === undefined || queue.split(':')[4] === account ? [] : [[name, queue] as const];
  });

/** What the owner of such a queue must do. */
export function confirmationOf(queue: string, account: string | undefined): string {
  const where = account === undefined ? `If the stack is not in account ${queue.split(':')[4]}, the` : 'The';
  return `${where} owner of ${queue} must confirm the subscription: the queue gets a message with a SubscribeURL for each topic, if its policy lets SNS send. It gets no event before that. docs/deploying.md, "Queues of another account", has the commands`;
}
