import type { ActionInput } from './action-input.ts';
import type { Kind } from './kinds.ts';
import { panelTypes } from './panel-types.ts';
import type { Outcome } from './recording.ts';
import { type Entity, type Panel, raiseVersion } from './state.ts';
import { pick } from './values.ts';

/**
 * Everything that changes a panel or a region without a row in the log: buttons and forms of the real software
 * that write none, and what an administrator does in the database. Only the listings show it (docs/sandbox.md,
 * "Changes without a row").
 */
export const silentKinds: readonly Kind[] = [
  silent('raise the version silently', 2, ({ session }) => raiseVersion(session.panel, session.at)),
  silent('promote silently', 1, ({ session }) => promoteSilently(session.panel, session.at)),
  silent('make internal silently', 0, ({ session }) => {
    if (session.panel.childPanels.length === 0) session.panel.status = 'internal';
  }),
  silent('delete a panel for good', 0, ({ session }) => {
    session.panel.status = 'deleted';
  }),
  silent('edit the name silently', 1, ({ session, values }) => {
    session.panel.name = `${session.panel.name.replace(/ \(edition \d+\)$/, '')} (edition ${pick(values, [2, 3, 4, 5])})`;
  }),
  silent('edit the disease group silently', 1, ({ session, otherPanel }) => {
    session.panel.diseaseGroup = otherPanel.diseaseGroup;
    session.panel.diseaseSubGroup = otherPanel.diseaseSubGroup;
    raiseVersion(session.panel, session.at);
  }),
  silent('sign off by type silently', 1, ({ session }) => {
    const signedOff = panelTypes.filter(({ slug }) => slug.endsWith('signed-off'));
    const held = session.panel.types.some((type) => signedOff.includes(type));
    const others = session.panel.types.filter((type) => !signedOff.includes(type));
    session.panel.types = held ? others : [...others, ...signedOff];
  }),
  silentOnRegion('clear the phenotypes of a region', ({ session, entity }) => {
    entity.phenotypes = [];
    raiseVersion(session.panel, session.at);
  }),
  silentOnRegion('clear the publications of a region', ({ session, entity }) => {
    entity.publications = [];
    raiseVersion(session.panel, session.at);
  }),
  silentOnRegion('clear the mode of pathogenicity of a region', ({ session, entity }) => {
    entity.modeOfPathogenicity = null;
    raiseVersion(session.panel, session.at);
  }),
  silentOnRegion('approve a region', ({ entity }) => {
    if (entity.rating === 'none') entity.rating = 'green';
  }),
  silentOnRegion('rename the tags of a region', ({ entity }) => {
    entity.tags = entity.tags.map((tag) => (tag.endsWith('-renamed') ? tag.slice(0, -8) : `${tag}-renamed`));
  }),
];

/** A super panel is promoted by its own form without a row, and by the promotion of a panel that it holds. */
export function promoteSilently(panel: Panel, at: number): Outcome {
  panel.major += 1;
  panel.minor = 0;
  panel.versionCreated = at;
  return nothingWritten;
}

const nothingWritten: Outcome = { rows: [], truth: [], ambiguous: false };

function silent(
  kind: string,
  often: number,
  change: (input: ActionInput) => unknown,
  on: Kind['on'] = 'any',
): Kind {
  return {
    kind,
    on,
    often,
    play: (input) => {
      change(input);
      return nothingWritten;
    },
  };
}

function silentOnRegion(
  kind: string,
  change: (input: ActionInput & { readonly entity: Entity }) => void,
): Kind {
  return silent(kind, 1, change, 'region');
}
