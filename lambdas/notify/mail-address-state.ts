/** What SNS knows of a mail address: only a confirmed one gets mails. */
export type MailAddressState = 'confirmed' | 'unconfirmed' | 'missing';

/** What to say and do about an address that gets nothing; null for one that does. */
export function mailAddressProblem(state: MailAddressState): string | null {
  switch (state) {
    case 'confirmed':
      return null;
    case 'unconfirmed':
      return 'The address has not confirmed the mail "AWS Notification - Subscription Confirmation": SNS would drop what is sent to it. Confirm it.';
    case 'missing':
      return 'The address is not subscribed to its topic any more: SNS would drop what is sent to it. Somebody, or a mail scanner, followed the link to unsubscribe, or the address was not confirmed within three days. Subscribe it again: "mail-addresses-gone" in docs/runbook.md.';
    default:
      return state satisfies never;
  }
}
