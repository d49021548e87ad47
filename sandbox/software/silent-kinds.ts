import { ratings } from './draw.ts';
import type { Kind } from './kinds.ts';
import { panelTypes } from './listing.ts';
import type { ActionInput, Outcome } from './recording.ts';
import {
  beginVersion,
  dayOf,
  isMitochondrial,
  type Panel,
  raiseMajorVersion,
  raiseVersion,
  versionOf,
} from './state.ts';
import { pick } from './values.ts';

/**
 * Changes that write no row: by buttons and forms of the real software that write none, and by an administrator in the
 * database. Source: docs/sandbox.md, "Changes without a row".
 */
export const silentKinds: readonly Kind[] = [
  // The panel
  silent('raise the version silently', ({ session }) => raiseVersion(session.panel, session.at), {
    weight: 2,
  }),
  silent(
    'set the version back silently',
    ({ session: { panel, at } }) => beginVersion(panel, { major: panel.major, minor: panel.minor - 1 }, at),
    { possible: ({ session }) => session.panel.minor > 0 },
  ),
  silent('promote a super panel silently', ({ session }) => promoteSilently(session.panel, session.at), {
    weight: 1,
    where: 'super panel',
  }),
  silent('make internal silently', ({ session }) => setStatus(session.panel, 'internal'), {
    possible: isNoSuperPanel,
  }),
  silent('make public silently', ({ session }) => setStatus(session.panel, 'public'), {
    where: 'internal panel',
  }),
  silent('delete a panel for good', ({ session }) => setStatus(session.panel, 'deleted'), {
    possible: isNoSuperPanel,
  }),
  silent(
    'edit the name silently',
    ({ session, values }) => editName(session.panel, pick(values, [2, 3, 4, 5])),
    { weight: 1 },
  ),
  silent('edit the description silently', ({ session: { panel, at }, values }) => {
    raiseVersion(panel, at);
    panel.description = `About ${panel.name}. ${values.comment()} (${at})`;
  }),
  silent('edit the types silently', ({ session }) => toggleType(session.panel, 'additional-findings')),
  silent(
    'edit the disease group silently',
    ({ session, otherPanel }) => {
      raiseVersion(session.panel, session.at);
      session.panel.diseaseGroup = otherPanel.diseaseGroup;
      session.panel.diseaseSubGroup = otherPanel.diseaseSubGroup;
    },
    {
      weight: 1,
      possible: ({ session, otherPanel }) => session.panel.diseaseGroup !== otherPanel.diseaseGroup,
    },
  ),
  silent(
    'give or take the signed-off type silently',
    ({ session }) => toggleType(session.panel, 'gms-signed-off'),
    { weight: 1 },
  ),

  // What is signed off, which only the list of signed-off panels shows
  silent('sign off silently', ({ session: { panel, at } }) => {
    panel.signOffs = [...panel.signOffs, { version: versionOf(panel), day: dayOf(at) }];
  }),
  silent(
    'remove the sign-off silently',
    ({ session }) => {
      session.panel.signOffs = [];
    },
    { possible: ({ session }) => session.panel.signOffs.length > 0 },
  ),

  // A region, which a listing shows
  clearing('region', 'phenotypes', 1),
  clearing('region', 'publications', 1),
  silent('approve a region', approve, { on: 'region', weight: 1, possible: isUnrated }),

  // A gene, of which a listing shows no more than the version and the number
  clearing('gene', 'phenotypes'),
  clearing('gene', 'publications'),
  silent(
    'clear the mode of pathogenicity of a gene',
    ({ session, entity }) => {
      raiseVersion(session.panel, session.at);
      entity.modeOfPathogenicity = null;
    },
    { on: 'gene', possible: ({ entity }) => entity.modeOfPathogenicity !== null },
  ),
  silent('approve a gene', approve, { on: 'gene', possible: isUnrated }),

  // A gene, of which only the panel's own page shows the rest
  silent(
    'rate a gene as administrator',
    (input) => {
      raiseVersion(input.session.panel, input.session.at);
      rateOtherwise(input);
    },
    { on: 'gene' },
  ),
  silent('rate a gene in the database', rateOtherwise, { on: 'gene' }),
  silent(
    'delete a gene silently',
    ({ session: { panel, at }, entity }) => {
      raiseVersion(panel, at);
      panel.entities = panel.entities.filter((other) => other !== entity);
    },
    { on: 'gene', possible: ({ session }) => session.panel.entities.length > 4 },
  ),
  silent(
    'replace the symbol of a gene silently',
    ({ entity: { name }, panels, values }) => {
      const symbol = values.symbolReplacing(name);
      for (const gene of panels.flatMap(({ entities }) => entities)) {
        if (gene.type === 'gene' && gene.name === name) gene.name = symbol;
      }
    },
    { on: 'gene', possible: ({ entity }) => !isMitochondrial(entity) },
  ),

  // A tag, which all panels share
  onTag('rename a tag', (tag) => (tag.endsWith('-renamed') ? tag.slice(0, -8) : `${tag}-renamed`), 1),
  onTag('delete a tag', () => null),
];

/** A super panel is promoted by its own form without a row, and by the promotion of a panel that it holds. */
export function promoteSilently(panel: Panel, at: number): Outcome {
  raiseMajorVersion(panel, at);
  return nothingWritten;
}

const nothingWritten: Outcome = { rows: [], truth: [], ambiguous: false };

type Given = Partial<Pick<Kind, 'on' | 'weight' | 'where' | 'possible'>>;

function silent(kind: string, change: (input: ActionInput) => unknown, given: Given = {}): Kind {
  return {
    kind,
    ...given,
    perform: (input) => {
      change(input);
      return nothingWritten;
    },
  };
}

function clearing(on: 'gene' | 'region', field: 'phenotypes' | 'publications', weight = 0): Kind {
  const clear = ({ session, entity }: ActionInput): void => {
    raiseVersion(session.panel, session.at);
    entity[field] = [];
  };
  return silent(`clear the ${field} of a ${on}`, clear, {
    on,
    weight,
    possible: ({ entity }) => entity[field].length > 0,
  });
}

/** Changes one tag wherever it is given; null takes it away. */
function onTag(kind: string, change: (tag: string) => string | null, weight = 0): Kind {
  const changeEverywhere = ({ entity, panels, values }: ActionInput): void => {
    const tag = pick(values, entity.tags);
    for (const holder of panels.flatMap(({ entities }) => entities)) {
      holder.tags = holder.tags.flatMap((held) => (held === tag ? (change(tag) ?? []) : held));
    }
  };
  return silent(kind, changeEverywhere, {
    on: 'region',
    weight,
    possible: ({ entity }) => entity.tags.length > 0,
  });
}

/** The flag gives an unrated entity a rating; the version stays. */
function approve({ entity }: ActionInput): void {
  entity.rating = 'green';
}

/** Any rating but the present one. */
function rateOtherwise({ entity, values }: ActionInput): void {
  entity.rating = pick(
    values,
    ratings.filter((rating) => rating !== entity.rating),
  );
}

function isUnrated({ entity }: ActionInput): boolean {
  return entity.rating === 'none';
}

function isNoSuperPanel({ session }: ActionInput): boolean {
  return session.panel.childPanels.length === 0;
}

function setStatus(panel: Panel, status: Panel['status']): void {
  panel.status = status;
}

function editName(panel: Panel, edition: number): void {
  const name = panel.name.replace(/ \(edition \d+\)$/, '');
  // Another edition than the present one.
  const number = panel.name === `${name} (edition ${edition})` ? edition + 1 : edition;
  panel.name = `${name} (edition ${number})`;
}

function toggleType(panel: Panel, slug: string): void {
  const type = panelTypes.find((one) => one.slug === slug);
  if (!type) throw new Error(`there is no panel type ${slug}`);
  const others = panel.types.filter((one) => one !== type);
  panel.types = others.length < panel.types.length ? others : [...panel.types, type];
}
