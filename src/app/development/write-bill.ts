import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

/*
 * Writes what a production install consists of, into the folder that it is run in: `sbom.cdx.json` in the form of
 * CycloneDX, and the licences of the packages as a text. With `--system` Node.js and Debian's packages count too, as in
 * an image. `npm sbom` refuses an install without development packages, and from the lock alone leaves out each package
 * that is a peer of another, such as `graphql`.
 */
interface Installed {
  readonly version: string;
  readonly integrity: string;
  readonly license: string;
}

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const { version: ownVersion } = read('package.json') as { version: string };
const { packages } = read('node_modules/.package-lock.json') as { packages: Readonly<Record<string, Installed>> };
const installed = Object.entries(packages)
  // Node.js itself comes from the image or the machine.
  .filter(([path]) => !path.startsWith('node_modules/node-'))
  .map(([path, about]) => ({ path, name: path.split('node_modules/').at(-1)!, ...about }));

/** Packages in scripts of pages, which no folder of packages has: in bundles, and as their makers built them. */
const locked = (read('package-lock.json') as { packages: Readonly<Record<string, Installed>> }).packages;
const bundled = ['echarts', 'zrender', 'tslib'].map((name) => ({
  path: name,
  name,
  ...locked[`node_modules/${name}`]!,
}));
const copied = globSync('src/generated/graphiql/*.LICENSE').map((path) => {
  const [name = '', version = ''] = basename(path, '.LICENSE').split('@');
  return { path, name, version, integrity: null, license: 'MIT' };
});

const components: object[] = [...installed, ...bundled, ...copied].map(
  ({ path, name, version, integrity, license }) => ({
    type: 'library',
    'bom-ref': `${path}#${version}`,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    hashes: integrity ? [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }] : [],
    licenses: [{ expression: license }],
  }),
);

if (process.argv.includes('--system')) {
  const version = process.versions.node;
  const purl = `pkg:generic/node@${version}`;
  components.push({
    type: 'platform',
    'bom-ref': purl,
    name: 'node',
    version,
    purl,
    licenses: [{ expression: 'MIT' }],
  });
  components.push(...listDebian());
}

writeFileSync(
  'sbom.cdx.json',
  JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: {
        timestamp: new Date().toISOString(),
        component: { type: 'application', 'bom-ref': 'revenue-rail', name: 'revenue-rail', version: ownVersion },
      },
      components,
    },
    null,
    2,
  ),
);

const notices = [...installed, ...bundled, ...copied].map(({ path, name, version, license }) =>
  [
    `${name} ${version} (${license})`,
    ...globSync([`${path}/{LICEN[CS]E,NOTICE,COPYING}*`, path])
      .filter((file) => statSync(file).isFile())
      .toSorted()
      .map((file) => readFileSync(file, 'utf8')),
  ].join('\n\n'),
);
writeFileSync('THIRD-PARTY-NOTICES.txt', notices.join(`\n\n${'-'.repeat(80)}\n\n`));

/** Debian's packages, with the licences that their copyright files name, which stay in the image. */
function listDebian(): object[] {
  const query = ['-W', '-f=${Package} ${Version} ${Architecture}\n'];
  const lines = execFileSync('dpkg-query', query, { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [name = '', version = '', arch = ''] = line.split(' ');
    const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${arch}`;
    const file = `/usr/share/doc/${name}/copyright`;
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const named = new Set([...text.matchAll(/^License: *(\S.*)$/gm)].map(([, license]) => license!.trim()));
    const licenses = [...(named.size > 0 ? named : [`see ${file}`])].map((license) => ({ license: { name: license } }));
    return { type: 'library', 'bom-ref': purl, name, version, purl, licenses };
  });
}
