import type { Notice } from './notice.ts';
import { phrase } from './phrase.ts';

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
