import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A page of the documentation. */
interface Page {
  /** From the top of the repository. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly links: readonly Link[];
  /** The fragments that a link can name, as GitHub makes them of headings. */
  readonly anchors: ReadonlySet<string>;
  /** The text outside fenced blocks. */
  readonly prose: string;
}

/** A fenced block. */
interface Block {
  readonly language: string;
  readonly code: string;
}

/** A link to a file of the repository. */
interface Link {
  /** From the top of the repository, without a slash at its end; the page itself for a link to its own heading. */
  readonly path: string;
  readonly anchor: string | undefined;
}

const fence = /^( *)```(\S*)[^\n]*\n(.*?)^\1```$/gms;

export function readPage(path: string): Page {
  const text = readFileSync(path, 'utf8');
  const blocks = [...text.matchAll(fence)].map(([, indent = '', language = '', code = '']) => ({
    language,
    code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
  const prose = text.replaceAll(fence, '');
  return { path, text, blocks, prose, links: linksIn(path, prose), anchors: anchorsOf(prose) };
}

/** Every page that is part of the repository. */
export const pages: readonly Page[] = execFileSync('git', ['ls-files', '--', '*.md'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && !path.startsWith('test/'))
  .map(readPage);

function linksIn(page: string, prose: string): readonly Link[] {
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)|<img src="([^"]+)"/g)].map(
    ([, link, image]) => link ?? image ?? '',
  );
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor] = target.split('#');
      const path = file === '' ? page : normalize(join(dirname(page), decodeURIComponent(file)));
      return { path: path.replace(/\/$/, ''), anchor };
    });
}

function anchorsOf(prose: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of prose.matchAll(/^#{1,6} +(.*)$/gm)) {
    const slug = heading
      .trim()
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}
