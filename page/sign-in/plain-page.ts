import { type Html, html } from '../frame/html.ts';

/** A page of the sign-in itself, with nothing of the history: the reader may be anybody. */
export function plainPage(
  status: number,
  title: string,
  ...paragraphs: readonly (string | Html)[]
): Response {
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Gene panel changes</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page.css">
</head>
<body>
<main id="main" tabindex="-1"><div class="notice"><h1>${title}</h1>${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}</div></main>
</body>
</html>
`;
  return new Response(String(text), {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  });
}
