import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { functionBundles, leanBundle, plainBundle } from '../../lib/bundle.ts';
import { newFolder } from '../new-folder.ts';

/** What any function of this kind holds: the clients of the three services, and nothing that uses them. */
const bareClients = `
  import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
  import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
  import { SNSClient } from '@aws-sdk/client-sns';
  export const handler = [DynamoDBClient, SecretsManagerClient, SNSClient];
`;

const bundled = async (options: BuildOptions) => {
  const { outputFiles = [], metafile } = await build({
    ...options,
    outfile: 'index.cjs',
    write: false,
    metafile: true,
  });
  const inputs = Object.values(metafile?.outputs ?? {}).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : [])),
  );
  return { code: outputFiles[0]?.text ?? '', bytes: outputFiles[0]?.contents.length ?? 0, inputs };
};
const bare = await bundled({ ...plainBundle, stdin: { contents: bareClients, resolveDir: '.' } });
const poll = await bundled({ ...leanBundle, entryPoints: ['lambdas/functions/poll/handler.ts'] });

describe('the bundle of poll', () => {
  test('weighs less than 1.15 MB, and less than 1.8 times the bare clients', () => {
    expect(bare.bytes).toBeGreaterThan(400_000);
    expect(poll.bytes).toBeLessThan(1_150_000);
    expect(poll.bytes / bare.bytes).toBeLessThan(1.8);
  });

  test('contains undici and zod', () => {
    expect(poll.inputs.some((input) => input.includes('/undici/lib/dispatcher/'))).toBe(true);
    expect(poll.inputs.some((input) => input.includes('/zod/'))).toBe(true);
  });

  test.each([
    ['the chain of credential providers', /@aws-sdk\/credential-provider-(?!env)/],
    ['undici’s fetch, forms, WebSocket and cache', /undici\/lib\/(web|cache|mock|interceptor)\//],
    ['parsers for other processors', /undici\/lib\/(milo\/|llhttp\/llhttp-wasm|dispatcher\/parser)/],
    ['the cache of discovered endpoints', /mnemonist|obliterator|@aws-sdk\/endpoint-cache/],
    ['the SDK’s event streams', /@smithy\/core\/dist-es\/submodules\/event-streams/],
    ['zod’s other languages', /zod\/v4\/locales\/(?!en\.js|index\.js)/],
    ['anything of deployment or tests', /aws-cdk-lib|constructs|vitest|^(?:lib|test|bin)\//],
  ])('leaves out %s', (_, unwanted) => {
    expect(poll.inputs.filter((input) => unwanted.test(input))).toEqual([]);
  });

  test('imports at run time only modules that undici needs on other platforms, and for bodies that are forms', () => {
    const asked = [...poll.code.matchAll(/require\("(\.[^"]+)"\)/g)].map(([, path]) => path).sort();
    expect([...new Set(asked)]).toEqual([
      '../llhttp/llhttp-wasm.js',
      '../web/fetch/body.js',
      '../web/fetch/formdata',
      '../web/webidl',
    ]);
  });

  test('loads no HTTP/2', () => {
    expect(poll.code).toContain('require("node:https")');
    expect(poll.code).not.toContain('http2")');
  });

  // Where anything is imported in a function, esbuild wraps it and all that it imports, and V8 reads that code twice.
  test('wraps no modules but small ones that others import late', () => {
    const late = [...poll.code.matchAll(/__esm\(\{"([^"]+)"\(/g)].map(([, module]) => module);
    expect(late.sort()).toEqual([
      'lambdas/catalogue/http/no-http2.ts',
      'lambdas/catalogue/http/pool.ts',
      'lambdas/catalogue/http/tunnel.ts',
      'lambdas/run/lean-sdk.ts',
    ]);
  });

  test('keeps names, so that a stack trace can be read', () => {
    expect(poll.code).toMatch(/async function handler\(/);
  });
});

describe('what notify loads at need', () => {
  const folder = newFolder();
  afterAll(() => rmSync(folder, { recursive: true }));

  test('lies beside its code, which holds nothing of it and asks for each by its name', async () => {
    const [index, ...others] = functionBundles('lambdas/functions/notify/handler.ts', folder);
    if (!index) throw new Error('Expected the code');
    const { code, inputs } = await bundled(index);
    expect(inputs.filter((input) => /nodemailer|xml-js|client-s3|client-sqs/.test(input))).toEqual([]);
    const asked = [...code.matchAll(/import\("\.\/([^"]+)"\)/g)].map(([, path]) => path);
    expect(asked.sort()).toEqual([
      'aws-sdk-client-s3.js',
      'aws-sdk-client-sqs.js',
      'feed.js',
      'nodemailer.js',
    ]);
    for (const options of others) await build(options);
    expect(readdirSync(folder).sort()).toEqual(asked);
    expect(await import(join(folder, 'nodemailer.js'))).toHaveProperty('createTransport');
    expect(await import(join(folder, 'feed.js'))).toHaveProperty('Feed');
    expect(await import(join(folder, 'aws-sdk-client-s3.js'))).toHaveProperty('PutObjectCommand');
    expect(await import(join(folder, 'aws-sdk-client-sqs.js'))).toHaveProperty('SendMessageCommand');
  });
});
