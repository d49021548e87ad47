import { isPublic } from '../software/actions/panel.ts';
import { hashIdOf, type ListingStyle } from '../software/listing.ts';
import { panelDetail } from '../software/panel-detail.ts';
import type { Panel, SignOff } from '../software/state.ts';
import { panelAt } from '../software/versions.ts';
import type { PanelDetails, SignedOffVersion } from './panel-details.ts';

interface MadeUpDetailsOptions extends ListingStyle {
  /** Versions that ended earlier (microseconds since the epoch) are archived in the form of old software. */
  readonly oldUntil: number;
}

/** The panels of a made-up catalogue, from the history that its software kept. */
export function madeUpDetails(panels: readonly Panel[], options: MadeUpDetailsOptions): PanelDetails {
  const panelOf = (id: number): Panel | undefined => panels.find((panel) => panel.id === id);
  const atVersion = (panel: Panel, version: string): object | undefined => {
    const state = panelAt(panel, version);
    if (!state) return undefined;
    const ended = panel.archive?.find((archived) => archived.panel === state)?.endedAt;
    const old = ended !== undefined && ended < options.oldUntil;
    return panelDetail(state, options, old ? 'old archive' : 'today');
  };
  return {
    panelId: (key) => panels.find((panel) => String(panel.id) === key || hashIdOf(panel) === key)?.id ?? null,
    present(id) {
      const panel = panelOf(id);
      return panel && isPublic(panel) ? panelDetail(panel, options) : undefined;
    },
    version(id, version) {
      const panel = panelOf(id);
      const state = panel && atVersion(panel, version);
      return panel && state && { ...state, signed_off: signOffOf(panel, version)?.day ?? null };
    },
    reviewers(id, list, name) {
      const panel = panelOf(id);
      if (!panel || !isPublic(panel)) return undefined;
      const held = [panel, ...panel.childPanels].flatMap(({ entities }) => entities);
      return held.find((entity) => entity.name === name && `${entity.type}s` === list)?.reviewers;
    },
    signOffs: () =>
      panels.filter(isPublic).flatMap((panel) =>
        panel.signOffs.flatMap(({ version, day }): readonly SignedOffVersion[] => {
          const state = atVersion(panel, version);
          return state ? [{ panelId: panel.id, day, panel: state }] : [];
        }),
      ),
  };
}

function signOffOf({ signOffs }: Panel, version: string): SignOff | undefined {
  return signOffs.findLast((signOff) => signOff.version === version);
}
