import { describe, expect, test } from 'vitest';
import { ratingColours } from '../../lambdas/words/html-page.ts';

/** The relative luminance of a colour such as `#14532d`, from 0 to 1, as WCAG 2.2 defines it. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

describe.each(Object.entries(ratingColours))('on a %s ground', (_scheme, colours) => {
  test.each(Object.entries(colours))(
    'the text of the rating %s has a contrast of 7.5 or more',
    (...[, rating]) => {
      expect(contrastOf(rating.text, rating.ground)).toBeGreaterThanOrEqual(7.5);
    },
  );
});
