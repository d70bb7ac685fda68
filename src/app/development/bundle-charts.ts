import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** Expression by which packages ask if they are being worked on. */
const NODE_ENV = ['process', 'env', 'NODE_ENV'].join('.');

/** The script that brings charts to life: ECharts, and what draws charts here. */
export async function bundleCharts(): Promise<string> {
  const making = await rolldown({
    input: fileURLToPath(new URL('../../site/charts/browser/start.js', import.meta.url)),
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

if (import.meta.main) writeFileSync(new URL('../../generated/charts.js', import.meta.url), await bundleCharts());
