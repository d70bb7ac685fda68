import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FactFiles } from '../../../platform/analytics/fact.ts';
import { escape } from '../../../platform/analytics/literal.ts';
import { PAYMENTS } from '../../facts/payments.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { monthAfter } from './payment-parts.ts';

/** Columns of payments for those of a file, if their names differ. */
const READ: Readonly<Record<string, string>> = {
  document: `regexp_replace(event, '[^0-9]', '', 'g')::bigint`,
  occurred_at: `(occurred_at at time zone 'UTC')`,
  day: `(occurred_at at time zone 'UTC')::date`,
  hour: `extract(hour from occurred_at at time zone 'UTC')`,
  mda: 'agency',
  service: `coalesce(service_id, '')`,
  leads: 'first_part',
};

/**
 * Files that `datasets:write` wrote, from which a copy is filled with payments. Payments never change, so that what they
 * lack is known: what came to the stream after they were written, and months that were not over. Integrators are not
 * for everybody who may have the files, and are read from PostgreSQL, with what proves each payment.
 */
export function paymentFiles(folder: string): FactFiles {
  return {
    fact: PAYMENTS.name,
    folder,
    find: async (origin) => {
      const manifest = await readManifest(folder);
      if (!manifest) throw new Error(`${folder} has no manifest`);
      if (manifest.origin !== origin)
        throw new Error(`${folder} was written from another database, or before the days of payments were moved`);
      for (const file of manifest.files) await check(folder, file);
      const columns = Object.entries({ document: 'bigint', ...PAYMENTS.columns });
      const paths = manifest.files.map(({ path }) => `'${escape(join(folder, path))}'`);
      return {
        rows:
          paths.length > 0
            ? (
                supplement,
              ) => `select ${columns.map(([name, type]) => `${READ[name] ?? name}::${type} as ${name}`).join(', ')}
                from read_parquet([${paths.join(', ')}]) left join read_csv('${escape(supplement)}', header = false,
                  auto_detect = false, columns = {'event': 'varchar', 'integrator': 'varchar', 'proof': 'varchar'}) using (event)`
            : null,
        supplement: `select i.event, i.integrator, p.proof from oversight.event_integrator i
          left join oversight.payment_event p on p.name = i.event`,
        rest: restOf(manifest),
      };
    },
  };
}

/** True for an event that is in none of the files. */
function restOf({ position, through }: Manifest): string {
  const next = monthAfter(new Date(`${through}-01T00:00:00Z`)).toISOString();
  return `document = any(array(
    select name from oversight.payment_event where position > ${position} or occurred_at >= '${next}'
    union all select name from oversight.unplaced_event))`;
}

async function check(folder: string, { path, sha256 }: Manifest['files'][number]): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, path)), hash);
  if (hash.digest('hex') !== sha256) throw new Error(`${join(folder, path)} is not as it was written`);
}
