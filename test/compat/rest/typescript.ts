import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

// Generators write code through the compiler's interface, which TypeScript 7 no longer has: they get the one of this
// folder.
const here = pathToFileURL(`${import.meta.dirname}/`).href;
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'typescript' ? { ...context, parentURL: here } : context),
});
