import type { PanelEvent } from '../lambdas/events/schemas.ts';
import type { ComparedEntity, SignOffComparison } from '../lambdas/words/message-context.ts';
import type { Notice } from '../lambdas/words/notice.ts';
import { noticeOfAlarm } from '../lambdas/words/notice-of-alarm.ts';
import { noticeOfEvent, noticeOfPanel } from '../lambdas/words/notice-of-changes.ts';
import { type DigestLag, type LagLine, noticeOfDigest } from '../lambdas/words/notice-of-digest.ts';
import { reasonOf } from '../lambdas/words/reason.ts';
import { timeWords } from '../lambdas/words/value-words.ts';

type Rating = 'green' | 'amber' | 'red' | 'none';

interface Panel {
  readonly id: number;
  readonly name: string;
  readonly rCode: string;
  readonly version: string;
}

const panelOf = (id: number, name: string, rCode: string, version: string): Panel => ({
  id,
  name,
  rCode,
  version,
});
const breast = panelOf(635, 'Inherited breast cancer and ovarian cancer', 'R208', '4.12');
const hearing = panelOf(126, 'Hearing loss', 'R67', '2.0');
const retina = panelOf(307, 'Retinal disorders', 'R32', '6.0');
const skeleton = panelOf(309, 'Skeletal dysplasia', 'R104', '3.4');
const epilepsy = panelOf(402, 'Genetic epilepsy syndromes', 'R59', '5.3');

let count = 0;

function event(
  panel: Panel,
  kind: string,
  time: string,
  change: object,
  gene?: string,
  actor = 'Catherine Snowe',
): PanelEvent {
  count += 1;
  const entity = gene === undefined ? null : { type: 'gene', name: gene };
  const made: object = {
    specversion: '1.0',
    id: `99987885d4e62ec86948430329a1b${String(count).padStart(3, '0')}`,
    source: 'https://panelapp.genomicsengland.co.uk/api/v1/',
    type: `gene-panel.${kind}.v1`,
    subject: `panels/${panel.id}${gene === undefined ? '' : `/gene/${gene}`}`,
    time,
    datacontenttype: 'application/json',
    dataschema: `urn:gene-panel-notifier:schema:gene-panel.${kind}.v1`,
    data: {
      catalogue: 'uk',
      panel: {
        id: panel.id,
        name: panel.name,
        version: panel.version,
        types: ['gms-rare-disease', 'gms-signed-off'],
        diseaseGroup: '',
        diseaseSubGroup: '',
        relevantDisorders: [panel.rCode],
        signedOff: true,
      },
      entity,
      actor,
      summary: '',
      late: false,
      activities: [],
      change,
    },
  };
  return made as PanelEvent;
}

const rated = (
  panel: Panel,
  gene: string,
  time: string,
  from: Rating | null,
  to: Rating,
  direction = 'upgraded',
): PanelEvent => event(panel, 'entity.classified', time, { from, to, direction }, gene);

const context = {
  times: timeWords('Europe/London'),
  now: '2026-11-21T09:20:00.000Z',
  reason: reasonOf('green-genes', {
    to: ['green'],
    direction: ['upgraded', 'new', 'unknown'],
    rCodes: ['R208', 'R211'],
  }),
};

/** One message of each sort, about made-up changes: for the guide, its pictures and tests. */
export function messageExamples(): Readonly<
  Record<'one' | 'late' | 'several' | 'digest' | 'lag' | 'signOff' | 'problem' | 'recovery', Notice>
> {
  count = 0;
  const one = rated(breast, 'BRCA1', '2026-11-21T09:14:02.120000Z', 'amber', 'green');
  const background = {
    before: { rating: 'amber', since: '2024-03-03T10:00:00Z', version: '3.7' },
    comment: 'Three unrelated families with segregation; agreed green at specialist group.',
    hgncId: 'HGNC:1100',
    modeOfInheritance: 'BOTH monoallelic and biallelic, autosomal or pseudoautosomal',
    elsewhere: [
      { panel: 'R207', rating: 'green' },
      { panel: 'R430', rating: 'green' },
      { panel: 'R15', rating: 'amber' },
    ],
    signedOff: { version: '4.0', date: '2023-03-22', rating: 'amber' },
  } as const;
  return {
    one: noticeOfEvent(one, { ...context, background: () => background }),
    late: noticeOfEvent(late(), context),
    several: noticeOfPanel(several(), { ...context, reason: reasonOf('retina', { rCodes: ['R32'] }) }),
    digest: noticeOfDigest(
      week(),
      { since: '2026-11-14T07:00:00.000Z', until: '2026-11-21T07:00:00.000Z' },
      { ...context, subscription: 'weekly', reason: reasonOf('weekly', { panelTypes: ['gms-signed-off'] }) },
    ),
    lag: noticeOfDigest(
      [rated(breast, 'BRCA1', '2026-11-20T09:14:02.120000Z', 'amber', 'green')],
      { since: '2026-11-14T07:00:00.000Z', until: '2026-11-21T07:00:00.000Z' },
      {
        ...context,
        subscription: 'weekly',
        reason: reasonOf('weekly', { rCodes: ['R67', 'R208'] }),
        lag: lag(),
      },
    ),
    signOff: noticeOfEvent(signedOff(), {
      ...context,
      reason: reasonOf('signed-off', { to: ['green'], rCodes: ['R67'] }, { whenSignedOff: true }),
      signOff: () => comparison,
    }),
    problem: noticeOfAlarm(
      {
        alarm: 'no-successful-poll',
        catalogue: 'uk',
        state: 'alarm',
        description:
          'What to do: run "gene-panel-notifier doctor", which names what is wrong and the next step; "no-successful-poll" in docs/runbook.md has the others',
        detail:
          'The last 3 polls failed. The last error: Asking the catalogue for page 1 of the activity log: the response is HTTP 503. The next run tries again; if it persists, ask the operator of the service.',
        at: '2026-11-21T09:10:00.000Z',
      },
      context,
    ),
    recovery: noticeOfAlarm(
      {
        alarm: 'no-successful-poll',
        catalogue: 'uk',
        state: 'ok',
        description: '',
        detail: '12 changes were caught up.',
        at: '2026-11-21T11:40:00.000Z',
      },
      context,
    ),
  };
}

const signedOff = (): PanelEvent =>
  event(
    { ...hearing, version: '4.21' },
    'panel.signed-off',
    '2026-05-06T10:00:00.000000Z',
    {
      signedOff: true,
      signedOffVersion: '4.20',
      signedOffDate: '2026-05-06',
      previousSignedOffVersion: '4.0',
      previousSignedOffDate: '2023-03-22',
      via: 'activity',
    },
    undefined,
    'Zoë Ångström-Müller',
  );

const recessive = 'BIALLELIC, autosomal or pseudoautosomal';
const dominant = 'MONOALLELIC, autosomal or pseudoautosomal, NOT imprinted';

/** What the sign-off brings, takes away and leaves out. */
const comparison: SignOffComparison = {
  entered: [
    compared('GJB6', 'amber', 'green', 'HGNC:4288', recessive),
    compared('OTOF', 'red', 'green', 'HGNC:8515', recessive),
    compared('TMPRSS3', 'absent', 'green', 'HGNC:11877', recessive),
  ],
  left: [compared('COCH', 'green', 'amber', 'HGNC:2180', dominant)],
  ...{
    awaiting: [],
    downgraded: [],
    unknown: [],
    green: null,
    newest: '4.21',
    counting: null,
    filtered: false,
  },
};

function compared(
  name: string,
  before: ComparedEntity['before'],
  after: ComparedEntity['before'],
  hgncId: string,
  modeOfInheritance: string,
): ComparedEntity {
  return { entity: { type: 'gene', name, hgncId }, before, after, modeOfInheritance };
}

/** What waits for a sign-off on two panels. */
function lag(): DigestLag {
  const line = (
    event: PanelEvent,
    [version, date]: readonly [version: string, date: string],
    { sinceVersion, days }: Pick<LagLine, 'sinceVersion' | 'days'>,
  ): LagLine => {
    const { from: before, to: after } = event.data.change as { readonly from: Rating; readonly to: Rating };
    return {
      catalogue: 'uk',
      panel: event.data.panel as LagLine['panel'],
      entity: event.data.entity as LagLine['entity'],
      signedOff: { version, date },
      ...{ before, after, days, sinceVersion, sinceIsExact: true },
      since: String(event.time).replace(/\.\d+/, ''),
    };
  };
  const hearingNow = { ...hearing, version: '1.5' };
  const ofHearing = ['1.0', '2025-09-01'] as const;
  const coch = rated(hearingNow, 'COCH', '2026-10-12T10:00:00.000000Z', 'green', 'amber');
  const otof = rated(hearingNow, 'OTOF', '2026-05-02T10:00:00.000000Z', 'amber', 'green');
  const brca1 = rated(breast, 'BRCA1', '2026-11-20T09:14:02.120000Z', 'amber', 'green');
  return {
    downgraded: [line(coch, ofHearing, { sinceVersion: '1.5', days: 40 })],
    awaiting: [
      line(otof, ofHearing, { sinceVersion: '1.2', days: 203 }),
      line(brca1, ['4.0', '2023-03-22'], { sinceVersion: '4.12', days: 0 }),
    ],
    compared: 2,
    unknown: [],
  };
}

/** Seen three days after it was made, of a gene whose rating before is unknown. */
function late(): PanelEvent {
  const made = rated(breast, 'RAD51C', '2026-11-18T15:02:11.000000Z', null, 'green', 'unknown');
  return { ...made, data: { ...made.data, late: true } } as PanelEvent;
}

function several(): [PanelEvent, ...PanelEvent[]] {
  const genes = 'ABCA4 AIPL1 BEST1 CEP290 CRB1 EYS IMPG2 PDE6B PRPH2 RDH12 RPE65 USH2A'.split(' ');
  const added = 'ADGRV1 AGBL5 ARL2BP ATF6 CDH23 CERKL CFAP410 CLN3'.split(' ');
  const at = '2026-11-21T09:14:02.120000Z';
  const promoted = event(
    retina,
    'panel.promoted',
    at,
    { version: '6.0', previousVersion: '5.0', via: 'activity' },
    undefined,
    'Zoë Ångström-Müller',
  );
  return [
    promoted,
    ...genes.map((gene, place) => rated(retina, gene, at, place % 3 === 1 ? 'red' : 'amber', 'green')),
    rated(retina, 'CNGB3', at, 'green', 'amber', 'downgraded'),
    ...added.map((gene) =>
      event(retina, 'entity.added', at, { rating: null, sources: [], tags: [], copiedFrom: null }, gene),
    ),
  ];
}

function week(): readonly PanelEvent[] {
  return [
    rated({ ...hearing, version: '1.4' }, 'OTOF', '2026-11-14T10:00:00.000000Z', 'red', 'amber'),
    rated({ ...hearing, version: '1.5' }, 'OTOF', '2026-11-15T10:00:00.000000Z', 'amber', 'green'),
    event({ ...hearing, version: '2.0' }, 'panel.promoted', '2026-11-16T10:00:00.000000Z', {
      version: '2.0',
      previousVersion: '1.5',
      via: 'activity',
    }),
    rated(epilepsy, 'SCN1A', '2026-11-17T10:00:00.000000Z', 'green', 'red', 'downgraded'),
    rated(epilepsy, 'SCN1A', '2026-11-17T15:00:00.000000Z', 'red', 'green'),
    event(
      { ...breast, version: '4.10' },
      'entity.added',
      '2026-11-18T10:00:00.000000Z',
      { rating: 'green', sources: [], tags: [], copiedFrom: null },
      'PALB2',
    ),
    rated({ ...breast, version: '4.10' }, 'PALB2', '2026-11-18T10:00:00.000000Z', null, 'green', 'new'),
    rated(skeleton, 'COL2A1', '2026-11-19T10:00:00.000000Z', 'green', 'amber', 'downgraded'),
    event(
      skeleton,
      'entity.tags-changed',
      '2026-11-19T11:00:00.000000Z',
      { added: ['watchlist'], removed: [] },
      'COL1A1',
    ),
    event(
      skeleton,
      'entity.annotated',
      '2026-11-19T12:00:00.000000Z',
      { changes: [{ field: 'penetrance', to: 'Complete' }] },
      'COL1A1',
    ),
    rated(breast, 'BRCA1', '2026-11-20T09:14:02.120000Z', 'amber', 'green'),
    event(epilepsy, 'panel.signed-off', '2026-11-20T12:00:00.000000Z', { signedOff: true, via: 'activity' }),
  ];
}
