import type { Block, Notice } from './notice.ts';
import { type Phrase, phrase } from './phrase.ts';

const withFirst = (notice: Notice, text: Phrase): Notice => ({
  ...notice,
  blocks: [{ kind: 'text', text }, ...notice.blocks],
});

/** The notice of a message that is sent some time after it was begun, with the line "as known on …" after the change itself. */
export function asKnown(notice: Notice, moment: string, why: 'late' | 'asked for'): Notice {
  const [first, ...others] = notice.blocks;
  const text =
    why === 'late'
      ? phrase`As known on ${moment}: this message could not be sent before now.`
      : phrase`As known on ${moment}: this message was sent then already.`;
  const line: Block = { kind: 'text', text };
  return first?.kind === 'change' ? { ...notice, blocks: [first, line, ...others] } : withFirst(notice, text);
}

/** The notice with a first line that says why it holds the changes of so many panels. */
export const asBurst = (notice: Notice, panels: number): Notice => ({
  ...withFirst(
    notice,
    phrase`${String(panels)} panels changed at once, far more than ever before. This message replaces ${String(panels)} single ones. It may come from a bulk upload or a restored database: look at the catalogue before you act on it.`,
  ),
  headline: phrase`Unusually many changes: ${notice.headline}`,
});

/** The notice with a first line that says why it holds the changes of several panels. */
export const asBundle = (notice: Notice, panels: number): Notice =>
  withFirst(notice, phrase`Changes of ${String(panels)} panels within a few minutes share this message.`);

/** The notice with a first line that says that its catalogue is made up, so that no reader acts on it. */
export const asMadeUp = (notice: Notice): Notice => ({
  ...withFirst(
    notice,
    phrase`This comes from the sandbox, a made-up catalogue. No gene and no panel changed.`,
  ),
  headline: phrase`Made up: ${notice.headline}`,
});

const repeats = {
  'asked for': 'Sent again because somebody asked for it.',
  'cut off': 'Sent again: an earlier attempt was cut off, so you may have this message already.',
  restored:
    'Perhaps sent again: the notifier was restored from a backup, so you may have this message already.',
} as const;

/** The notice with a last line that says why the reader may have it already. */
export const sentAgain = (notice: Notice, why: keyof typeof repeats): Notice => ({
  ...notice,
  footer: [...notice.footer, repeats[why]],
});
