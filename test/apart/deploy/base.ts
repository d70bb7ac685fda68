import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Podman } from './podman.ts';

/**
 * Makes the image of Node.js: Debian, with Node.js and npm. If no registry has it, it is made of Debian's packages and
 * this machine's Node.js, and kept for the next run.
 */
export async function makeBase(podman: Podman, name: string): Promise<void> {
  const kept = join(tmpdir(), 'rail-image-base', `bookworm-node-${process.versions.node}.tar`);
  if (!existsSync(kept)) {
    mkdirSync(join(kept, '..'), { recursive: true });
    const npm = join(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()), '../..');
    const hooks = [
      `install -D '${process.execPath}' "$1/usr/local/bin/node"`,
      `mkdir "$1/usr/local/lib/node_modules" && cp -R '${npm}' "$1/usr/local/lib/node_modules/npm"`,
      'ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"',
    ].map((hook) => `--customize-hook=${hook}`);
    const half = `${kept}-${process.pid}.tar`;
    execFileSync('mmdebstrap', ['--variant=minbase', ...hooks, 'bookworm', half], { stdio: 'ignore' });
    renameSync(half, kept);
  }
  await podman.do('import', '--change', 'CMD ["node"]', kept, name);
}

/** Settings of npm for this machine's registry. A build elsewhere uses its own network. */
export function npmOfThisMachine(folder: string): string[] {
  const config = (key: string) => execFileSync('npm', ['config', 'get', key], { encoding: 'utf8' }).trim();
  const authorities = process.env['NODE_EXTRA_CA_CERTS'];
  const settings = [
    `registry=${config('registry')}`,
    'prefer-offline=true',
    ...(authorities ? ['cafile=/ca.pem'] : []),
  ];
  writeFileSync(join(folder, 'npmrc'), settings.join('\n'));
  mkdirSync(config('cache'), { recursive: true });
  const files = [
    [config('cache'), '/root/.npm'],
    [join(folder, 'npmrc'), '/root/.npmrc:ro'],
    ...(authorities ? [[authorities, '/ca.pem:ro']] : []),
  ];
  return files.flatMap(([source, target]) => ['--volume', `${source}:${target}`]);
}
