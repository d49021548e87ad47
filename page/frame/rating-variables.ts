import { ratingColours } from '../../lambdas/words/rating-colours.ts';

/** The colours of ratings as variables of CSS, in light and dark: `--green-text: #14532d; --green-ground: …`. */
export const ratingVariables = (): string =>
  `:root { ${of('light')} }\n@media (prefers-color-scheme: dark) { :root { ${of('dark')} } }\n`;

const of = (scheme: keyof typeof ratingColours): string =>
  Object.entries(ratingColours[scheme])
    .flatMap(([rating, colours]) =>
      Object.entries(colours).map(([part, colour]) => `--${rating}-${part}: ${colour};`),
    )
    .join(' ');
