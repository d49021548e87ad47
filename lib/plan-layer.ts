import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Code, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { NotifyPlan } from '../lambdas/notify/subscription.ts';

/** Where the function finds its plan. */
export const PLAN_FILE = '/opt/plan.json';

/** The subscriptions as a file of the function: environment variables hold 4 KB, and a list of genes may be longer. */
export function planLayer(scope: Construct, plan: NotifyPlan): LayerVersion {
  const folder = mkdtempSync(join(tmpdir(), 'gene-panel-notifier-plan-'));
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
  const layer = new LayerVersion(scope, 'Plan', {
    code: Code.fromAsset(folder),
    description: 'Who gets which messages',
  });
  // The CDK has copied it.
  rmSync(folder, { recursive: true });
  return layer;
}
