import { ratingColours } from '../../../../lambdas/messages/rating-colours.ts';

/** The colours of ratings as variables: `--green-text: #14532d; --green-ground: …`. */
const ratingVariables = (scheme: keyof typeof ratingColours): string =>
  Object.entries(ratingColours[scheme])
    .flatMap(([rating, colours]) =>
      Object.entries(colours).map(([part, colour]) => `--${rating}-${part}: ${colour};`),
    )
    .join(' ');

/** The colours and the type of every view, in light and dark. Colour is kept for ratings, links and what needs attention. */
export const colourStyle = `
:root {
  color-scheme: light dark;
  --paper: #faf9f7;
  --card: #ffffff;
  --ink: #1c2127;
  --soft: #565f69;
  --line: #e2e0da;
  --faint: #f1efea;
  --link: #0b57a4;
  --chosen: #e7eff8;
  --warn-paper: #fff4dc;
  --warn-line: #d9a441;
  ${ratingVariables('light')}
  --radius: 6px;
  font: 15px/1.5 "Segoe UI", system-ui, -apple-system, Roboto, "Helvetica Neue", Arial, sans-serif;
}

@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a;
    --card: #1b1f24;
    --ink: #e8e9ea;
    --soft: #a3abb4;
    --line: #30363d;
    --faint: #22272d;
    --link: #7fb8f2;
    --chosen: #1d2f43;
    --warn-paper: #33290f;
    --warn-line: #8f6c21;
    ${ratingVariables('dark')}
  }
}
`;
