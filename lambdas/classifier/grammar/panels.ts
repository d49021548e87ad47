import type { PanelChange } from '../../events/changes.ts';
import type { Draft } from '../draft.ts';
import { alone, type Form, line, type Read } from '../form.ts';
import { listOf, sidesOf } from '../values.ts';

/** Panel-level rows. Those about an entity carry it only in their text, in the groups `type` and `entity`. */

const change = (panelChange: PanelChange): Draft => ({ 'panel.changed': { changes: [panelChange] } });

const listChanged =
  (field: PanelChange['field'], separator: string): Read =>
  ({ sides = '' }) => {
    const known = sidesOf(sides);
    return change({
      field,
      ...(known && { from: listOf(known.from, separator), to: listOf(known.to, separator) }),
    });
  };

/** Statuses in which a panel and its rows are public. */
const publicStatuses = ['public', 'promoted'];

const panelRows = alone('panel', {
  promoted: line(/^promoted panel to version (?<version>\d+(?:\.\d+)?)$/, ({ version = '' }) => ({
    'panel.promoted': { version, previousVersion: null, via: 'activity' },
  })),
  removed: line(/^removed (?<type>gene|STR|region):(?<entity>.+) from the panel$/, () => ({
    'entity.removed': {},
  })),
  copied: line(
    /^Copied (?<type>gene|STR|Region) (?<entity>\S.*?) from panel (?<panel>.+)$/,
    ({ panel = '' }) => ({
      'entity.added': { copiedFrom: panel },
    }),
  ),
  reviewsCopied: line(
    /^Added reviews for (?<type>gene|STR|Region) (?<entity>\S.*?) from panel (?<panel>.+)$/,
    ({ panel = '' }) => ({ 'entity.reviews-copied': { fromPanel: panel } }),
  ),
  deleted: line(/^Panel deleted$/, (_groups, { activity }) => ({
    'panel.deleted': { name: activity.panel_name },
  })),
});

const created: Form = {
  name: 'panelCreated',
  level: 'panel',
  parts: [
    line(/^Added [Pp]anel (?<name>.+)$/, ({ name = '' }) => ({ 'panel.created': { name } })),
    line(/^Set list of related panels to (?<list>.*)$/, ({ list = '' }) => ({
      'panel.created': { relatedPanels: listOf(list) },
    })),
    line(/^Set child panels to: (?<list>.*)$/, ({ list = '' }) => ({
      'panel.created': { childPanels: listOf(list) },
    })),
    line(/^Set panel types to: (?<list>.*)$/, ({ list = '' }) => ({
      'panel.created': { types: listOf(list) },
    })),
  ],
};

const edited: Form = {
  name: 'panelEdited',
  level: 'panel',
  parts: [
    // The row of a renaming carries the new name, which tells where the old one ends.
    line(/^Panel name changed from (?<sides>.+)$/, ({ sides = '' }, { activity }) => {
      const end = ` to ${activity.panel_name}`;
      const known = sides.endsWith(end)
        ? { from: sides.slice(0, -end.length), to: activity.panel_name }
        : sidesOf(sides);
      return change({ field: 'name', ...known });
    }),
    line(/^HPO terms changed from (?<sides>.*)$/, listChanged('hpoTerms', ', ')),
    line(/^List of related panels changed from (?<sides>.*)$/, listChanged('relatedPanels', '; ')),
    line(/^Panel status changed from (?<from>\S*) to (?<to>\S*)$/, ({ from = '', to = '' }) => {
      const [before, after] = [from, to].map((status) => publicStatuses.includes(status));
      if (before === after) return change({ field: 'status', from, to });
      return { [after ? 'panel.published' : 'panel.withdrawn']: { via: 'activity' } };
    }),
    line(/^Changed child panels to: (?<list>.*)$/, ({ list = '' }) =>
      change({ field: 'childPanels', to: listOf(list) }),
    ),
    line(/^Panel types changed to (?<list>.*)$/, ({ list = '' }) =>
      change({ field: 'types', to: listOf(list) }),
    ),
    [
      line(/^Panel version has been signed off$/, () => ({
        'panel.signed-off': { signedOff: true, via: 'activity' },
      })),
      line(/^Panel signed off version has been removed$/, () => ({
        'panel.signed-off': { signedOff: false, via: 'activity' },
      })),
    ],
  ],
};

export const panelForms: readonly Form[] = [...panelRows, created, edited];
