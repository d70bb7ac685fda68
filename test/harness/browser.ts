import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Where Chromium is; installed from Debian where this machine allows it. Null where there is none to be had. */
export function findChromium(): string | null {
  const there = () => USUAL_PLACES.find((path) => existsSync(path)) ?? null;
  if (there() || process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return there();
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { env, timeout: 120_000 });
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { env, timeout: 300_000 });
  return there();
}

/** A browser that asks nobody but the rail. */
export function launchBrowser(executablePath: string): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  return chromium.launch({ executablePath, args });
}
