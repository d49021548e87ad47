import { capitalize } from '../events/capitalize.ts';
import type { EventKindName } from '../events/changes.ts';
import { enumerate } from '../events/enumerate.ts';
import { panelFieldName } from '../events/field-names.ts';
import { cleanLine } from './clean-text.ts';
import { factsOf, type WordsOf } from './described-event.ts';
import { panelName, panelPhrase, panelTitle } from './panel-words.ts';
import { namePiece, phrase } from './phrase.ts';
import { valueChange } from './value-words.ts';

/** The words of events about a panel, or about a row that is not recognised. */
export const panelEventWords: WordsOf<Exclude<EventKindName, `entity.${string}`>> = {
  'panel.promoted': ({ version, previousVersion }, { panel }) => ({
    headline: phrase`${panelPhrase(panel)} is promoted to version ${cleanLine(version)}`,
    row: {
      name: panelTitle(panel),
      words: previousVersion
        ? phrase`version ${cleanLine(previousVersion)} → ${cleanLine(version)}`
        : phrase`version ${cleanLine(version)}`,
    },
    verb: 'Promoted',
  }),
  'panel.signed-off': (change, { panel }) => {
    const { signedOff } = change;
    const version =
      change.signedOffVersion ?? change.version ?? (signedOff ? undefined : change.previousSignedOffVersion);
    const numbered = version ? `${cleanLine(version)} ` : '';
    return {
      headline: signedOff
        ? phrase`${version ? `Version ${numbered}of ` : ''}${panelPhrase(panel)} is signed off`
        : phrase`The signed-off version ${numbered}of ${panelPhrase(panel)} is withdrawn`,
      row: {
        name: panelTitle(panel),
        words: signedOff
          ? phrase`${version ? `version ${numbered}` : ''}signed off`
          : phrase`signed-off version ${numbered}withdrawn`,
      },
      verb: signedOff ? 'Signed off' : 'Withdrawn',
    };
  },
  'panel.created': ({ name }, { panel }) => ({
    headline: phrase`New panel: ${namePiece(cleanLine(name))}${panelName(panel).codes}`,
    row: { name: cleanLine(name), words: phrase`panel created` },
    verb: 'Created',
  }),
  'panel.deleted': ({ name }, { panel }) => ({
    headline: phrase`Panel ${namePiece(cleanLine(name))}${panelName(panel).codes} was deleted`,
    row: { name: cleanLine(name), words: phrase`panel deleted` },
    verb: 'Deleted',
  }),
  'panel.published': (_change, { panel }) => ({
    headline: phrase`${panelPhrase(panel)} is now public`,
    row: { name: panelTitle(panel), words: phrase`now public` },
    verb: 'Published',
  }),
  'panel.withdrawn': (_change, { panel }) => ({
    headline: phrase`${panelPhrase(panel)} is no longer public`,
    row: { name: panelTitle(panel), words: phrase`no longer public` },
    verb: 'Withdrawn',
  }),
  'panel.changed': ({ changes }, { panel }) => {
    const fields = enumerate([...new Set(changes.map(panelFieldName))]);
    return {
      headline: phrase`${panelPhrase(panel)} changed: ${fields}`,
      row: { name: panelTitle(panel), words: phrase`${fields} changed` },
      verb: 'Changed',
      facts: changes.map((each) => ({
        label: capitalize(panelFieldName(each)),
        value: phrase`${valueChange(each)}`,
      })),
    };
  },
  'activity.unclassified': ({ reason }, { panel, name, entity }) => ({
    headline:
      reason === 'invalid-row'
        ? phrase`A row of the activity log could not be read`
        : phrase`Unrecognised text on ${panelPhrase(panel)}`,
    row: {
      name: entity ? name : panelTitle(panel),
      words:
        reason === 'invalid-row'
          ? phrase`a row that could not be read`
          : phrase`a text that is not recognised`,
    },
    verb: 'Written',
    facts: factsOf([['What to do', 'Look at the catalogue’s page: what changed there is unknown.']]),
  }),
};
