import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { Clock } from '../../../lambdas/run/clock.ts';
import { freePort } from '../emulator.ts';
import { stopServer } from '../server-process.ts';

/** A server of DynamoDB's protocol. */
interface DynamoDbServer {
  readonly name: string;
  readonly endpoint: string;
  stop(): Promise<void>;
}

interface StartOptions {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
  /** A server that is used where DynamoDB Local cannot be had. */
  readonly otherwise: Pick<DynamoDbServer, 'name' | 'endpoint'>;
}

const pom = join(import.meta.dirname, 'pom.xml');

/**
 * DynamoDB Local, Amazon's own server for tests. DYNAMODB_LOCAL_ENDPOINT names one that runs; DYNAMODB_LOCAL_JAR names its
 * JAR, as it is downloaded from AWS. Otherwise Maven fetches it from Maven Central, once. Needs Java 17.
 */
export async function startDynamoDbLocal({
  clock,
  env,
  say,
  otherwise,
}: StartOptions): Promise<DynamoDbServer> {
  const given = env.DYNAMODB_LOCAL_ENDPOINT;
  if (given !== undefined) return { name: `DynamoDB at ${given}`, endpoint: given, stop: async () => {} };
  const libraries = librariesOf(env.DYNAMODB_LOCAL_JAR, say);
  if ('missing' in libraries) {
    say(`  Without DynamoDB Local, as ${libraries.missing}: the tests run on ${otherwise.name}`);
    return { ...otherwise, stop: async () => {} };
  }
  const port = await freePort();
  const server = spawn(
    'java',
    [
      `-Djava.library.path=${libraries.native}`,
      ...['-cp', libraries.path, 'com.amazonaws.services.dynamodbv2.local.main.ServerRunner'],
      // With one database for all, the region and key of a client make no difference.
      ...['-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const written: string[] = [];
  server.stderr?.on('data', (chunk: Buffer) => written.push(chunk.toString()));
  const endpoint = `http://127.0.0.1:${port}`;
  for (let tries = 0; !(await answers(endpoint)); tries += 1) {
    if (tries > 300 || server.exitCode !== null) {
      await stopServer(server);
      throw new Error(
        `Starting DynamoDB Local: it does not answer. It wrote:\n${written.join('').slice(-2000)}`,
      );
    }
    await clock.sleep(200);
  }
  return { name: 'DynamoDB Local', endpoint, stop: () => stopServer(server) };
}

interface Libraries {
  /** The class path. */
  readonly path: string;
  /** The folder of the native library of SQLite. */
  readonly native: string;
}

/** The libraries, or why there are none. */
function librariesOf(
  jar: string | undefined,
  say: StartOptions['say'],
): Libraries | { readonly missing: string } {
  if (!runs('java', '-version')) return { missing: 'there is no java here' };
  if (jar !== undefined) {
    const folder = join(resolve(jar), '..', 'DynamoDBLocal_lib');
    return { path: [resolve(jar), join(folder, '*')].join(delimiter), native: folder };
  }
  if (!runs('mvn', '-version')) return { missing: 'there is no mvn here to fetch it' };
  const version = createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 12);
  const folder = resolve('.venv', `dynamodb-local-${version}`);
  // Written last, so that a folder whose download was stopped is made anew.
  const mark = join(folder, 'complete');
  if (!existsSync(mark)) {
    say('  Fetching DynamoDB Local from Maven Central into .venv (once)');
    rmSync(folder, { recursive: true, force: true });
    const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${folder}`, '-DincludeScope=runtime'];
    const { status, stdout } = spawnSync('mvn', ['--quiet', '--batch-mode', '--file', pom, ...goal], {
      encoding: 'utf8',
    });
    if (status !== 0) {
      const [seen = 'no message'] = stdout.split('\n').filter((line) => line.includes('ERROR'));
      return { missing: `mvn could not fetch it (${seen.slice(0, 300)})` };
    }
    writeFileSync(mark, '');
  }
  return { path: join(folder, '*'), native: folder };
}

const runs = (command: string, parameter: string): boolean => spawnSync(command, [parameter]).status === 0;

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url);
    return true;
  } catch {
    return false;
  }
}
