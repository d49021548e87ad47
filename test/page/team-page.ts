import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { toMessage } from '../../lambdas/publishing/message.ts';
import {
  createWorklistStore,
  WORKLIST,
  type WorklistStore,
} from '../../lambdas/questions/worklist/worklist-record.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { createSqliteItems } from '../../lambdas/store/items-sqlite.ts';
import { openStateFile, type StateFile } from '../../lambdas/store/sqlite-file.ts';
import { answerRequests } from '../../page/answer-requests.ts';
import type { Served } from '../../page/listen.ts';
import { type Listening, servePage } from '../../page/listen.ts';
import type { PageOptions } from '../../page/route-context.ts';
import type { Access, Connection } from '../../page/sign-in/access.ts';
import { type AccessSettings, accessSettingsSchema } from '../../page/sign-in/access-settings.ts';
import { createPersonalNotes, openAuditLog, openPeopleFile } from '../../page/sign-in/people-file.ts';
import { createProvider, type Provider } from '../../page/sign-in/provider.ts';
import {
  createOneTimeUses,
  createProgramTokens,
  createSessions,
  type Sessions,
} from '../../page/sign-in/sessions.ts';
import { signInAccess } from '../../page/sign-in/sign-in-access.ts';
import { decisionSupport, tenants, users } from '../../sandbox/identity/accounts.ts';
import {
  type StartedIdentityProvider,
  startIdentityProvider,
} from '../../sandbox/identity/identity-provider.ts';
import { signingKey } from '../catalogue/identity/signing-key.ts';
import { newFolder } from '../new-folder.ts';
import { createTestClock, type TestClock } from '../run/test-clock.ts';
import { turnedGreen } from '../words/events.ts';
import { type BrowserSession, browserSession } from './browser-session.ts';

export const ORIGIN = 'http://127.0.0.1:7208';
const tenant = tenants['non-production'];
const key = signingKey();

/** The page of a team: scientists read, managers decide. */
interface TeamPage {
  readonly clock: TestClock;
  readonly identity: StartedIdentityProvider;
  readonly provider: Provider;
  readonly sessions: Sessions;
  /** What is kept of people. */
  readonly people: ReturnType<typeof openPeopleFile>;
  /** What the sessions warned of. */
  readonly warnings: readonly string[];
  readonly worklist: WorklistStore;
  readonly answer: (request: Request, connection?: Connection) => Promise<Response>;
  /** A browser without a session. */
  browser(): BrowserSession;
  /** Serves the page until the test ends, at its address where no port is stated. */
  serve(listening?: Partial<Pick<Listening, 'port' | 'tls'>>): Promise<Served>;
  /** Signs in as a user of the sandbox, and returns the page's last response. */
  signIn(browser: BrowserSession, user: keyof typeof users, to?: string): Promise<Response>;
  readonly file: StateFile;
  /** Holds the audit log and what is kept of people. */
  readonly folder: string;
  /** The lines of the audit log. */
  audit(): readonly Readonly<Record<string, unknown>>[];
}

/** The settings of these tests, with changes. */
export const accessSettings = (change: Readonly<Record<string, unknown>> = {}): AccessSettings =>
  accessSettingsSchema.parse({
    address: ORIGIN,
    provider: { issuer: 'http://127.0.0.1:1', clientId: decisionSupport.clientId, scope: 'openid' },
    roles: { claim: 'roles', reader: ['NCR003'], decider: ['NCR004', 'NNR501'] },
    ...change,
  });

/**
 * Opens the page of a team, who sign in by the sandbox's identity provider.
 * @param origin under which the page answers
 */
export async function openTeamPage({
  fault,
  origin = ORIGIN,
  idleMinutes = 120,
  cases,
}: {
  readonly cases?: PageOptions['cases'];
  readonly fault?: (request: Request, identity: StartedIdentityProvider) => Promise<Response | undefined>;
  readonly origin?: string;
  readonly idleMinutes?: number;
} = {}): Promise<TeamPage> {
  const clock = createTestClock({ wokenByHand: true });
  const identity: StartedIdentityProvider = await startIdentityProvider({
    clock,
    key,
    fault: (request) => fault?.(request, identity),
  });
  const settings = accessSettings({
    address: origin,
    provider: { issuer: identity.issuer(tenant.id), clientId: decisionSupport.clientId, scope: 'openid' },
  });
  const folder = newFolder();
  const people = openPeopleFile(clock.now, folder);
  const audit = openAuditLog(folder, clock);
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  const sessions = createSessions(people.items, {
    clock,
    longest: 10 * 3_600_000,
    idle: idleMinutes * 60_000,
    log,
  });
  if (!settings.provider) throw new Error('no provider');
  const provider = createProvider({
    settings: settings.provider,
    secret: String(decisionSupport.secrets[0]),
    redirectUri: `${origin}/signed-in`,
    clock,
  });
  const access = signInAccess({
    settings,
    provider,
    sessions,
    uses: createOneTimeUses(people.items),
    audit,
    clock,
  });
  const { answer, close, file, options } = await pageOf(access, clock, {
    audit,
    notes: createPersonalNotes(people.items, clock),
    tokens: createProgramTokens(people.items, clock),
    ...(cases && { cases }),
  });
  onTestFinished(async () => {
    close();
    audit.close();
    people.close();
    await identity.close();
  });
  const browser = () => browserSession(answer, origin);
  return {
    clock,
    worklist: createWorklistStore(createSqliteItems(file, { what: WORKLIST, now: clock.now })),
    file,
    folder,
    identity,
    provider,
    sessions,
    people,
    warnings,
    answer,
    browser,
    async serve(listening) {
      const served = await servePage(options, { port: Number(new URL(origin).port), access, ...listening });
      onTestFinished(() => served.close());
      return served;
    },
    async signIn(own, user, to = '/') {
      const begun = await own.open(`/sign-in?${new URLSearchParams({ to })}`);
      return own.open(await chosenUser(begun.headers.get('location') ?? '', user));
    },
    audit: () =>
      readFileSync(join(folder, 'audit.ndjson'), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  };
}

type PeopleOptions = Pick<PageOptions, 'audit' | 'notes' | 'tokens' | 'cases'>;

/** A page over one event, with somebody's access. */
export async function pageOf(access: Access, clock: TestClock, people: PeopleOptions = {}) {
  const file = openStateFile();
  const ended = new AbortController();
  await createSqliteHistory(file).append([toMessage(turnedGreen({ id: 'a1' }))], {
    catalogue: 'uk',
    since: 1n,
    until: 2n,
  });
  const options = { file, clock, zone: 'Europe/London', signal: ended.signal, ...people };
  const answer = answerRequests(options, access);
  const close = (): void => {
    ended.abort(new Error('the test ended'));
    file.close();
  };
  return { answer, close, file, options };
}

/** Chooses a user at the sandbox's sign-in, and returns the address to which it sends the browser back. */
export async function chosenUser(address: string, user: keyof typeof users): Promise<string> {
  const response = await fetch(address, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ user: users[user].objectId }),
  });
  return response.headers.get('location') ?? '';
}
