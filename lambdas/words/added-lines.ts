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

/** The notice with a first line that says why it holds the changes of so many panels. */
export function asBurst(notice: Notice, panels: number): Notice {
  return {
    ...notice,
    headline: phrase`Unusually many changes: ${notice.headline}`,
    blocks: [
      {
        kind: 'text',
        text: phrase`${String(panels)} panels changed at once, far more than ever before. This message replaces ${String(panels)} single ones. It may come from a bulk upload or a restored database: look at the catalogue before you act on it.`,
      },
      ...notice.blocks,
    ],
  };
}

/** The notice with a first line that says why it holds the changes of several panels. */
export const asBundle = (notice: Notice, panels: number): Notice => ({
  ...notice,
  blocks: [
    {
      kind: 'text',
      text: phrase`Changes of ${String(panels)} panels within a few minutes share this message.`,
    },
    ...notice.blocks,
  ],
});

/** The notice with a first line that says that its catalogue is made up, so that no reader acts on it. */
export function asMadeUp(notice: Notice): Notice {
  return {
    ...notice,
    headline: phrase`Made up: ${notice.headline}`,
    blocks: [
      {
        kind: 'text',
        text: phrase`This comes from the sandbox, a made-up catalogue. No gene and no panel changed.`,
      },
      ...notice.blocks,
    ],
  };
}
