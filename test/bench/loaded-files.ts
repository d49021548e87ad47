import { registerHooks } from 'node:module';

/**
 * `node --import ./test/bench/loaded-files.ts bin/gene-panel-notifier.js COMMAND…` says at its end how many files of the checkout and of
 * packages the command loaded.
 */
const loaded = { checkout: 0, packages: 0 };
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) loaded[url.includes('/node_modules/') ? 'packages' : 'checkout'] += 1;
    return next(url, context);
  },
});
process.once('exit', () => {
  process.stderr.write(
    `Loaded ${loaded.checkout} files of the checkout and ${loaded.packages} of packages.\n`,
  );
});
