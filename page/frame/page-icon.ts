import { ratingColours } from '../../lambdas/words/rating-colours.ts';

const { text, ground } = ratingColours.light.green;

/** The icon of the page: lines of a list on green. */
export const pageIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Gene panel changes</title><rect width="32" height="32" rx="7" fill="${text}"/><path d="M8 9h9M8 16h16M8 23h12" stroke="${ground}" stroke-width="4" stroke-linecap="round"/></svg>`;
