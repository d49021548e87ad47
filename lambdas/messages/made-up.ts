import type { Notice } from './notice.ts';

/** The notice with a first line that says that its catalogue is made up, so that no reader acts on it. */
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
