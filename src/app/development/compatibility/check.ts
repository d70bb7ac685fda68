import { mkdirSync, writeFileSync } from 'node:fs';
import { unannounced } from './announced.ts';
import { type Change, compare } from './compare.ts';
import { baseline, changelog, currentContract, versionOfPackage } from './documents.ts';

/** All changes since the last release; ignored by git. */
const LIST = '.data/compatibility.txt';

const version = versionOfPackage();
const changes = await compare(baseline(), currentContract());
const lines = changes.map(lineOf);
mkdirSync('.data', { recursive: true });
writeFileSync(LIST, lines.map((line) => `${line}\n`).join(''));
process.stdout.write(
  lines.length === 0
    ? 'Nothing changed since the baseline.\n'
    : `${lines.join('\n')}\n\n${lines.length} changes; also in ${LIST}\n`,
);

const missing = unannounced(changes, changelog(), version);
if (missing.length > 0) {
  const names = [...new Set(missing.map(({ coordinate }) => coordinate))].map((name) => `- \`${name}\``);
  process.stderr.write(
    `These break callers. CHANGELOG.md has to name them under "### Breaking" of ${version}:\n${names.join('\n')}\n`,
  );
  process.exitCode = 1;
}

function lineOf({ coordinate, message, breaking }: Change): string {
  return `${breaking ? 'BREAKING' : '        '} ${coordinate}: ${message}`;
}
