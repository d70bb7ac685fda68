import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, reasonOf } from '../../../kernel/refusal.ts';
import { z } from '../../../kernel/zod.ts';

const month = z.string().regex(/^\d{4}-\d{2}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const writtenFile = z.object({
  /** From the folder of the manifest. */
  path: z.string(),
  month,
  /** A whole month as it was known, or what was recorded of it later. */
  kind: z.enum(['month', 'correction']),
  rows: z.int(),
  bytes: z.int(),
  sha256,
});
export type WrittenFile = z.infer<typeof writtenFile>;

const manifest = z.object({
  version: z.literal(1),
  dataset: z.literal('payment_parts'),
  /** Time at which the stream of payment events was read. Later arrivals, as a rule within a second, are corrections. */
  read_at: z.iso.datetime(),
  /**
   * Database and time zones of all files (`ORIGIN`): while these are the same, so are payments in files. Null if files
   * of several were added to one folder.
   */
  origin: z.string().nullable(),
  /** The last position of the stream of payment events that was looked at. */
  position: z.int(),
  /** The last month that is written. */
  through: month,
  columns: z.array(z.object({ name: z.string(), type: z.string(), description: z.string() })),
  files: z.array(writtenFile),
  /** The last seal of each agency's chain. */
  seal_heads: z.array(z.object({ mda: z.string(), sequence: z.int(), hash: sha256 })),
});
export type Manifest = z.infer<typeof manifest>;

const NAME = 'manifest.json';

/** The manifest of a folder; null where none was written yet. */
export async function readManifest(folder: string): Promise<Manifest | null> {
  const path = join(folder, NAME);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new ConfigError(`${path} cannot be read: ${reasonOf(error)}`);
  }
  const read = manifest.safeParse(parse(text));
  if (read.success) return read.data;
  throw new ConfigError(`${path} is not a manifest that this version writes: choose another folder`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Replaces a manifest, whole or not at all. */
export async function writeManifest(folder: string, written: Manifest): Promise<void> {
  const draft = join(folder, `${NAME}.part`);
  await writeFile(draft, `${JSON.stringify(written, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, join(folder, NAME));
}
