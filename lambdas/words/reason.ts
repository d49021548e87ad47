import { inheritanceGroups } from '../events/inheritance.ts';
import type { Filter } from '../filters/filter.ts';
import type { GreenTurn } from '../filters/green-turn.ts';
import { enumerate } from '../run/text.ts';
import { cleanLine } from './clean-text.ts';
import type { Privacy } from './privacy.ts';

interface ReasonOptions extends Partial<Pick<Privacy, 'names'>> {
  /** Whether sign-offs alone count for the reader. */
  readonly whenSignedOff?: boolean;
}

/**
 * Why a reader receives a message: `You receive this because “green-genes” asks for upgrades to green on R208.` The
 * curators that a filter names are named where the channel shows names.
 */
export function reasonOf(
  subscription: string,
  filter: Filter,
  { names = 'kept', whenSignedOff = false }: ReasonOptions = {},
): string {
  const place = [
    filter.genes && `of ${few(filter.genes, 'genes')}`,
    filter.rCodes && `on ${few(filter.rCodes, 'R codes')}`,
    filter.panels && `on ${few(filter.panels.map(panelWord), 'panels')}`,
    filter.panelTypes && `on panels of type ${few(filter.panelTypes, 'types')}`,
    filter.catalogues && `in ${few(filter.catalogues, 'catalogues')}`,
    filter.actors && `by ${names === 'kept' ? few(filter.actors, 'people') : 'certain people'}`,
    filter.late === true && 'that appeared late',
    filter.late === false && 'that did not appear late',
  ].filter(Boolean);
  return `You receive this because “${cleanLine(subscription)}” asks for ${[subjectOf(filter), ...place].join(' ')}${whenSignedOff ? ', once it is signed off, and for what is signed off as green and is so no longer' : ''}.`;
}

function subjectOf(filter: Filter): string {
  const { to, from, direction, green, inheritanceFrom, inheritanceTo, topics, types, tags, entityTypes } =
    filter;
  const kinds = [
    ...(topics ?? []),
    ...(types ?? []).map((type) =>
      type.replace(/^gene-panel\.|\.v1$/g, '').replace(/^\w+\./, (room) => room.replace('.', ' ')),
    ),
  ];
  const what = entityTypes
    ? `${enumerate(entityTypes.map((type) => (type === 'str' ? 'STRs' : `${type}s`)))}: `
    : '';
  if (tags) return `${what}the ${tags.length === 1 ? 'tag' : 'tags'} ${few(tags, 'tags')}`;
  const entities = what === '' ? 'genes, STRs and regions' : what.slice(0, -2);
  if (green)
    return `${entities} that ${enumerate(
      green.map((turn) => greenVerbs[turn]),
      'or',
    )}`;
  if (turnsGreen(filter)) {
    const mayBe = direction === undefined || direction.includes('unknown');
    return `${entities} that turn green${mayBe ? ' or may have been green already' : ''}`;
  }
  if (to || from || direction) return `${what}${ratingWords(filter)}`;
  if (inheritanceFrom || inheritanceTo) return `${what}${inheritanceChangeWords(filter)}`;
  return kinds.length > 0 ? `${what}${few(kinds, 'kinds of change')}` : `${what}all changes`;
}

const greenVerbs: Readonly<Record<GreenTurn, string>> = {
  now: 'turn green',
  'maybe-now': 'are rated green and may have been green already',
  'no-longer': 'are no longer green',
  'maybe-no-longer': 'may no longer be green',
};

/** `changes of the mode of inheritance to monoallelic or biallelic` */
function inheritanceChangeWords({
  inheritanceFrom: from,
  inheritanceTo: to,
}: Pick<Filter, 'inheritanceFrom' | 'inheritanceTo'>): string {
  const modes = (some: readonly string[]): string =>
    enumerate(
      some.map((mode) =>
        cleanLine(Object.entries(inheritanceGroups).find(([name]) => name === mode)?.[1] ?? mode, 120),
      ),
      'or',
    );
  return ['changes of the mode of inheritance', from && `from ${modes(from)}`, to && `to ${modes(to)}`]
    .filter(Boolean)
    .join(' ');
}

/** Whether a filter asks for what turns green, in more than one way. */
function turnsGreen({ to, from, direction, genes }: Filter): boolean {
  if (from || genes || to?.length !== 1 || to[0] !== 'green') return false;
  return (
    direction === undefined || (direction.length > 1 && direction.every((each) => waysToGreen.has(each)))
  );
}

const waysToGreen: ReadonlySet<string> = new Set(['upgraded', 'new', 'unknown']);

function ratingWords({ to, from, direction = [] }: Pick<Filter, 'to' | 'from' | 'direction'>): string {
  const named = direction.filter((each) => each !== 'unknown' && each !== 'new');
  const noun =
    direction.length === 1 && named[0] === 'upgraded'
      ? 'upgrades'
      : direction.length === 1 && named[0] === 'downgraded'
        ? 'downgrades'
        : named.length === 0 && direction.length === 1 && direction[0] === 'new'
          ? 'new entries'
          : 'changes of rating';
  return [noun, from && `from ${enumerate(from.map(word))}`, to && `to ${enumerate(to.map(word))}`]
    .filter(Boolean)
    .join(' ');
}

const word = (rating: string): string => (rating === 'none' ? 'unrated' : rating);
const panelWord = (panel: number | string): string =>
  typeof panel === 'number' ? `panel ${panel}` : `“${panel}”`;

function few(list: readonly string[], noun: string): string {
  const names = list.map((name) => cleanLine(name, 60));
  if (names.length <= 4) return enumerate(names);
  return `${names.slice(0, 3).join(', ')} and ${names.length - 3} more ${noun}`;
}
