import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packed from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

const packages = join(import.meta.dirname, '..', 'node_modules');

/**
 * Starts Chromium with the bounds between sites that people's browsers have. It comes with the development packages, for
 * Linux on x86-64; on another machine, CHROMIUM names one.
 * @throws {Error} when it does not start
 */
export async function openChromium(): Promise<Browser> {
  const named = process.env.CHROMIUM;
  const args = ['--no-sandbox'];
  if (named !== undefined) return chromium.launch({ executablePath: named, args });
  const folder = await unpacked();
  const env = { ...process.env, FONTCONFIG_FILE: join(folder, 'fonts.conf') };
  return chromium.launch({ executablePath: join(folder, 'chromium'), args, env });
}

async function unpacked(): Promise<string> {
  const { version } = JSON.parse(
    readFileSync(join(packages, '@sparticuz', 'chromium', 'package.json'), 'utf8'),
  );
  const cache = join(packages, '.cache');
  const folder = join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const begun = mkdtempSync(join(cache, 'chromium-unpacking-'));
  await unpackInto(begun);
  // The fonts of the package where the machine has none.
  writeFileSync(
    join(begun, 'fonts.conf'),
    `<?xml version="1.0"?>
<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>${folder}/fonts</dir><cachedir>${folder}/font-cache</cachedir></fontconfig>
`,
  );
  try {
    renameSync(begun, folder);
  } catch (error) {
    rmSync(begun, { recursive: true });
    // Another process was first.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** The package unpacks into the temporary folder, which it asks for before it waits for anything. */
function unpackInto(folder: string): Promise<string> {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    packed.setGraphicsMode = false;
    return packed.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}
