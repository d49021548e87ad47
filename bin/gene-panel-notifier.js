#!/usr/bin/env node
// Plain JavaScript, so that an old Node can read it: undici needs Node 22.19, and npm installs one
// (node-linux-*) beside the other packages where the machine's own is older.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 19)) {
  // An import of it would load streams, too.
  const { existsSync } = process.getBuiltinModule('node:fs');
  // Node 22 says on every run that its SQLite may still change; what the state needs of it has not.
  const { emitWarning } = process;
  process.emitWarning = (warning, ...details) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning(warning, ...details);
  };
  // Where it may be written, what Node compiled is kept beside the code: a third less time to start.
  const cache = new URL('../node_modules/.cache/node', import.meta.url);
  module.enableCompileCache(fileURLToPath(cache));
  // The published package holds built JavaScript; the checkout runs its sources.
  const sources = new URL('./main.ts', import.meta.url);
  const fromSources = existsSync(sources);
  if (!fromSources && process.env.DEBUG) process.setSourceMapsEnabled(true);
  if (process.env.GENE_PANEL_NOTIFIER_LAUNCHED === '1' && process.channel) {
    // This process ends with the older Node that launched it, also where that one was killed and passed on no signal.
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
    process.channel.unref();
  }
  const { main } = await import(fromSources ? sources : '../dist/bin/main.js');
  await main();
} else {
  const { existsSync } = await import('node:fs');
  const installed = new URL(`../node_modules/node-linux-${process.arch}/bin/node`, import.meta.url);
  if (existsSync(installed)) {
    const [{ spawn }, { constants }] = await Promise.all([import('node:child_process'), import('node:os')]);
    const script = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
    const child = spawn(fileURLToPath(installed), script, {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, GENE_PANEL_NOTIFIER_LAUNCHED: '1' },
    });
    // Ctrl-C at a terminal is heard by the child itself. What else it gets twice it takes for one (stop-signal.ts).
    const terminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
    process.on('SIGINT', () => terminal || child.kill('SIGINT'));
    for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
  } else {
    process.stderr.write(
      `gene-panel-notifier: this is Node ${process.versions.node}; it needs Node 22.19 or later. Install one from https://nodejs.org, or put one into this folder: npm install node@24\n`,
    );
    process.exit(1);
  }
}
