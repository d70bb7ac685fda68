// Runs after an install and before each start, by whichever Node.js there is: so plain JavaScript, and no package of the rail's.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The first version that has all that the rail uses; argon2 came last. */
const NEEDED = [24, 7];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  runWithOwn();
  const platform = `${process.platform}-${process.arch}`;
  process.stderr.write(
    `Revenue Rail needs Node.js ${NEEDED.join('.')} or later, and this is ${process.version}. None comes with it for ${platform}, or optional packages were left out: install Node.js ${NEEDED[0]}, or run npm ci without --omit=optional.\n`,
  );
  process.exit(1);
}

if (!process.argv.includes('--check')) {
  const generator = locate('prisma-cli/build/index.js');
  // What the rail needs to run is in the repository; what it needs to be worked on is made here.
  if (generator)
    process.exitCode = spawnSync(process.execPath, [generator, 'generate'], { stdio: 'inherit' }).status ?? 1;
}

/**
 * Puts the Node.js that was installed where npm scripts find it, and goes on with that. npm 10, which comes with
 * Node.js 20, removes the link to it together with those of other platforms, which have the same name.
 */
function runWithOwn() {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const npm = process.env['npm_execpath'];
  const about = locate(`${name}/package.json`);
  if (!npm || !about || process.argv.includes('--check')) return;
  const { bin } = createRequire(import.meta.url)(about);
  spawnSync(process.execPath, [npm, 'rebuild', name], { stdio: 'inherit' });
  const { status } = spawnSync(join(dirname(about), bin.node), process.argv.slice(1), { stdio: 'inherit' });
  process.exit(status ?? 1);
}

/** @param {string} file */
function locate(file) {
  try {
    return createRequire(import.meta.url).resolve(file);
  } catch {
    return null;
  }
}
