import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

interface Group {
  readonly text: string;
  readonly collapsed: boolean;
  readonly items: { readonly text: string; readonly link: string }[];
}

/**
 * The navigation of the website: the lists of the index of pages. Each heading is a group, and each link below it an
 * entry.
 *
 * @param index the path of the index
 */
export function navigation(index: string): Group[] {
  const [, ...sections] = readFileSync(index, 'utf8').split(/^## /m);
  return sections.map((section) => {
    const links = [...section.matchAll(/\[([^\]]+)\]\(([^)#]+\.md)\)/g)];
    const items = links.map(([, text = '', path = '']) => ({
      text: text.charAt(0).toUpperCase() + text.slice(1),
      link: `/${posix.join('docs', path).replace(/(README)?\.md$/, '')}`,
    }));
    return { text: section.split('\n', 1)[0] ?? '', collapsed: false, items };
  });
}
