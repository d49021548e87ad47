import type { Notice } from './notice.ts';
import { phrase } from './phrase.ts';

/** The notice of a message that could not be sent for a while, with the line "as known on …". */
export function asKnown(notice: Notice, moment: string): Notice {
  const [first, ...others] = notice.blocks;
  const line = {
    kind: 'text',
    text: phrase`As known on ${moment}: this message could not be sent before now.`,
  } as const;
  // The change itself comes first.
  return {
    ...notice,
    blocks: first?.kind === 'change' ? [first, line, ...others] : [line, ...notice.blocks],
  };
}
