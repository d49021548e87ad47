import type { Changes, EventKindName } from '../../lambdas/events/changes.ts';
import { type EventPanel, type PanelEvent, schemaUri, typeName } from '../../lambdas/events/schemas.ts';
import { summarize } from '../../lambdas/events/summary.ts';
import { timeWords } from '../../lambdas/words/value-words.ts';

export const breast: EventPanel = {
  id: 635,
  name: 'Inherited breast cancer and ovarian cancer',
  version: '4.12',
  types: ['gms-signed-off'],
  diseaseGroup: '',
  diseaseSubGroup: '',
  relevantDisorders: ['Inherited breast cancer', 'R208'],
  signedOff: true,
};

interface Parts {
  readonly gene?: string | null;
  readonly panel?: EventPanel;
  readonly time?: string;
  readonly actor?: string | null;
  readonly late?: boolean;
  readonly id?: string;
  readonly rowText?: string;
}

let made = 0;

/** An event of one kind, about BRCA1 on the breast cancer panel unless it says otherwise. */
export function eventOf<Kind extends EventKindName>(
  kind: Kind,
  change: Changes[Kind],
  parts: Parts = {},
): PanelEvent<Kind> {
  made += 1;
  const {
    panel = breast,
    actor = 'Catherine Snowe',
    late = false,
    time = '2026-11-21T09:14:02.120000Z',
  } = parts;
  const gene = parts.gene === undefined ? (kind.startsWith('panel.') ? null : 'BRCA1') : parts.gene;
  const entity = gene === null ? null : { type: 'gene' as const, name: gene };
  const event = {
    specversion: '1.0',
    id: parts.id ?? made.toString(16).padStart(32, '0'),
    source: 'https://panelapp.genomicsengland.co.uk/api/v1/',
    type: typeName(kind),
    subject: entity ? `panels/${panel.id}/gene/${entity.name}` : `panels/${panel.id}`,
    time,
    datacontenttype: 'application/json',
    dataschema: schemaUri(kind),
    data: {
      catalogue: 'uk',
      panel,
      entity,
      actor,
      summary: summarize({ kind, change, catalogue: 'uk', panel, entity, actor }),
      late,
      activities: [{ created: time, panel_id: panel.id, user_name: actor, text: parts.rowText ?? 'a row' }],
      change,
    },
  };
  return event as object as PanelEvent<Kind>;
}

export const rated = (
  from: Changes['entity.classified']['from'],
  to: Changes['entity.classified']['to'],
  direction: Changes['entity.classified']['direction'],
  parts?: Parts,
): PanelEvent<'entity.classified'> => eventOf('entity.classified', { from, to, direction }, parts);

/** The correction of an event: the same change with another value before. */
export const correctionOf = (
  event: PanelEvent<'entity.classified'>,
  change: Changes['entity.classified'],
  id: string,
): PanelEvent<'entity.classified'> => ({
  ...event,
  id,
  data: { ...event.data, change, corrects: event.id, correctedChange: event.data.change },
});

export const turnedGreen = (parts?: Parts): PanelEvent<'entity.classified'> =>
  rated('amber', 'green', 'upgraded', parts);

export const london = {
  times: timeWords('Europe/London'),
  now: '2026-11-21T12:00:00Z',
  reason: null,
} as const;
