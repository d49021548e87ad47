import type { PanelChange } from '../../events/changes.ts';
import { startsWithRCode } from '../../events/r-codes.ts';
import { alone, composite, type Draft, either, type Form, line, open, type Read, required } from '../form.ts';
import { certainListOf, isHpoTerm, isPanelName, sidesOf } from '../values.ts';

/** Panel-level rows. Those about an entity carry it only in their text, in the groups `type` and `entity`. */

type IsItem = (piece: string) => boolean;

const change = (panelChange: PanelChange): Draft => ({ 'panel.changed': { changes: [panelChange] } });

const listChanged =
  (field: PanelChange['field'], separator: string, isItem: IsItem): Read =>
  (words) => {
    const sides = sidesOf(words);
    const from = sides && certainListOf(sides.from, separator, isItem);
    const to = sides && certainListOf(sides.to, separator, isItem);
    return change({ field, ...(from && { from }), ...(to && { to }) });
  };

/** `to a; b` of panels' names or types. */
const listSetTo =
  (field: PanelChange['field']): Read =>
  (words) => {
    const to = certainListOf(words, '; ', isPanelName);
    return change({ field, ...(to && { to }) });
  };

/** A list that a new panel starts with. One that cannot be separated is a change that says no more than the field. */
const listOfNew =
  (field: 'relatedPanels' | 'childPanels' | 'types', isItem: IsItem): Read =>
  (words) => {
    const list = certainListOf(words, '; ', isItem);
    return list ? { 'panel.created': { [field]: list } } : change({ field });
  };

/** Names of STRs and regions hold none of these. */
const notInNames = /[,:\n]/;

/**
 * Where the name of an STR or region ends, and that of a panel starts, is uncertain where ` from panel ` comes
 * more than once; but where only one split gives a name that can be an entity's, that is the one.
 */
const whereSplit =
  (state: (panel: string) => Draft): Read =>
  (_words, _context, { type, entity = '', panel = '' }) => {
    const second = panel.indexOf(' from panel ');
    const isCertain =
      type === 'gene' ||
      second === -1 ||
      (!notInNames.test(entity) && notInNames.test(panel.slice(0, second)));
    return isCertain ? state(panel) : null;
  };

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
    copied: open(
      [
        /^Copied (?<type>gene) (?<entity>\S+) from panel (?<panel>.+)$/s,
        /^Copied (?<type>STR|Region) (?<entity>.+?) from panel (?<panel>.+)$/s,
      ],
      whereSplit((panel) => ({ 'entity.added': { copiedFrom: panel } })),
    ),
    reviewsCopied: open(
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
    line(
      [/^Set list of related panels to (?<list>.*)$/s, /^Set list of old panels to (?<list>.*)$/s],
      listOfNew('relatedPanels', startsWithRCode),
    ),
    line(/^Set child panels to: (?<list>.*)$/s, listOfNew('childPanels', isPanelName)),
    line(/^Set panel types to: (?<list>.*)$/s, listOfNew('types', isPanelName)),
  ],
});

const edited = composite({
  name: 'panelEdited',
  level: 'panel',
  parts: [
    either(
      // The row of a renaming carries the new name; the old one may hold a line break.
      open(/^Panel name changed from (?<from>.*) to ⟨panel⟩$/s, (from, { activity }) =>
        change({ field: 'name', from, to: activity.panel_name }),
      ),
      line(/^Panel name changed from (?<sides>.*)$/s, (words) =>
        change({ field: 'name', ...sidesOf(words) }),
      ),
    ),
    line(/^HPO terms changed from (?<sides>.*)$/s, listChanged('hpoTerms', ', ', isHpoTerm)),
    line(
      [
        /^List of related panels changed from (?<sides>.*)$/s,
        /^List of old panels changed from (?<sides>.*)$/s,
      ],
      listChanged('relatedPanels', '; ', startsWithRCode),
    ),
    line(
      /^Panel status changed from (?<from>\w+) to (?<to>\w+)$/,
      (_words, _context, { from = '', to = '' }) => statusChanged(from, to),
    ),
    line(/^Changed child panels to: (?<list>.*)$/s, listSetTo('childPanels')),
    line(/^Panel types changed to (?<list>.*)$/s, listSetTo('types')),
    either(
      line(/^Panel version has been signed off$/, () => ({
        'panel.signed-off': { signedOff: true, via: 'activity' },
      })),
      line(
        /^Panel version (?<version>\d+\.\d+) has been signed off on (?<date>\d{4}-\d{2}-\d{2})$/,
        (version, _context, { date = '' }) => ({
          'panel.signed-off': { signedOff: true, version, date, via: 'activity' },
        }),
      ),
      line(/^Panel signed off version has been removed$/, () => ({
        'panel.signed-off': { signedOff: false, via: 'activity' },
      })),
      line(/^Panel signed off version (?<version>\d+\.\d+) has been removed$/, (version) => ({
        'panel.signed-off': { signedOff: false, version, via: 'activity' },
      })),
    ),
  ],
});

const publicStatuses = ['public', 'promoted'];
const hiddenStatuses = ['internal', 'retired', 'deleted'];

/** An unknown status does not say whether the panel can be seen. */
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
