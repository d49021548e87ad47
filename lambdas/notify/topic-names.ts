import { hash } from 'node:crypto';

/** The last parts of the ARNs of a subscription's own topics. */
export const mailTopic = (subscription: string): string => `mail-${subscription}`;
/** The attribute of a mail's message that says for which address it is. */
export const ADDRESS = 'address';
/** Names a mail address in attributes and filter policies, which SNS does not encrypt. */
export const addressKey = (address: string): string =>
  hash('sha256', address.toLowerCase(), 'hex').slice(0, 16);
/** The name of the topic through which a subscription reaches Amazon Q. */
export const chatTopic = (subscription: string): string => `chat-${subscription}`;
