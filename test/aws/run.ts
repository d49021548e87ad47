import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { startCatalogues } from './catalogues.ts';
import { createChecks } from './checks.ts';
import { createClients } from './clients.ts';
import { startEmulator } from './emulator.ts';
import { startReceivers } from './receivers.ts';
import { checkAccess } from './scenarios/access.ts';
import { checkCertificates } from './scenarios/certificates.ts';
import { checkCommands } from './scenarios/commands.ts';
import { checkCycles } from './scenarios/cycles.ts';
import { checkDeployment } from './scenarios/deployment.ts';
import { checkDisagreements } from './scenarios/disagreements.ts';
import { checkEventBus } from './scenarios/event-bus.ts';
import { checkEvents } from './scenarios/events.ts';
import { checkExamples } from './scenarios/examples.ts';
import { checkFailure } from './scenarios/failure.ts';
import { checkGuides } from './scenarios/guides.ts';
import { checkLifetime } from './scenarios/lifetime.ts';
import { checkMessages } from './scenarios/messages.ts';
import { checkPage } from './scenarios/page.ts';
import { checkPageSize } from './scenarios/page-size.ts';
import { checkRelay } from './scenarios/relay.ts';
import { checkStates } from './scenarios/states.ts';
import { checkStores } from './scenarios/stores.ts';
import { checkSweep } from './scenarios/sweep.ts';
import { createStage } from './stage.ts';

/**
 * Deploys the app with the CDK's own command line to an emulator of AWS, runs the deployed function as Lambda
 * would, and looks at what subscribers get. AWS_ENDPOINT_URL names an emulator that runs already; without it
 * moto is installed from PyPI and started. Arguments choose scenarios by name; without them all are run.
 */
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const scenarios = [
  { name: 'events', title: 'Polling a catalogue that is open to everybody', scenario: checkEvents },
  { name: 'access', title: 'Polling catalogues that want a credential', scenario: checkAccess },
  { name: 'failure', title: 'Polling a catalogue that fails', scenario: checkFailure },
  { name: 'sweep', title: 'Sweeping a catalogue that changes without a row', scenario: checkSweep },
  { name: 'event-bus', title: 'Putting events on a bus of EventBridge', scenario: checkEventBus },
  { name: 'states', title: 'Reading and proving what panels hold', scenario: checkStates },
  { name: 'relay', title: 'Writing the relay into its bucket', scenario: checkRelay },
  {
    name: 'cycles',
    title: 'Killing polls, sweeps and proofs that run at the same time',
    scenario: checkCycles,
  },
  { name: 'page', title: 'Following a change to the decision on the page', scenario: checkPage },
  { name: 'page-size', title: 'Opening the page over a long history', scenario: checkPageSize },
  { name: 'messages', title: 'Sending messages about the saved log', scenario: checkMessages },
  {
    name: 'disagreements',
    title: 'Comparing a catalogue with another one',
    scenario: checkDisagreements,
  },
  { name: 'commands', title: 'Asking the stage by the command line', scenario: checkCommands },
  { name: 'guides', title: 'Typing what the pages show for AWS', scenario: checkGuides },
  { name: 'examples', title: 'Deploying the examples with the packed package', scenario: checkExamples },
  {
    name: 'certificates',
    title: 'Polling through a proxy that inspects TLS',
    scenario: checkCertificates,
  },
  { name: 'lifetime', title: 'Deploying again, destroying, and coming back', scenario: checkLifetime },
] as const;
const chosen: readonly string[] = process.argv.slice(2);
/** Run only where they are named: they measure, or leave functions without their layer, which moto cannot update. */
const apart: readonly string[] = ['certificates', 'cycles', 'page-size'];
const begun = clock.now();
const emulator = await startEmulator({ clock, endpoint: process.env.AWS_ENDPOINT_URL, say });
const catalogues = await startCatalogues();
const receivers = await startReceivers();
const folder = mkdtempSync(join(tmpdir(), 'gene-panel-notifier-aws-'));

try {
  const aws = {
    AWS_ENDPOINT_URL: emulator.endpoint,
    AWS_REGION: process.env.AWS_REGION ?? 'eu-west-2',
    AWS_ACCESS_KEY_ID: process.env.AWS_ACCESS_KEY_ID ?? 'test',
    AWS_SECRET_ACCESS_KEY: process.env.AWS_SECRET_ACCESS_KEY ?? 'test',
  };
  const clients = createClients(aws);
  const stage = createStage(clients, aws, folder);
  const context = { aws, clients, folder, stage, catalogues, receivers, checks: createChecks(say), say };

  const isChosen = (name: string): boolean =>
    chosen.length === 0 ? !apart.includes(name) : chosen.includes(name);
  if (isChosen('stores')) {
    say('Testing what is kept in DynamoDB');
    await checkStores(context);
  }
  const wanted = scenarios.filter(({ name }) => isChosen(name));
  if (wanted.length > 0) {
    say('Deploying with the CDK');
    const deployment = await checkDeployment(context);
    for (const { title, scenario } of wanted) {
      say(title);
      await scenario(context, deployment);
    }
  }

  say(`${context.checks.passed} checks passed in ${Math.round((clock.now() - begun) / 1000)} s`);
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  say(emulator.logTail());
  process.exitCode = 1;
} finally {
  await catalogues.stop();
  await receivers.stop();
  rmSync(folder, { recursive: true });
  await emulator.stop();
}
// What a scenario that failed still serves would keep the process alive.
process.exit();
