import { readFileSync } from 'node:fs';
import { z } from '../../kernel/zod.ts';
import { ConfigError, reasonOf } from '../../kernel/refusal.ts';

/** The last seal of an agency's chain as somebody kept it outside the rail. */
export interface KeptHead {
  readonly mda: string;
  readonly sequence: number;
  readonly hash: string;
}

/** The seal of a day of a log as somebody kept it outside the rail. */
export interface KeptLogSeal {
  readonly log: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly hash: string;
}

const sequence = z.int().min(0);
const row = z.object({ mda: z.string().min(1), hash: z.string().regex(/^[0-9a-f]{64}$/) });
/** A row of `GET /v1/oversight/seals`, or a chain of `ledger:verify --json`, which counts its seals. */
const head = z.union([
  row.extend({ sequence }).transform(({ mda, hash, sequence: at }): KeptHead => ({ mda, hash, sequence: at })),
  row.extend({ seals: sequence }).transform(({ mda, hash, seals }): KeptHead => ({ mda, hash, sequence: seals })),
]);
const logSeal = z.object({ log: z.string().min(1), day: z.iso.date(), hash: row.shape.hash });
const kept = z.union([head, logSeal]);
/** The heads that a backup keeps. */
export const headsOfManifest = z.array(kept);
const headsFile = z.union([
  headsOfManifest,
  z.object({ heads: headsOfManifest }).transform(({ heads }) => heads),
  z.object({ data: headsOfManifest }).transform(({ data }) => data),
  z.object({ chains: z.array(head) }).transform(({ chains }) => chains),
]);

/**
 * Heads that were kept outside: the answer of `GET /v1/oversight/seals` or of `GET /v1/ops/log-seals`, or what
 * `ledger:verify --json` printed, or the manifest of a backup.
 * Refuses anything else, and a file without a single head, which would prove nothing.
 */
export function readHeads(path: string): readonly (KeptHead | KeptLogSeal)[] {
  const heads = headsFile.safeParse(parseFile(path));
  if (!heads.success)
    throw new ConfigError(
      '--heads: must be JSON as GET /v1/oversight/seals or GET /v1/ops/log-seals answers it, or as ledger:verify --json prints it',
    );
  if (heads.data.length === 0) throw new ConfigError('--heads: names no head');
  return heads.data;
}

function parseFile(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`--heads: ${path} cannot be read: ${reasonOf(error)}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError('--heads: is not JSON');
  }
}
