import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mailer } from './port.ts';

/**
 * Writes each letter to a file as it would have been sent, readable by this user alone: for a sandbox without a mail
 * server.
 */
export function openCapturingMailer(directory: string, from: string): Mailer {
  return {
    async send(letter) {
      // Loaded for the first letter: most processes of a sandbox write none.
      const { default: nodemailer } = await import('nodemailer');
      const composer = nodemailer.createTransport({ streamTransport: true, buffer: true });
      const { message } = await composer.sendMail({ from, ...letter });
      if (!Buffer.isBuffer(message)) throw new Error('A letter was not composed as a whole');
      await writeCaptured(directory, 'eml', message);
    },
    close: () => {},
  };
}

/** A moment as names of captured files begin with it, which sort as their moments do. */
const stampOf = (at: Date) => at.toISOString().replace(/[:.]/g, '-');

/** Writes a file into a folder whose names are in the order of time, whole or not at all. */
export async function writeCaptured(directory: string, ending: string, content: string | Buffer): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const name = `${stampOf(new Date())}-${randomUUID().slice(0, 8)}`;
  const draft = join(directory, `.${name}`);
  await writeFile(draft, content, { mode: 0o600 });
  await rename(draft, join(directory, `${name}.${ending}`));
}

/** Removes the files of a folder that were written before a moment, drafts too; how many. */
export async function removeCaptured(directory: string, before: Date): Promise<number> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const old = names.filter((name) => name.replace(/^\./, '') < stampOf(before));
  await Promise.all(old.map((name) => rm(join(directory, name), { force: true })));
  return old.length;
}
