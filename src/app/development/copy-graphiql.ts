import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Packages, each with the files of it that the page loads. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'react@18.3.1': ['umd/react.production.min.js'],
  'react-dom@18.3.1': ['umd/react-dom.production.min.js'],
  'graphql-sse@2.6.1': ['umd/graphql-sse.min.js'],
  'graphiql@4.1.2': ['graphiql.min.css', 'graphiql.min.js'],
};

/** Writes the files of GraphiQL as their makers built them, their licenses, and `SHA256SUMS` of all. */
export function copyGraphiql(folder: string): void {
  const work = mkdtempSync(join(tmpdir(), 'rail-graphiql-'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const written: string[] = [];
  try {
    for (const [name, files] of Object.entries(PACKAGES)) {
      const packed = execFileSync('npm', ['pack', name, '--silent'], { cwd: work, encoding: 'utf8' }).trim();
      execFileSync('tar', ['-xzf', packed], { cwd: work });
      const license = readdirSync(join(work, 'package')).find((file) => file.startsWith('LICENSE'));
      if (!license) throw new Error(`${name} has no license`);
      for (const file of [...files, license]) {
        const as = file === license ? `${name}.LICENSE` : basename(file);
        copyFileSync(join(work, 'package', file), join(folder, as));
        written.push(as);
      }
      rmSync(join(work, 'package'), { recursive: true });
    }
  } finally {
    rmSync(work, { recursive: true });
  }
  const sums = written.map((name) => `${sha256(readFileSync(join(folder, name)))}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.toSorted().join(''));
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

if (import.meta.main) copyGraphiql(fileURLToPath(new URL('../../generated/graphiql/', import.meta.url)));
