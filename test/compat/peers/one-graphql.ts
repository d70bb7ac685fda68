import { createRequire, registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

// PostGraphile needs graphql 16, the rail has a newer one: npm gives each of PostGraphile's packages a copy of its own,
// and they take nothing from one another's. All get the one of this folder.
const home = dirname(createRequire(import.meta.url).resolve('graphql/package.json'));

registerHooks({
  resolve(specifier, context, next) {
    const [, inside] = /^graphql(?:\/(.+))?$/.exec(specifier) ?? [];
    if (inside === undefined && specifier !== 'graphql') return next(specifier, context);
    const path = join(home, inside ?? 'index.js');
    return next(context.conditions.includes('import') ? pathToFileURL(path).href : path, context);
  },
});
