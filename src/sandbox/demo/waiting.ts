import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const MAIL_SECONDS = 10;

/** Result of a search within so many seconds, repeated again and again; null if there is none. */
export async function waitFor<Found>(
  seconds: number,
  find: () => Found | null | Promise<Found | null>,
  everyMs = 100,
): Promise<Found | null> {
  for (const deadline = Date.now() + seconds * 1_000; ; await sleep(everyMs)) {
    const found = await find();
    if (found !== null || Date.now() >= deadline) return found;
  }
}

/** Match of a pattern in the letters to an address, once it is there. */
export async function findInMail(folder: string, email: string, pattern: RegExp): Promise<string> {
  const found = await waitFor(MAIL_SECONDS, () => {
    const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.eml')) : [];
    const letters = files.map((file) => readFileSync(join(folder, file), 'utf8'));
    return (
      letters
        .filter((letter) => letter.includes(`To: ${email}`))
        .map((letter) => pattern.exec(letter))
        .find(Boolean) ?? null
    );
  });
  if (found) return found[1] ?? found[0];
  throw new Error(
    `No letter to ${email} came to ${folder}. The demo needs a rail that has no SMTP_URL and runs jobs, or one with DEV_REVEAL=on`,
  );
}
