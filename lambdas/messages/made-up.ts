import type { Notice } from './notice.ts';

/** The same message, which says first that it is about a made-up catalogue: someone may act on it otherwise. */
export function asMadeUp(notice: Notice): Notice {
  return {
    ...notice,
    headline: { ...notice.headline, start: `Made up: ${notice.headline.start}` },
    blocks: [
      {
        kind: 'text',
        text: 'This comes from the sandbox, a made-up catalogue. No gene and no panel changed.',
      },
      ...notice.blocks,
    ],
  };
}
