import { type Html, html } from '../frame/html.ts';

interface Suggestion {
  readonly value: string;
  readonly label: string;
  readonly count: number;
}

interface NameField {
  readonly name: string;
  readonly label: string;
  /** The values that are set: another one is added to them. Chips name them and remove them. */
  readonly given: readonly string[];
  /** Without a script, a browser offers these. */
  readonly suggestions?: readonly Suggestion[];
  /** In front of the name, where another form of the same view has such a field. */
  readonly prefix?: string;
}

const MOST_SUGGESTIONS = 300;
/** No name in a catalogue is longer. */
const LONGEST_SUGGESTION = 200;

/** A field for one more name; a part of it is enough. The suggestions are names, never ids. */
export function nameField({ name, label, given, suggestions = [], prefix = 'f' }: NameField): Html {
  const id = `${prefix}-${name}`;
  const shown = suggestions
    .filter((each) => each.label.length <= LONGEST_SUGGESTION)
    .slice(0, MOST_SUGGESTIONS);
  const list =
    shown.length === 0
      ? ''
      : html`<datalist id="${id}-list">${shown.map(
          (each) => html`<option value="${each.label}">${each.count.toLocaleString('en-GB')}</option>`,
        )}</datalist>`;
  return html`<div class="field names"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" data-names data-label="${label}" autocomplete="off" spellcheck="false" placeholder="${placeholderOf(name, given.length > 0)}"${list === '' ? '' : html` list="${id}-list"`}>
${given.map((value) => html`<input type="hidden" name="${name}" value="${value}">`)}${list}</div>`;
}

const placeholderOf = (name: string, isSet: boolean): string =>
  `${isSet ? 'one more: ' : ''}${name === 'r-code' ? 'R208, R67' : 'part of a name'}`;
