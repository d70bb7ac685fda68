import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { DEADLINES } from '../run/deadlines.ts';

/** The first that is there. A shell without a window to draw does the same for less. */
const EXECUTABLE = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => existsSync(path));

/**
 * Prevents requests to anybody but the rail. Scripts of pages are short, and new in each: optimising them would cost
 * more than it saves.
 */
const ARGS = [
  '--js-flags=--single-threaded --no-maglev --no-turbofan',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The browser of this process, from the first file that needs it to the end of the process, which ends it too. Files
 * that share a process share it, each with windows of its own.
 */
let running: Promise<Browser> | undefined;

/** Opens windows that share nothing with others. */
export type Windows = Pick<Browser, 'newContext'>;

/** The browser of this test file, which it has where there is one. */
export interface TestBrowser extends Windows {
  /** True if its tests run: if there is a browser, and always in CI, where they fail without one. */
  readonly found: boolean;
}

/** The browser of this test file; all windows that it opens are closed when the file ends. */
export function testBrowser(): TestBrowser {
  const opened: BrowserContext[] = [];
  let browser: Browser | null = null;
  beforeAll(async () => {
    if (EXECUTABLE === undefined) return;
    running ??= chromium.launch({ executablePath: EXECUTABLE, args: ARGS });
    browser = await running;
  });
  afterAll(async () => {
    for (const context of opened) await context.close();
  });
  return {
    found: EXECUTABLE !== undefined || process.env['CI'] === 'true',
    async newContext(options) {
      if (!browser) throw new Error('There is no Chromium here: npm run test:browser:install');
      const context = await browser.newContext(options);
      context.setDefaultTimeout(DEADLINES.event);
      opened.push(context);
      return context;
    },
  };
}

/** The name of a group of tests that need a browser. If there is none, it says how to get one. */
export function runInBrowser(name: string): string {
  return EXECUTABLE === undefined ? `${name} (no Chromium here: npm run test:browser:install)` : name;
}
