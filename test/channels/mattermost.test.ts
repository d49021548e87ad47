import { expect, test } from 'vitest';
import { mattermostMessage, mattermostText } from '../../lambdas/channels/mattermost.ts';
import { noticeOfPanel } from '../../lambdas/words/notice-of-changes.ts';
import { eventOf, london, turnedGreen } from '../words/events.ts';

test('a message for Mattermost has a heading, the change and a link', () => {
  const [{ text, color, fallback }] = mattermostMessage(noticeOfPanel([turnedGreen()], london)).attachments;
  expect(fallback).toBe('BRCA1 is now green on Inherited breast cancer and ovarian cancer (R208)');
  expect(text).toContain('#### BRCA1 is now green on Inherited breast cancer and ovarian cancer \\(R208\\)');
  expect(text).toContain('**BRCA1** 🟠 amber → 🟢 green');
  expect(text).toContain('[Open the gene](https://panelapp.genomicsengland.co.uk/panels/635/gene/BRCA1/)');
  expect(color).toBe('#23803f');
});

test.each([
  ['# heading', '\\# heading'],
  ['**bold** _x_ `code`', '\\*\\*bold\\*\\* \\_x\\_ \\`code\\`'],
  ['[words](https://evil.example)', '\\[words\\]\\(https\u2060://evil.example\\)'],
  ['@channel @all', '@\u2060channel @\u2060all'],
  [':boom:', ':\u2060boom:'],
  ['1. list\n- list', '1\\. list\n\\- list'],
  ['| a | b |', '\\| a \\| b \\|'],
])('%j stays text', (text, escaped) => {
  expect(mattermostText(text)).toBe(escaped);
});

test('a long message fits, and says what it leaves out', () => {
  const events = Array.from({ length: 60 }, (_, place) =>
    eventOf('entity.commented', { comment: 'x'.repeat(3_000), action: 'added' }, { gene: `GENE${place}` }),
  );
  const [first = turnedGreen(), ...others] = events;
  const [{ text }] = mattermostMessage(noticeOfPanel([first, ...others], london)).attachments;
  expect(text.length).toBeLessThanOrEqual(6_600);
  expect(text).toMatch(/More changes than fit here\.|and \d+ more/);
});
