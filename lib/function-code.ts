import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { AssetHashType } from 'aws-cdk-lib';
import { Code, type FunctionOptions, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { buildSync } from 'esbuild';
import { functionBundles } from './bundle.ts';

const repository = fileURLToPath(new URL('../', import.meta.url));

/**
 * A function with the code of a module: the bundle that the published package holds, and in the checkout one
 * that esbuild makes now. So a CDK app that depends on the package needs no esbuild.
 *
 * @param entry the module that exports `handler`, relative to the top of the repository
 */
export function functionWithCode(
  scope: Construct,
  id: string,
  { entry, ...options }: FunctionOptions & { readonly entry: string },
): LambdaFunction {
  const prebuilt = `${repository}${prebuiltFolder(entry)}`;
  return new LambdaFunction(scope, id, {
    ...options,
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: existsSync(prebuilt) ? Code.fromAsset(prebuilt) : bundledCode(entry),
  });
}

/** Where the published package holds the bundle of a module: `functions/poll` for `lambdas/functions/poll/handler.ts`. */
export const prebuiltFolder = (entry: string): string =>
  entry.replace(/^lambdas\//, '').replace(/\/handler\.ts$/, '');

/** Code that is bundled when the app is synthesised: in the checkout, which has esbuild. */
const bundledCode = (entry: string): Code =>
  Code.fromAsset(repository, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: Runtime.NODEJS_24_X.bundlingImage,
      // The CDK bundles code with equal options once.
      command: [entry],
      local: {
        tryBundle(folder) {
          const esbuild: { buildSync: typeof buildSync } = createRequire(import.meta.url)('esbuild');
          for (const options of functionBundles(entry, folder))
            esbuild.buildSync({ ...options, absWorkingDir: repository, logLevel: 'warning' });
          return true;
        },
      },
    },
  });
