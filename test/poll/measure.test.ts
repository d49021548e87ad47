import { expect, test } from 'vitest';
import { measure, type PollReport, type RunFacts } from '../../lambdas/poll/report.ts';
import { metrics } from '../../lambdas/run/emf.ts';
import { quietReport } from './quiet-report.ts';

const report: PollReport = {
  ...quietReport,
  outcome: 'published',
  activities: 3,
  late: 1,
  events: { 'gene-panel.entity.classified.v1': 2, 'gene-panel.activity.unclassified.v1': 1 },
  lagSeconds: 12.5,
  unexplained: { surfaced: 2, vanished: 1 },
};

function measured(outcome: PollReport | Error, changes: Partial<RunFacts> = {}): Record<string, unknown> {
  const lines: Record<string, unknown>[] = [];
  const owner = { namespace: 'GenePanelNotifier', catalogue: 'uk' };
  measure(
    metrics(
      (line) => lines.push(JSON.parse(line)),
      () => 0,
      owner,
    ),
    outcome,
    {
      tokenRequests: 1,
      traffic: { requests: 4, retries: 2, throttled: 0, bytes: 0 },
      remaining: 30_000,
      credentialDays: 17,
      ...changes,
    },
  );
  const { _aws, ...facts } = lines[0] ?? {};
  return facts;
}

const always = {
  Catalogue: 'uk',
  CatalogueRequests: 4,
  CatalogueRetries: 2,
  TokenRequests: 1,
  RemainingSeconds: 30,
  CredentialDaysLeft: 17,
};
const failure = (code: string): Error => Object.assign(new Error('failed'), { code });

test('a poll is measured by what it published', () => {
  expect(measured(report)).toStrictEqual({
    ...always,
    SuccessfulPolls: 1,
    ActivitiesRead: 3,
    LateActivities: 1,
    EventsPublished: 3,
    Unclassified: 1,
    LagSeconds: 12.5,
    FeedCount: 600,
    RowsUnexplained: 3,
  });
});

test('a quiet poll of an open catalogue writes five figures, one of which is a metric', () => {
  const traffic = { requests: 1, retries: 0, throttled: 0, bytes: 0 };
  expect(measured(quietReport, { tokenRequests: 0, traffic, credentialDays: null })).toStrictEqual({
    Catalogue: 'uk',
    SuccessfulPolls: 1,
    ActivitiesRead: 0,
    FeedCount: 600,
    CatalogueRequests: 1,
    RemainingSeconds: 30,
  });
});

test('an unclassified event is quarantined or of unknown text, and counts once', () => {
  const events = { 'gene-panel.activity.unclassified.v1': 3 };
  expect(measured({ ...report, events, quarantined: 2 })).toMatchObject({ Unclassified: 1, Quarantined: 2 });
  const facts = measured({ ...report, events, quarantined: 3 });
  expect(facts).toMatchObject({ Quarantined: 3 });
  expect(facts).not.toHaveProperty('Unclassified');
});

test.each([
  ['log-behind-mark', 'LogBehindMark'],
  ['log-shrunken', 'LogShrunken'],
  ['rows-from-the-future', 'RowsFromTheFuture'],
  ['panels-unlisted', 'PanelsUnlisted'],
] as const)('the anomaly %s counts in %s alone', (anomaly, metric) => {
  const { [metric]: counted, ...others } = measured({ ...report, anomalies: [anomaly] });
  expect(counted).toBe(1);
  expect(others).toStrictEqual(measured(report));
});

test('a postponed poll is no success, and counts no refusal that it did not get', () => {
  const facts = measured({ ...report, outcome: 'postponed', notBefore: 1_700_000_000_000 });
  expect(facts).not.toHaveProperty('SuccessfulPolls');
  expect(facts).not.toHaveProperty('ActivitiesRead');
  expect(facts).not.toHaveProperty('CatalogueThrottled');
});

test('each response with HTTP 429 counts, in a poll that goes on too', () => {
  const traffic = { requests: 4, retries: 2, throttled: 2, bytes: 0 };
  expect(measured(report, { traffic })).toMatchObject({ CatalogueThrottled: 2 });
});

test.each([
  ['LOG_EMPTY', { LogEmpty: 1 }],
  ['CATALOGUE_NOT_BEFORE', {}],
  ['CATALOGUE_UNAUTHORIZED', { CredentialRefused: 1 }],
  ['CATALOGUE_FORBIDDEN', { CredentialRefused: 1 }],
  ['CREDENTIAL_REFUSED', { CredentialRefused: 1 }],
  ['TOKEN_REFUSED', { CredentialRefused: 1 }],
  ['CATALOGUE_CONNECTION_REFUSED', {}],
  ['CATALOGUE_CERTIFICATE_REFUSED', {}],
  ['CATALOGUE_REQUEST_REFUSED', {}],
  ['STATE_CONFLICT', {}],
])('a poll that fails with %s writes %j beside what it cost', (code, facts) => {
  expect(measured(failure(code))).toStrictEqual({ ...always, ...facts });
});
