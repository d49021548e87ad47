import { expect, test } from 'vitest';
import { nearest } from '../../lambdas/filters/nearest.ts';

const kinds = ['email', 'smtp', 'slack', 'slack-bot', 'webhook', 'amazon-q'];

test.each([
  ['a letter that is missing', 'emal', 'email'],
  ['a letter too many', 'slackk', 'slack'],
  ['another letter', 'smpp', 'smtp'],
  ['two letters that changed places', 'emial', 'email'],
  ['letters that changed places twice', 'amzaon-p', 'amazon-q'],
])('finds what was meant by %s', (_what, text, meant) => {
  expect(nearest(text, kinds)).toBe(meant);
});

test.each(['pager', 'mx', '', 'hook'])('takes %j for none of them', (text) => {
  expect(nearest(text, kinds)).toBeUndefined();
});
