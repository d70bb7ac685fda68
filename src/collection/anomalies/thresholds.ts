import { readJsonFile } from '../../kernel/text/json-file.ts';
import { ConfigError, reasonOf } from '../../kernel/refusal.ts';
import type { Config } from '../../platform/config/config.ts';
import { z } from '../../kernel/zod.ts';
import { ANOMALIES, ANOMALY_KINDS } from './kinds.ts';

type Kinds = typeof ANOMALIES;

/** The thresholds of each kind that has some. */
export type Thresholds = {
  readonly [Kind in keyof Kinds as Kinds[Kind] extends { thresholds: z.ZodType } ? Kind : never]: Kinds[Kind] extends {
    thresholds: infer Shape extends z.ZodType;
  }
    ? z.output<Shape>
    : never;
};

/** Form of a file of thresholds: those of some kinds, and some of theirs. */
const file = z.strictObject(
  Object.fromEntries(
    ANOMALY_KINDS.flatMap((kind) => {
      const words = ANOMALIES[kind];
      return 'thresholds' in words ? [[kind, words.thresholds]] : [];
    }),
  ),
);

const read = new WeakMap<Config, Thresholds>();

/**
 * The thresholds that hold in a deployment; what its file leaves out is as usual. Throws a `ConfigError` that says what
 * is wrong in it.
 */
export function thresholdsOf(config: Config): Thresholds {
  const known = read.get(config);
  if (known) return known;
  const thresholds = parse(config.anomalyThresholds);
  read.set(config, thresholds);
  return thresholds;
}

function parse(path: string | null): Thresholds {
  const parsed = file.safeParse(path === null ? {} : contentOf(path));
  if (parsed.success) return parsed.data as Thresholds;
  const issue = parsed.error.issues[0]!;
  throw new ConfigError(`ANOMALY_THRESHOLDS: ${path}: ${issue.path.join('.') || 'the file'}: ${issue.message}`);
}

function contentOf(path: string): unknown {
  try {
    return readJsonFile(path);
  } catch (error) {
    throw new ConfigError(`ANOMALY_THRESHOLDS: ${path} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
}
