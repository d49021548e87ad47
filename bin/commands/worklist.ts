import { declareWithOperands, text } from '../declare-command.ts';
import { historyOptions, placeOptions } from '../history-options.ts';
import { assignEntries, commentEntries, decideEntries, noteReadings } from '../worklist/decide-entries.ts';

const ofPlace = { ...placeOptions, name: historyOptions.name };
const by = text('NAME', 'who does it (default: the name of the account on this machine)');
const shared = {
  notes: [
    'worklist lists the ids. An ID may be shortened to its first characters, at least four, where no other entry begins with them.',
  ],
  exitCodes: '0 done, 1 failed, or an entry was left as it was, 2 wrong arguments',
};

export const decide = declareWithOperands({
  ...shared,
  name: 'worklist decide',
  synopsis: ['ID... --status STATE --why TEXT [options]'],
  about: [
    'Records a decision about entries of the worklist. A later decision replaces an earlier one, and both are kept.',
  ],
  options: {
    status: text('STATE', 'the state: open, re-analyse, wait-for-sign-off, no-action or done'),
    why: text('TEXT', 'the reason'),
    by,
    revision: text(
      'N',
      'how many decisions an entry had when you saw it (default: your own, if nobody else decided, otherwise 0); the decision is refused if there are more by now',
    ),
    ...ofPlace,
  },
  examples: [
    '$0 worklist decide 4f0c2a91b3d7 --status re-analyse --why "214 cases, MDT of 23 November" --by "Ann Example"',
  ],
  run: (values, ids, io) => decideEntries(ids, values, io),
});

export const comment = declareWithOperands({
  ...shared,
  name: 'worklist comment',
  synopsis: ['ID... --text TEXT [options]'],
  about: ['Records a comment on entries of the worklist; their state stays.'],
  options: { text: text('TEXT', 'the words of the comment'), by, ...ofPlace },
  examples: ['$0 worklist comment 4f0c2a91b3d7 --text "Asked the clinic" --by "Ann Example"'],
  run: (values, ids, io) => commentEntries(ids, values, io),
});

export const assign = declareWithOperands({
  ...shared,
  name: 'worklist assign',
  synopsis: ['ID... --to NAME|none [options]'],
  about: ['Records who is to deal with entries of the worklist.'],
  options: { to: text('NAME', 'the person who is to deal with it from now on, or none'), by, ...ofPlace },
  examples: ['$0 worklist assign 4f0c2a91b3d7 --to "Bo Example" --by "Ann Example"'],
  run: (values, ids, io) => assignEntries(ids, values, io),
});

export const read = declareWithOperands({
  ...shared,
  name: 'worklist read',
  synopsis: ['ID... [options]'],
  about: ['Records that you read entries of the worklist.'],
  options: { by, ...ofPlace },
  examples: ['$0 worklist read 4f0c2a91b3d7 --by "Ann Example"'],
  run: (values, ids, io) => noteReadings(ids, values, io),
});
