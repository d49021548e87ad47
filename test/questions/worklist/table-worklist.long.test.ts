import { testKeptChanges } from './kept-behaviour.ts';
import { openTablePlaces } from './table-places.ts';

testKeptChanges('in a table', [1, 2, 3], openTablePlaces());
