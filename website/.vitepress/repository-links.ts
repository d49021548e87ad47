import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

/** Pages that the website serves as the index of their folder. */
const indexes: ReadonlyMap<string, string> = new Map([
  ['README.md', '/'],
  ['docs/README.md', '/docs/'],
]);

/**
 * Makes links that lead to files and folders of the repository, and not to a page, plain text with their path: the website
 * does not hold them. A link to a file that does not exist stays, so that the build fails and names it.
 *
 * @param top the repository
 */
export function repositoryLinks(md: MarkdownRenderer, top: string): void {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    const folder = posix.dirname(String(env.relativePath));
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type !== 'link_open') continue;
      const href = token.attrGet('href') ?? '';
      const path = posix.join(folder, href.replace(/[?#].*$/, ''));
      const index = indexes.get(path);
      if (index !== undefined) token.attrSet('href', index + href.replace(/^[^#]*/, ''));
      if (!isOfRepository(href, posix.join(top, path))) continue;
      token.tag = 'span';
      // The fragment of a link to a test is the title of the test.
      const within = href.split('#')[1]?.replaceAll('-', ' ') ?? '';
      token.attrs = [['title', `${path} in the repository${within && `: ${within}`}`]];
      const close = tokens
        .flatMap(({ children }) => children ?? [])
        .find(
          ({ type, tag }, index, all) => type === 'link_close' && tag === 'a' && index > all.indexOf(token),
        );
      if (close) close.tag = 'span';
    }
  });
}

function isOfRepository(href: string, file: string): boolean {
  if (/^[a-z]+:|^[#/]|^$/.test(href) || /\.md$/.test(href.replace(/#.*$/, ''))) return false;
  return existsSync(file);
}
