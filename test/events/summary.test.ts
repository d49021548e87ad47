import { expect, test } from 'vitest';
import { eventsOf, onPanel, row } from '../classifier/correlation/rows.ts';

const on = 'Hereditary breast cancer (R208) in version 3.2';
const amber = row(-60_000, 'Classified gene: BRCA1 as Amber List (moderate evidence)');
const region = { entity_name: 'ISCA-37390-Loss', entity_type: 'region' };
const str = { entity_name: 'HTT_CAG', entity_type: 'str' };

test.each([
  [
    row(0, 'Classified gene: BRCA1 as Green List (high evidence)'),
    `BRCA1 was upgraded from amber to green on ${on}.`,
  ],
  [
    row(0, 'Classified gene: BRCA1 as Red List (low evidence)'),
    `BRCA1 was downgraded from amber to red on ${on}.`,
  ],
  [row(0, 'Classified gene: BRCA1 as No list'), `BRCA1 was downgraded from amber to unrated on ${on}.`],
  [
    row(0, 'Classified gene: BRCA1 as Amber List (moderate evidence)'),
    `BRCA1 was confirmed as amber on ${on}.`,
  ],
  [
    row(0, 'Classified gene: TP53 as Green List (high evidence)', { entity_name: 'TP53' }),
    `TP53 was rated green on ${on}; previous rating unknown.`,
  ],
  [
    row(0, 'promoted panel to version 4.0', onPanel),
    'Hereditary breast cancer (R208) was promoted to version 4.0.',
  ],
  [
    row(0, 'Panel version has been signed off', onPanel),
    'A version of Hereditary breast cancer (R208) was signed off.',
  ],
  [
    row(0, 'Panel signed off version has been removed', onPanel),
    'The signed-off version of Hereditary breast cancer (R208) was withdrawn.',
  ],
  [
    row(0, 'Panel version 3.1 has been signed off on 2024-03-06', onPanel),
    'Version 3.1 of Hereditary breast cancer (R208) was signed off on 2024-03-06.',
  ],
  [
    row(0, 'Panel signed off version 3.1 has been removed', onPanel),
    'The signed-off version 3.1 of Hereditary breast cancer (R208) was withdrawn.',
  ],
  [row(0, 'Tag treatable tag was added to gene: BRCA1.'), `Tag “treatable” was added to BRCA1 on ${on}.`],
  [
    row(
      0,
      'Tag a was removed from gene: BRCA1.\nTag b tag was added to gene: BRCA1.\nTag c tag was added to gene: BRCA1.',
    ),
    `Tags “b” and “c” were added to and tag “a” was removed from BRCA1 on ${on}.`,
  ],
  [row(0, 'removed gene:BRCA1 from the panel', onPanel), `BRCA1, last rated amber, was removed from ${on}.`],
  [row(0, 'removed region:ISCA-1 from the panel', onPanel), `Region ISCA-1 was removed from ${on}.`],
  [row(0, 'A was changed to BRCA1'), `A was replaced by BRCA1 on ${on}.`],
  [row(0, 'HTT was changed to HTT_CAG', str), `STR HTT was renamed to HTT_CAG on ${on}.`],
  [
    row(0, 'Mode of inheritance for gene: BRCA1 was changed from Unknown to Other'),
    `Mode of inheritance of BRCA1 was changed on ${on} from “Unknown” to “Other”.`,
  ],
  [
    row(0, 'Mode of inheritance for gene: BRCA1 was changed from Unknown to Unknown'),
    `Mode of inheritance of BRCA1 was saved without a change on ${on}: “Unknown”.`,
  ],
  [
    row(0, 'Phenotypes for gene: BRCA1 were changed from a to a'),
    `Phenotypes of BRCA1 were saved without a change on ${on}.`,
  ],
  [
    row(0, 'Phenotypes for gene: BRCA1 were changed from a to b; c'),
    `Phenotypes of BRCA1 were changed on ${on}.`,
  ],
  [
    row(0, 'Haploinsufficiency Score for ISCA-37390-Loss was changed from 0 to 3.', region),
    `Haploinsufficiency score of region ISCA-37390-Loss was changed on ${on} from “0” to “3”.`,
  ],
  [
    row(
      0,
      'reviewed gene: BRCA1: Rating: GREEN; Mode of pathogenicity: None; Publications: ; Phenotypes: ; Mode of inheritance: None',
    ),
    `Eleanor Vance reviewed BRCA1 on ${on} and would rate it green.`,
  ],
  [row(0, 'Deleted their review'), `Eleanor Vance deleted their review of BRCA1 on ${on}.`],
  [
    row(0, 'commented on gene: BRCA1: Promoted to\r\nGreen <!channel>'),
    `Eleanor Vance commented on BRCA1 on ${on}: “Promoted to Green <!channel>”.`,
  ],
  [
    row(0, 'commented on gene: BRCA1: I agree.', { user_name: 'Eleanor \u0007 \u202eVance' }),
    `Eleanor Vance commented on BRCA1 on ${on}: “I agree.”`,
  ],
  [
    row(0, 'Classified gene: TP53 as Green List (high evidence)', {
      entity_name: 'TP53',
      panel_name: 'A\n\u001b[31mB',
    }),
    'TP53 was rated green on A [31mB (R208) in version 3.2; previous rating unknown.',
  ],
  [row(0, 'Deleted their comment', { user_name: ' ' }), `Somebody deleted a comment on BRCA1 on ${on}.`],
  [row(0, 'Marked gene: BRCA1 as ready'), `Eleanor Vance marked BRCA1 on ${on} as ready.`],
  [row(0, 'Added Panel Ataxia', onPanel), 'Panel Ataxia (version 3.2) was created.'],
  [row(0, 'Panel deleted', onPanel), 'Panel Hereditary breast cancer was deleted.'],
  [row(0, 'Panel status changed from internal to public', onPanel), `Panel ${on} became public.`],
  [row(0, 'Panel status changed from public to retired', onPanel), `Panel ${on} is no longer public.`],
  [
    row(0, 'Panel name changed from Breast to Hereditary breast cancer', onPanel),
    'Panel Breast was renamed to Hereditary breast cancer.',
  ],
  [
    row(0, 'Panel status changed from internal to retired', onPanel),
    `Status of ${on} was changed from “internal” to “retired”.`,
  ],
  [row(0, 'Panel types changed to Research', onPanel), `Types of ${on} were changed.`],
  [row(0, 'BRCA1 was blessed'), `An activity on ${on} has an unrecognised text; a person should look at it.`],
])('the summary of %j is a sentence for people', (activity, summary) => {
  expect(eventsOf([amber], [activity]).at(-1)?.data.summary).toBe(summary);
});

test('a long comment is shortened', () => {
  const [event] = eventsOf([row(0, `commented on gene: BRCA1: ${'word '.repeat(100_000)}`)]);
  expect(event?.data.summary.length).toBeLessThan(250);
});

test('a quoted comment is on one line', () => {
  const [event] = eventsOf([row(0, 'commented on gene: BRCA1: two\u00a0spaces here')]);
  expect(event?.data.summary).toContain('“two spaces here”');
});

test.each(['é', '🧬'])('a comment of %s is cut after 120 characters, none of them in two', (letter) => {
  const quoted = (count: number): string | undefined =>
    eventsOf([row(0, `commented on gene: BRCA1: ${letter.repeat(count)}`)])[0]?.data.summary;
  expect(quoted(120)).toContain(`“${letter.repeat(120)}”`);
  expect(quoted(121)).toContain(`“${letter.repeat(120)}…”`);
});
