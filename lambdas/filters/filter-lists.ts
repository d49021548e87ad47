import { directions, entityTypes, eventKindNames, ratings, topics } from '../events/kinds.ts';
import { greenTurnNames } from './green-turn.ts';

/** The values of the keys of a filter that take few; types in their short form. Of ratings, `unknown`: the rating is unknown. */
export const filterLists = () =>
  ({
    entityTypes,
    topics,
    types: eventKindNames,
    from: [...ratings, 'unknown'],
    to: [...ratings, 'unknown'],
    direction: directions,
    green: greenTurnNames,
  }) as const;
