import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock as clock } from '../../lambdas/run/clock.ts';

/** The inside of a Lambda execution environment: asks the runtime API for work, calls the handler, answers. */

const { AWS_LAMBDA_RUNTIME_API, LAMBDA_TASK_ROOT = '', _HANDLER = '' } = process.env;
const api = `http://${AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime`;
const post = (path: string, body: unknown): Promise<Response> =>
  fetch(`${api}/${path}`, { method: 'POST', body: JSON.stringify(body ?? null) });
const facts = (error: unknown) =>
  error instanceof Error
    ? { errorType: error.name, errorMessage: error.message }
    : { errorType: 'Error', errorMessage: String(error) };

let aheadMs = 0;
const machineTime = Date.now;
Date.now = () => machineTime() + aheadMs;

const [file, name = ''] = _HANDLER.split('.');
let handler: unknown;
try {
  const paths = ['.js', '.mjs'].map((extension) => join(LAMBDA_TASK_ROOT, `${file}${extension}`));
  const path = paths.find((each) => existsSync(each));
  if (path === undefined) throw new Error(`There is none of ${paths.join(', ')}`);
  const module: Record<string, unknown> = await import(pathToFileURL(path).href);
  handler = module[name];
  if (typeof handler !== 'function') throw new Error(`${_HANDLER} is no function`);
} catch (error) {
  await post('init/error', facts(error));
  process.exit(1);
}

for (;;) {
  const next = await fetch(`${api}/invocation/next`);
  const id = next.headers.get('lambda-runtime-aws-request-id') ?? '';
  const deadline = Number(next.headers.get('lambda-runtime-deadline-ms'));
  aheadMs = Number(next.headers.get('clock-ahead-ms'));
  const context = {
    awsRequestId: id,
    getRemainingTimeInMillis: () => deadline - clock.now(),
  };
  try {
    const result: unknown = await Reflect.apply(handler as () => unknown, undefined, [
      await next.json(),
      context,
    ]);
    await post(`invocation/${id}/response`, result);
  } catch (error) {
    await post(`invocation/${id}/error`, facts(error));
  }
}
