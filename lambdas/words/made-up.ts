import type { Notice } from './notice.ts';
import { phrase } from './phrase.ts';

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
