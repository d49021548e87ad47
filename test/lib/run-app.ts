import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const cdkJson = JSON.parse(readFileSync('cdk.json', 'utf8'));

/** Runs the app as the CDK's command line does, into the folder `output`; proxies that lead nowhere keep it offline. */
export function runApp(
  output: string,
  context: object,
): { readonly status: number | null; readonly stderr: string } {
  const nowhere = 'http://127.0.0.1:9';
  const { status, stderr } = spawnSync(process.execPath, cdkJson.app.split(' ').slice(1), {
    encoding: 'utf8',
    env: {
      ...process.env,
      CDK_OUTDIR: output,
      CDK_CONTEXT_JSON: JSON.stringify({ ...cdkJson.context, ...context }),
      HTTP_PROXY: nowhere,
      HTTPS_PROXY: nowhere,
      npm_config_offline: 'true',
    },
  });
  return { status, stderr };
}
