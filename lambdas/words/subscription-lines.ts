import type { MessageContext } from './message-context.ts';

/** The lines at the end of a message about its subscription: why the reader gets it, and how to change that. */
export const subscriptionLines = ({
  reason,
  help = [],
}: Pick<MessageContext, 'reason' | 'help'>): readonly string[] => [...(reason ? [reason] : []), ...help];
