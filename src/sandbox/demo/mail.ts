import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const MAIL_WAIT_MS = 10_000;

/** What a pattern finds in the letters to an address, once it is there. */
export async function findInMail(folder: string, email: string, pattern: RegExp): Promise<string> {
  for (
    const deadline = Date.now() + MAIL_WAIT_MS;
    Date.now() < deadline;
    await new Promise((wake) => setTimeout(wake, 100))
  ) {
    const letters = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.eml')) : [];
    for (const file of letters) {
      const letter = readFileSync(join(folder, file), 'utf8');
      const found = letter.includes(`To: ${email}`) && pattern.exec(letter);
      if (found) return found[1] ?? found[0];
    }
  }
  throw new Error(
    `No letter to ${email} came to ${folder}. The demo needs a rail that has no SMTP_URL and runs jobs, or one with DEV_REVEAL=on`,
  );
}
