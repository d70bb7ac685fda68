import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from '../../../kernel/zod.ts';
import { ConfigError, reasonOf } from '../../../kernel/refusal.ts';
import { headsOfManifest } from '../../../oversight/seals/heads.ts';

export const MANIFEST = 'manifest.json';

const manifest = z.object({
  /** `dump` is restored by `restore`; `base` is a copy of the server's files, for point-in-time recovery. */
  kind: z.enum(['dump', 'base']),
  /** The version of the rail that made it. */
  version: z.string(),
  made_at: z.iso.datetime(),
  mode: z.enum(['sandbox', 'live']),
  /** The major version of the server. */
  postgresql: z.int(),
  /** The migrations of the database since the baseline. */
  migrations: z.array(z.string()),
  heads: headsOfManifest,
  /** The SHA-256 of each file. */
  files: z.record(z.string(), z.string()),
});

/** Manifest of a backup. */
export type Manifest = z.output<typeof manifest>;

/** Reads the manifest of a backup, and refuses one whose files are not those that it was made with. */
export async function readManifest(folder: string): Promise<Manifest> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'));
  } catch (error) {
    throw new ConfigError(`${folder} is no backup: ${reasonOf(error)}`);
  }
  const parsed = manifest.safeParse(value);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw new ConfigError(`${join(folder, MANIFEST)}: ${path.join('.')}: ${message}`);
  }
  for (const [name, hash] of Object.entries(parsed.data.files)) {
    if ((await hashFile(join(folder, name))) !== hash)
      throw new ConfigError(`${join(folder, name)} was changed after the backup; nothing was restored`);
  }
  return parsed.data;
}

/** The SHA-256 of a file, in hex. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
