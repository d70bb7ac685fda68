import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('./', import.meta.url);
const versionOf = (name: string): string =>
  (createRequire(import.meta.url)(`${name}/package.json`) as { readonly version: string }).version;

/** What a bundle follows from: its address changes with any of it. */
function hashSources(): string {
  const hash = createHash('sha256').update(`${versionOf('echarts')} ${versionOf('rolldown')}`);
  for (const file of globSync('**/*.{js,ts}', { cwd: FOLDER }).toSorted())
    hash.update(readFileSync(new URL(file, FOLDER)));
  return hash.digest('hex').slice(0, 16);
}

/** Where pages with charts find the script that brings them to life. */
export const CHARTS_PATH = `/assets/charts.${hashSources()}.js`;

/** How packages ask whether they are being worked on. */
const NODE_ENV = ['process', 'env', 'NODE_ENV'].join('.');

let bundle: Promise<string> | null = null;

/** The script, made of ECharts and of what draws charts here, when it is first asked for. */
export function bundleCharts(): Promise<string> {
  return (bundle ??= build());
}

async function build(): Promise<string> {
  const { rolldown } = await import('rolldown');
  const input = fileURLToPath(new URL('browser/start.js', FOLDER));
  const making = await rolldown({
    input,
    platform: 'browser',
    transform: { define: { [NODE_ENV]: '"production"' } },
  });
  try {
    const { output } = await making.generate({ format: 'es', minify: true, codeSplitting: false });
    return output[0].code;
  } finally {
    await making.close();
  }
}
