import type { Kind } from './kinds.ts';
import { panelTypes } from './panel-types.ts';
import type { Scene } from './scene.ts';
import type { Outcome } from './sheet.ts';
import { type Entity, type Panel, raiseVersion } from './state.ts';
import { pick } from './values.ts';

/**
 * Everything that changes a panel or a region without a row in the log: buttons and forms of the real software
 * that write none, and what an administrator does in the database. Only the listings show it (docs/sandbox.md,
 * "Changes without a row").
 */
export const silentKinds: readonly Kind[] = [
  silent('raise the version silently', 2, ({ desk }) => raiseVersion(desk.panel, desk.at)),
  silent('promote silently', 1, ({ desk }) => promoteSilently(desk.panel, desk.at)),
  silent('make internal silently', 0, ({ desk }) => {
    if (desk.panel.childPanels.length === 0) desk.panel.status = 'internal';
  }),
  silent('delete a panel for good', 0, ({ desk }) => {
    desk.panel.status = 'deleted';
  }),
  silent('edit the name silently', 1, ({ desk, values }) => {
    desk.panel.name = `${desk.panel.name.replace(/ \(edition \d+\)$/, '')} (edition ${pick(values, [2, 3, 4, 5])})`;
  }),
  silent('edit the disease group silently', 1, ({ desk, otherPanel }) => {
    desk.panel.diseaseGroup = otherPanel.diseaseGroup;
    desk.panel.diseaseSubGroup = otherPanel.diseaseSubGroup;
    raiseVersion(desk.panel, desk.at);
  }),
  silent('sign off by type silently', 1, ({ desk }) => {
    const signedOff = panelTypes.filter(({ slug }) => slug.endsWith('signed-off'));
    const held = desk.panel.types.some((type) => signedOff.includes(type));
    const others = desk.panel.types.filter((type) => !signedOff.includes(type));
    desk.panel.types = held ? others : [...others, ...signedOff];
  }),
  silentOnRegion('clear the phenotypes of a region', ({ desk, entity }) => {
    entity.phenotypes = [];
    raiseVersion(desk.panel, desk.at);
  }),
  silentOnRegion('clear the publications of a region', ({ desk, entity }) => {
    entity.publications = [];
    raiseVersion(desk.panel, desk.at);
  }),
  silentOnRegion('clear the mode of pathogenicity of a region', ({ desk, entity }) => {
    entity.modeOfPathogenicity = null;
    raiseVersion(desk.panel, desk.at);
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
  change: (scene: Scene) => unknown,
  on: Kind['on'] = 'any',
): Kind {
  return {
    kind,
    on,
    often,
    play: (scene) => {
      change(scene);
      return nothingWritten;
    },
  };
}

function silentOnRegion(kind: string, change: (scene: Scene & { readonly entity: Entity }) => void): Kind {
  return silent(kind, 1, change, 'region');
}
