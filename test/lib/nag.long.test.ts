import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, Validations } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { app, everything, fullest, stackOf } from './deploy.ts';

const reportSchema = z.object({
  pluginReports: z.array(
    z.object({
      pluginName: z.string(),
      violations: z.array(
        z.object({
          ruleName: z.string(),
          violatingConstructs: z.array(z.object({ constructPath: z.string() })),
        }),
      ),
    }),
  ),
});

const checked = (): App => {
  const root = app();
  Validations.of(root).addPlugins(new AwsSolutionsChecks(root), new ServerlessChecks(root));
  return root;
};

/** The rules that the synthesised app breaks, warnings among them. */
function broken(root: App): readonly string[] {
  try {
    root.synth();
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ValidationFailed')) throw error;
  }
  const report = reportSchema.parse(
    JSON.parse(readFileSync(join(root.outdir, 'validation-report.json'), 'utf8')),
  );
  return report.pluginReports.flatMap(({ violations }) => violations.map(({ ruleName }) => ruleName));
}

afterEach(() => vi.restoreAllMocks());

describe('cdk-nag, AwsSolutions and Serverless', () => {
  test.each([
    ['the settings of a test', everything],
    ['a key and a network as well', fullest],
  ])('finds nothing, with %s', (_, stage) => {
    const root = checked();
    stackOf(stage, root);
    expect(broken(root)).toEqual([]);
  });

  test('would find a topic that accepts messages without TLS', () => {
    const root = checked();
    new Topic(stackOf(everything, root), 'Bare');
    expect(broken(root)).toEqual(['AwsSolutions-SNS3']);
  });

  test('has exceptions only for rules that are broken, each with a reason', () => {
    const acknowledged: { id: string; reason: string }[] = [];
    vi.spyOn(Validations.prototype, 'acknowledge').mockImplementation((...rules) => {
      acknowledged.push(...rules);
    });
    const root = checked();
    stackOf(fullest, root);
    const rules = [...new Set(acknowledged.map(({ id }) => id))].sort();
    expect(rules).toEqual([...new Set(broken(root))].sort());
    expect(rules).not.toEqual([]);
    for (const { reason } of acknowledged) expect(reason.split(' ').length).toBeGreaterThan(8);
  });
});
