import { rCodesIn } from '../events/r-codes.ts';
import { daysSince, type LagEntry, type PanelLag, readLag } from '../panels/read-lag.ts';
import { formatInstant } from '../run/instant.ts';
import { cleanLine } from '../words/clean-text.ts';
import { counted } from '../words/counted.ts';
import { lagLimits } from '../words/lag-limits.ts';
import { linkPiece, type Phrase, phrase, statusPiece } from '../words/phrase.ts';
import { inheritanceWords } from '../words/value-words.ts';
import { entityAddress, panelAddress, versionAddress } from './addresses.ts';
import { findPanels } from './find-panels.ts';
import { choice, flag, panelOptions } from './options.ts';
import { declare, type Limit, type Place } from './question.ts';

/** An entity that counts otherwise in the signed-off version of a panel than in its newest one. */
interface Row extends LagEntry {
  readonly catalogue: string;
  readonly panel: PanelLag;
  readonly days: number;
}

/** The lists in their order: what is no longer green first, because it still counts as green. */
const lists = [
  ['downgraded', 'signed off as green, no longer green'],
  ['awaiting', 'green, not signed off yet'],
  ['inheritance', 'green in both, mode of inheritance changed'],
] as const;

const options = {
  ...panelOptions,
  order: choice('the order of the rows', 'Order', {
    age: 'what has waited longest first',
    panel: 'by the name of the panel',
  }),
  'without-inheritance': flag('leave out changes of the mode of inheritance'),
};

export const question = declare<typeof options, Row>({
  name: 'sign-off-lag',
  title: 'Not signed off yet',
  menu: { words: 'Not signed off' },
  sentence: 'list what is green and not signed off yet, and what is signed off and no longer green',
  group: 'Beside them',
  about:
    'Laboratories that test by signed-off versions use a gene from the next sign-off on. This compares the newest version of each panel that was read, with what events state since, with its signed-off version.',
  examples: ['', '--r-code R208 --r-code R59', '--format csv --output not-signed-off.csv'],
  file: 'not-signed-off',
  options,
  columns: [
    {
      key: 'name',
      value: ({ entity }) => entity.name,
      heading: 'Gene, STR or region',
      phrase: ({ entity, panel }) => [
        linkPiece(cleanLine(entity.name), entityAddress(entity.name, panel.working.panelId)),
      ],
      note: ({ entity }) =>
        entity.type === 'gene' ? [] : phrase`${entity.type === 'str' ? 'STR' : entity.type}`,
    },
    { key: 'catalogue', value: ({ catalogue }) => catalogue },
    { key: 'panelId', value: ({ panel }) => panel.working.panelId },
    {
      key: 'panelName',
      value: ({ panel }) => panel.working.panelName,
      heading: 'Panel',
      phrase: ({ catalogue, panel: { working } }) => [
        linkPiece(cleanLine(working.panelName), panelAddress(catalogue, working.panelId)),
      ],
      note: ({ panel: { working } }) => phrase`${rCodesIn(working.relevantDisorders).join(', ')}`,
    },
    { key: 'rCodes', value: ({ panel }) => rCodesIn(panel.working.relevantDisorders) },
    { key: 'signedOffVersion', value: ({ panel }) => panel.signOff.version, isVersion: true },
    { key: 'signedOffDate', value: ({ panel }) => panel.signOff.date },
    { key: 'workingVersion', value: ({ panel }) => panel.working.version, isVersion: true },
    { key: 'type', value: ({ entity }) => entity.type },
    { key: 'hgncId', value: ({ entity }) => entity.hgncId },
    {
      key: 'ratingSignedOff',
      value: ({ signedOff }) => signedOff,
      heading: 'Signed-off version',
      phrase: ({ modes, signedOff }) => modeOrRating(modes?.signedOff, signedOff),
      note: ({ panel: { signOff } }, times) =>
        phrase`${cleanLine(signOff.version)}, ${times.day(times.startOf(signOff.date))}`,
    },
    {
      key: 'ratingNow',
      value: ({ working }) => working,
      heading: 'Newest version',
      phrase: ({ modes, working }) => modeOrRating(modes?.working, working),
      note({ catalogue, panel: { working, read, asOf } }, times) {
        const version = cleanLine(working.version);
        // What a version that was not read holds cannot be shown.
        const shown =
          read.version === working.version
            ? [linkPiece(version, versionAddress(catalogue, working.panelId, version))]
            : phrase`${version}`;
        return asOf > read.readAt ? phrase`${shown}, by events up to ${times.moment(asOf)}` : shown;
      },
    },
    { key: 'inheritanceSignedOff', value: ({ modes }) => modes?.signedOff ?? null },
    { key: 'inheritanceNow', value: ({ modes }) => modes?.working ?? null },
    {
      key: 'since',
      value: ({ since }) => formatInstant(since.at),
      heading: 'Since',
      phrase: ({ since }, times) => phrase`${since.isExact ? '' : 'by '}${times.day(since.at)}`,
      kind: 'time',
    },
    { key: 'sinceVersion', value: ({ since }) => since.version, isVersion: true },
    { key: 'sinceIsExact', value: ({ since }) => since.isExact },
    {
      key: 'days',
      value: ({ days }) => days,
      heading: 'For',
      phrase: ({ days, since }) => phrase`${since.isExact ? '' : '≥ '}${counted(days, 'day')}`,
      kind: 'number',
    },
    { key: 'asOf', value: ({ panel }) => formatInstant(panel.asOf) },
  ],
  async answer(asked, place) {
    const panels = await findPanels(asked, place);
    const found = await Promise.all(
      place.catalogues.map((catalogue) => lagOf(catalogue, panels.asked?.get(catalogue), place)),
    );
    const rowsOf = (list: (typeof lists)[number][0]): readonly Row[] => {
      const rows = found.flatMap((each) => each.rows[list]);
      return asked.order === 'panel' ? rows : rows.toSorted((a, b) => (a.since.at < b.since.at ? -1 : 1));
    };
    const answered = lists
      .filter(([list]) => !(asked['without-inheritance'] && list === 'inheritance'))
      .map(([list, what]) => ({ what, rows: rowsOf(list) }));
    const compared = found.reduce((sum, each) => sum + each.compared, 0);
    const isSame = answered.every(({ rows }) => rows.length === 0);
    const lead = phrase`${counted(compared, 'panel')} compared with ${compared === 1 ? 'its' : 'their'} signed-off version${isSame ? ': the same genes, STRs and regions are green in both' : ''}.`;
    return {
      lead: compared === 0 ? [] : [lead],
      lists: answered,
      limits: [...panels.limits, ...found.flatMap(({ limits }) => limits)],
    };
  },
});

async function lagOf(
  catalogue: string,
  panels: ReadonlyMap<number, string> | undefined,
  { now, history, states }: Place,
) {
  if (panels?.size === 0)
    return { compared: 0, limits: [], rows: { downgraded: [], awaiting: [], inheritance: [] } };
  const lag = await readLag({
    ...{ catalogue, history, now },
    states: states(catalogue),
    ...(panels && { panels }),
  });
  const limits = lagLimits(lag, catalogue).map(
    ({ kind, sentence }): Limit => ({
      kind: kind === 'none' ? 'note' : lag.hasSignOffs ? 'unknown' : 'unread',
      sentence: cleanLine(sentence),
    }),
  );
  const rows = (list: (typeof lists)[number][0]): readonly Row[] =>
    lag.panels.flatMap((panel) =>
      panel[list].map((entry) => ({ ...entry, catalogue, panel, days: daysSince(entry.since.at, now) })),
    );
  return {
    compared: lag.panels.length,
    limits,
    rows: {
      downgraded: rows('downgraded'),
      awaiting: rows('awaiting'),
      inheritance: rows('inheritance'),
    },
  };
}

const modeOrRating = (mode: string | undefined, rating: LagEntry['signedOff']): Phrase =>
  mode === undefined ? [statusPiece(rating)] : phrase`${inheritanceWords(mode)}`;
