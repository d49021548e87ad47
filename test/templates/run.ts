import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { deploy, fullest, uk } from '../lib/deploy.ts';
import { wholeProven } from '../lib/proofs/proven-stacks.ts';
import { policiesOf } from '../lib/proofs/shape.ts';
import { virtualEnvironment } from '../python/virtual-environment.ts';
import { awsFacts, factsFile, publishedFacts } from './aws-facts.ts';
import { exceptions } from './exceptions.ts';

/**
 * Runs checkov and cfn-lint over the template of the default settings and of the fullest ones. Both are installed from
 * PyPI. A finding without an exception fails, and so does an exception without a finding. It also compares what AWS
 * publishes, as cfn-lint ships it, with what the tests of the templates know of it; `--write` writes that anew.
 */
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const templates = { default: deploy({ catalogues: { uk } }).toJSON(), fullest: deploy(fullest).toJSON() };
type Settings = keyof typeof templates;

const folder = mkdtempSync(join(tmpdir(), 'gene-panel-notifier-templates-'));
try {
  const requirements = join(import.meta.dirname, 'requirements.txt');
  const environment = virtualEnvironment('template-checks', { requirements, say });
  const files = Object.entries(templates).map(([settings, template]) => {
    const file = join(folder, `${settings}.json`);
    writeFileSync(file, JSON.stringify(template, null, 2));
    return file;
  });
  compareFacts(environment);
  const found = new Set([...checkov(environment, files), ...cfnLint(environment, files)]);
  const excepted = new Set(
    exceptions.flatMap(({ rule, on, settings }) => settings.map((each) => `${rule} on ${on} (${each})`)),
  );
  const open = [...found].filter((finding) => !excepted.has(finding));
  const idle = [...excepted].filter((exception) => !found.has(exception));
  for (const finding of open) say(`Finding without an exception: ${finding}`);
  for (const exception of idle) say(`Exception without a finding: ${exception}`);
  say(`${found.size} findings, each with its reason: ${open.length + idle.length === 0 ? 'yes' : 'no'}`);
  if (open.length + idle.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** Compares the facts that the tests use with those of the package, or writes them. */
function compareFacts(environment: string): void {
  const { stack } = wholeProven();
  const actions = policiesOf(stack).flatMap(({ statements }) => statements.map(({ Action }) => Action));
  const services = [...JSON.stringify(actions).matchAll(/"([a-z0-9]+):/g)].map(([, service = '']) => service);
  const facts = publishedFacts(environment, {
    types: [...new Set(stack.map(({ type }) => type))],
    services: [...new Set(services)],
  });
  if (process.argv.includes('--write')) writeFileSync(factsFile, `${JSON.stringify(facts, null, 2)}\n`);
  if (JSON.stringify(facts) === JSON.stringify(awsFacts())) return;
  say(
    `${factsFile} differs from ${facts.source}: run npm run test:templates -- --write, and look at what changed`,
  );
  process.exitCode = 1;
}

/** The output of a checker, whose exit code says only whether it found something. */
function output(command: string, parameters: readonly string[]): unknown {
  const { stdout, stderr } = spawnSync(command, parameters, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  try {
    return JSON.parse(stdout);
  } catch (cause) {
    throw new Error(`Running ${command}: it printed no JSON, but ${stderr.slice(-2000)}`, { cause });
  }
}

function settingsOf(file: string): Settings {
  const name = basename(file, '.json');
  if (name !== 'default' && name !== 'fullest') throw new Error(`No template is called ${file}`);
  return name;
}

function checkov(environment: string, files: readonly string[]): readonly string[] {
  const schema = z.object({
    results: z.object({
      passed_checks: z.array(z.unknown()).min(50),
      failed_checks: z.array(z.object({ check_id: z.string(), file_path: z.string(), resource: z.string() })),
    }),
  });
  const parameters = ['--framework', 'cloudformation', '--output', 'json', '--file', ...files];
  const { results } = schema.parse(output(join(environment, 'bin', 'checkov'), parameters));
  return results.failed_checks.map(
    ({ check_id, file_path, resource }) =>
      `${check_id} on ${resource.split('.')[0]} (${settingsOf(file_path)})`,
  );
}

function cfnLint(environment: string, files: readonly string[]): readonly string[] {
  const schema = z.array(
    z.object({
      Filename: z.string(),
      Rule: z.object({ Id: z.string() }),
      Location: z.object({ Path: z.array(z.union([z.string(), z.number()])).nullable() }),
    }),
  );
  const findings = schema.parse(
    output(join(environment, 'bin', 'cfn-lint'), ['--format', 'json', '--', ...files]),
  );
  return findings.map(({ Filename, Rule, Location }) => {
    const settings = settingsOf(Filename);
    const [, id = ''] = Location.Path ?? [];
    return `${Rule.Id} on ${templates[settings].Resources[id]?.Type} (${settings})`;
  });
}
