import { rmSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { templateOf } from '../../lib/aws-limits.ts';
import { notifierStacks } from '../../lib/gene-panel-notifier.ts';
import { parseSettings, SettingsError } from '../../lib/read-settings.ts';
import { type SettingsInput, settingsSchemaAt } from '../../lib/settings.ts';
import { app, now } from './deploy.ts';
import { generatedSettings } from './generated-settings.ts';
import { resolvedStack } from './proofs/resolved-stack.ts';
import { limitFindings, templateFindings } from './proofs/shape.ts';

const SETTINGS = Number(process.env.SETTINGS ?? 120);
const seed = Number(process.env.FIRST_SEED ?? 41);

/** What is within the limits of AWS, or the sentences that refuse it, and what AWS would refuse of the template. */
function synthesised(settings: SettingsInput): {
  readonly refusals: readonly string[];
  readonly over: readonly string[];
} {
  const root = app();
  try {
    const parsed = parseSettings(settings, { schema: settingsSchemaAt(now), file: 'generated' });
    const [stack] = notifierStacks(root, parsed);
    if (stack === undefined) throw new Error('The settings gave no stack');
    const refusals = stack.notifier.node.validate();
    const template = templateOf(stack);
    const whole = Template.fromJSON(template);
    return {
      refusals,
      over: [...limitFindings(resolvedStack(whole, stack.stackName)), ...templateFindings({ ...template })],
    };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { refusals: [error.message.split('\n').slice(1, 4).join('; ')], over: [] };
  } finally {
    rmSync(root.outdir, { recursive: true, force: true });
  }
}

/** Which limit, and what to change. */
const refusal =
  /and AWS takes [\d,]+\. [A-Z].+\.$|network\.(?:subnets|securityGroups): .*expected a list of one to|tags: .*expected at most 50/;
const isOfSettings = ([first = '']: readonly string[]): boolean => first.startsWith('  stages.');

describe('of generated settings with 1 to 500 subscriptions', () => {
  const counts = { accepted: 0, refused: 0 };
  test.each(
    fc.sample(generatedSettings, { numRuns: SETTINGS, seed }).map((settings, at) => [at, settings] as const),
  )('settings %i are within every limit of AWS, or refused by a sentence that says which', (_, settings) => {
    const { refusals, over } = synthesised(settings);
    if (refusals.length === 0) {
      expect(over).toEqual([]);
      counts.accepted += 1;
    } else {
      for (const sentence of refusals) expect(sentence).toMatch(refusal);
      // What AWS fills in is counted at its longest; everything else is refused only where AWS would refuse it.
      const estimated = refusals.every((sentence) =>
        / in its (?:environment|inline policies)/.test(sentence),
      );
      expect(over.length > 0 || estimated || isOfSettings(refusals)).toBe(true);
      counts.refused += 1;
    }
  });

  test('many are accepted, and many refused', () => {
    process.stdout.write(`${counts.accepted} settings accepted, ${counts.refused} refused\n`);
    expect(counts.accepted).toBeGreaterThan(SETTINGS / 4);
    expect(counts.refused).toBeGreaterThan(SETTINGS / 20);
  });
});

const mails = (count: number): SettingsInput => ({
  name: 'panels',
  stages: {
    test: {
      catalogues: { uk: { base: 'https://panelapp.example.org/api/v1/' } },
      subscriptions: Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `laboratory-${at}`,
          { channels: [{ kind: 'email', to: `laboratory-${at}@example.org` }] },
        ]),
      ),
    },
  },
});

test.each([48, 120])('%i subscriptions by mail are within every limit of AWS', (count) => {
  expect(synthesised(mails(count))).toEqual({ refusals: [], over: [] });
});

test('an app with more resources than a stack may have is not synthesised, and the sentence says so', () => {
  const root = app();
  notifierStacks(root, mails(200));
  expect(() => root.synth()).toThrow(/has \d+ resources, and AWS takes 500\. Divide/);
});
