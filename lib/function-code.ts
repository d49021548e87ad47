import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Code, type FunctionOptions, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';
import { leanBundle } from './bundle.ts';

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
  const runtime = Runtime.NODEJS_24_X;
  const prebuilt = `${repository}${prebuiltFolder(entry)}`;
  if (existsSync(prebuilt)) {
    return new LambdaFunction(scope, id, {
      ...options,
      runtime,
      handler: 'index.handler',
      code: Code.fromAsset(prebuilt),
    });
  }
  return new NodejsFunction(scope, id, {
    ...options,
    runtime,
    entry: `${repository}${entry}`,
    projectRoot: repository,
    depsLockFilePath: `${repository}package-lock.json`,
    bundling: bundling(),
  });
}

/** Where the published package holds the bundle of a module: `functions/poll` for `lambdas/functions/poll/handler.ts`. */
export const prebuiltFolder = (entry: string): string =>
  entry.replace(/^lambdas\//, '').replace(/\/handler\.ts$/, '');

/** The lean bundle's options, as the CDK takes them. */
const bundling = () => ({
  format: OutputFormat.CJS,
  target: leanBundle.target,
  mainFields: [...leanBundle.mainFields],
  externalModules: [...leanBundle.external],
  define: leanBundle.define,
  esbuildArgs: {
    '--minify-syntax': leanBundle.minifySyntax,
    '--minify-whitespace': leanBundle.minifyWhitespace,
    ...Object.fromEntries(
      Object.entries(leanBundle.logOverride).map(([what, level]) => [`--log-override:${what}`, level]),
    ),
    ...Object.fromEntries(Object.entries(leanBundle.alias).map(([from, to]) => [`--alias:${from}`, to])),
  },
});
