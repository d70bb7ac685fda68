import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './manifests.ts';

type Variables = Readonly<Record<string, string>>;

/** Files of variables: the one to be copied, with all that it offers, and blocks of pages that assign and do no more. */
const examples: [where: string, text: string][] = [
  ['.env.example', readFileSync(join(ROOT, '.env.example'), 'utf8').replaceAll(/^#(?=[A-Z_]+=)/gm, '')],
  ...globSync('docs/**/*.md', { cwd: ROOT }).flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```\w*\n((?:(?:#.*|[A-Z]\w*=.*)?\n){2,})```$/gm)].map(
      ([, text]): [string, string] => [page, text!],
    ),
  ),
];

/** As podman, Docker and kubectl read it: a value is all that follows, quotes and comments too. */
function readVerbatim(text: string): Variables {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** As systemd.exec(5) says: quotes go, a backslash escapes, and what looks like a comment behind a value is part of it. */
function readAsUnit(text: string): Variables {
  const unquote = (value: string) =>
    value
      .trimEnd()
      .replaceAll(/'([^']*)'|"([^"]*)"|\\(.)/g, (_all, ...parts: (string | undefined)[]) => parts.slice(0, 3).join(''));
  return Object.fromEntries(Object.entries(readVerbatim(text)).map(([name, value]) => [name, unquote(value)]));
}

function readByShell(text: string): Variables {
  const folder = mkdtempSync(join(tmpdir(), 'rail-env-'));
  try {
    writeFileSync(join(folder, 'rail.env'), text);
    const script = 'set -a && . ./rail.env && exec /usr/bin/env -0';
    const printed = execFileSync('/bin/sh', ['-c', script], { cwd: folder, env: {}, encoding: 'utf8' });
    const { PWD: _shells, OLDPWD: _own, ...variables } = readVerbatim(printed.replaceAll('\0', '\n'));
    return variables;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('has examples of settings in files and on pages', () => {
  expect(examples.map(([where]) => where)).toEqual(expect.arrayContaining(['.env.example', 'docs/operators.md']));
});

it.each(examples)('the settings of %s mean the same to a shell, systemd and containers', (_where, text) => {
  const read = readVerbatim(text);
  expect(Object.keys(read).length).toBeGreaterThan(5);
  expect(readByShell(text)).toEqual(read);
  expect(readAsUnit(text)).toEqual(read);
});
