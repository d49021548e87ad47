import type { PanelChange } from '../../events/changes.ts';
import type { Draft } from '../draft.ts';
import { alone, composite, either, type Form, line, type Read, required } from '../form.ts';
import { listOf, sidesOf } from '../values.ts';
import { sides } from './annotate.ts';

/** Panel-level rows. Those about an entity carry it only in their text, in the groups `type` and `entity`. */

const change = (panelChange: PanelChange): Draft => ({ 'panel.changed': { changes: [panelChange] } });

const listChanged =
  (field: PanelChange['field'], separator: string): Read =>
  (words) => {
    const known = sidesOf(words);
    return change({
      field,
      ...(known && { from: listOf(known.from, separator), to: listOf(known.to, separator) }),
    });
  };

/** Nothing where the name of an STR or region ends, nobody can tell; a symbol holds no space. */
const whereSplit =
  (told: (panel: string) => Draft): Read =>
  (_words, _context, { type, panel = '' }) =>
    type !== 'gene' && panel.includes(' from panel ') ? null : told(panel);

const panelRows = alone(
  { level: 'panel' },
  {
    promoted: line(/^promoted panel to version (?<version>\d+(?:\.\d+)?)$/, (version) => ({
      'panel.promoted': { version, previousVersion: null, via: 'activity' },
    })),
    removed: line(
      [
        /^removed (?<type>gene):(?<entity>\S+) from the panel$/,
        /^removed (?<type>STR|region):(?<entity>.+) from the panel$/s,
      ],
      () => ({ 'entity.removed': {} }),
    ),
    copied: line(
      [
        /^Copied (?<type>gene) (?<entity>\S+) from panel (?<panel>.+)$/s,
        /^Copied (?<type>STR|Region) (?<entity>.+?) from panel (?<panel>.+)$/s,
      ],
      whereSplit((panel) => ({ 'entity.added': { copiedFrom: panel } })),
    ),
    reviewsCopied: line(
      [
        /^Added reviews for (?<type>gene) (?<entity>\S+) from panel (?<panel>.+)$/s,
        /^Added reviews for (?<type>STR|Region) (?<entity>.+?) from panel (?<panel>.+)$/s,
      ],
      whereSplit((panel) => ({ 'entity.reviews-copied': { fromPanel: panel } })),
    ),
    deleted: line(/^Panel deleted$/, (_words, { activity }) => ({
      'panel.deleted': { name: activity.panel_name },
    })),
  },
);

const created = composite({
  name: 'panelCreated',
  level: 'panel',
  parts: [
    required(
      line([/^Added Panel (?<name>.+)$/s, /^Added panel (?<name>.+)$/s], (name) => ({
        'panel.created': { name },
      })),
    ),
    line(/^Set list of related panels to (?<list>.*)$/s, (list) => ({
      'panel.created': { relatedPanels: listOf(list) },
    })),
    line(/^Set child panels to: (?<list>.*)$/s, (list) => ({
      'panel.created': { childPanels: listOf(list) },
    })),
    line(/^Set panel types to: (?<list>.*)$/s, (list) => ({
      'panel.created': { types: listOf(list) },
    })),
  ],
});

const edited = composite({
  name: 'panelEdited',
  level: 'panel',
  parts: [
    // The row of a renaming carries the new name, which tells where the old one ends.
    line(
      /^Panel name changed from (?<sides>.*)$/s,
      (words, { activity }) => {
        const end = ` to ${activity.panel_name}`;
        const known = words.endsWith(end)
          ? { from: words.slice(0, -end.length), to: activity.panel_name }
          : sidesOf(words);
        return change({ field: 'name', ...known });
      },
      sides,
    ),
    line(/^HPO terms changed from (?<sides>.*)$/s, listChanged('hpoTerms', ', '), sides),
    line(/^List of related panels changed from (?<sides>.*)$/s, listChanged('relatedPanels', '; '), sides),
    line(
      /^Panel status changed from (?<from>\w+) to (?<to>\w+)$/,
      (_words, _context, { from = '', to = '' }) => statusChanged(from, to),
    ),
    line(/^Changed child panels to: (?<list>.*)$/s, (list) =>
      change({ field: 'childPanels', to: listOf(list) }),
    ),
    line(/^Panel types changed to (?<list>.*)$/s, (list) => change({ field: 'types', to: listOf(list) })),
    either(
      line(/^Panel version has been signed off$/, () => ({
        'panel.signed-off': { signedOff: true, via: 'activity' },
      })),
      line(/^Panel signed off version has been removed$/, () => ({
        'panel.signed-off': { signedOff: false, via: 'activity' },
      })),
    ),
  ],
});

const publicStatuses = ['public', 'promoted'];
const hiddenStatuses = ['internal', 'retired', 'deleted'];

/** A status that is not known tells nothing of whether the panel can be seen. */
function statusChanged(from: string, to: string): Draft {
  if (hiddenStatuses.includes(from) && publicStatuses.includes(to)) {
    return { 'panel.published': { via: 'activity' } };
  }
  if (publicStatuses.includes(from) && hiddenStatuses.includes(to)) {
    return { 'panel.withdrawn': { via: 'activity' } };
  }
  return change({ field: 'status', from, to });
}

export const panelForms: readonly Form[] = [...panelRows, created, edited];
