import { existsSync } from 'node:fs';
import { type Browser, type BrowserServer, chromium } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the browser of all tests can be reached; null where there is no Chromium. */
    browserUrl: string | null;
  }
}

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Where it asks nobody but the rail. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the one browser that the files of a run share, each with windows of its own; null where there is none. */
export async function startBrowser(): Promise<BrowserServer | null> {
  const executablePath = USUAL_PLACES.find((path) => existsSync(path));
  return executablePath === undefined ? null : chromium.launchServer({ executablePath, args: ARGS });
}

/** What opens windows that share nothing with those of others. */
export type Windows = Pick<Browser, 'newContext'>;

/** The browser of this test file, which it has where there is one. */
export interface TestBrowser extends Windows {
  /** Whether there is one. */
  readonly found: boolean;
}

/** The browser of this test file; all windows that it opens are closed when the file ends. */
export function testBrowser(): TestBrowser {
  const address = inject('browserUrl');
  let browser: Browser | null = null;
  beforeAll(async () => {
    if (address !== null) browser = await chromium.connect(address);
  });
  afterAll(() => browser?.close());
  return {
    found: address !== null,
    newContext(options) {
      if (!browser) throw new Error('There is no Chromium here: npm run test:browser:install');
      return browser.newContext(options);
    },
  };
}

/** What a group of tests that need a browser is called: where there is none, it says how to have one. */
export function runInBrowser(name: string): string {
  return inject('browserUrl') === null ? `${name} (no Chromium here: npm run test:browser:install)` : name;
}
