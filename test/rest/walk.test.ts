import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { endpoints, examples, known, recorded, walkEverything, walked } from './walk.ts';

it('answers every endpoint as it was recorded', async () => {
  await walkEverything();
  const shape = (path: string) => path.replace(/\{\w+\}|\$[a-zA-Z]+/g, '*');
  const asked = new Set([...walked].map(shape));
  const concrete = [...asked].map((path) =>
    path.replace(
      /\/(mtn_momo|bank|paybill|capture|unknown|nothing|tin-verify|URA|\w+@agency\.example)(?=$|:|\/)/g,
      '/*',
    ),
  );
  const missing = endpoints
    .map(({ method, path }) => shape(`${method} ${path}`))
    .filter((path) => !asked.has(path) && !concrete.includes(path));
  expect(missing).toEqual([]);
  // To record an intended change: npx vitest run test/rest/walk.test.ts --update
  await expect(`${recorded.join('\n\n')}\n`).toMatchFileSnapshot(
    fileURLToPath(new URL('walk.recorded.txt', import.meta.url)),
  );
  await expect(examples.write(known)).toMatchFileSnapshot(
    fileURLToPath(new URL('../../rest/openapi/examples.json', import.meta.url)),
  );
});
