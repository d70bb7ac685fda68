// Runs after an install and before each start, by whichever Node.js there is: so plain JavaScript, and no package of the rail's.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

/** The first version that has all that the rail uses; argon2 came last. */
const NEEDED = [24, 7];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
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

/** @param {string} file */
function locate(file) {
  try {
    return createRequire(import.meta.url).resolve(file);
  } catch {
    return null;
  }
}
