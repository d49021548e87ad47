import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { navigation } from './navigation.ts';
import { repositoryLinks } from './repository-links.ts';

/**
 * The website: the pages of this repository as they are, with a search and one navigation. `npm run website` builds it
 * into `website/dist` and fails where a link leads nowhere.
 */
const top = fileURLToPath(new URL('../../', import.meta.url));

export default defineConfig({
  title: 'Gene panel notifier',
  description: 'Typed, reliable events from the activity log of a gene panel catalogue',
  lang: 'en-GB',
  srcDir: '..',
  outDir: 'dist',
  srcExclude: ['**/node_modules/**', 'docs/schemas/**', '.github/**', 'test/**', 'dist/**', 'cdk.out/**'],
  rewrites: { 'README.md': 'index.md', 'docs/README.md': 'docs/index.md' },
  cleanUrls: true,
  lastUpdated: false,
  markdown: { config: (md) => repositoryLinks(md, top) },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/docs/' },
      { text: 'Events', link: '/docs/events' },
      { text: 'Runbook', link: '/docs/runbook' },
      { text: 'Changelog', link: '/CHANGELOG' },
    ],
    sidebar: navigation(join(top, 'docs/README.md')),
    search: { provider: 'local' },
    outline: [2, 3],
    externalLinkIcon: true,
  },
});
