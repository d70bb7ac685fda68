import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Where Chromium is; null where there is none. */
export function findChromium(): string | null {
  return USUAL_PLACES.find((path) => existsSync(path)) ?? null;
}

/** What a group of tests that need a browser is called: where there is none, it says how to have one. */
export function runInBrowser(name: string): string {
  return findChromium() ? name : `${name} (no Chromium here: npm run test:browser:install)`;
}

/** A browser that asks nobody but the rail. */
export function launchBrowser(executablePath: string): Promise<Browser> {
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  return chromium.launch({ executablePath, args });
}
