import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Code, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { PagePlan } from '../lambdas/functions/page/page-plan.ts';

/** Where the function finds its plan and what browsers load. */
export const PAGE_FOLDER = '/opt/page';

/** In the checkout `page/browser`, in the published package `dist/page/browser`. */
const browserFiles = fileURLToPath(new URL('../page/browser', import.meta.url));

/** The plan of the page, and its styles and scripts, as files of the function. */
export function pageLayer(scope: Construct, plan: PagePlan): LayerVersion {
  const folder = mkdtempSync(join(tmpdir(), 'gene-panel-notifier-page-'));
  mkdirSync(join(folder, 'page'));
  writeFileSync(join(folder, 'page', 'page.json'), JSON.stringify(plan));
  cpSync(browserFiles, join(folder, 'page', 'browser'), { recursive: true });
  const layer = new LayerVersion(scope, 'Plan', {
    code: Code.fromAsset(folder),
    description: 'Who may read the page, and what browsers load of it',
  });
  // The CDK has copied it.
  rmSync(folder, { recursive: true });
  return layer;
}
